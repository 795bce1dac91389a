package query

import (
	"strings"

	"proflens/analyze"
)

// Chained stands between the parts of a chain in the name of its node. No part has it.
const Chained = "\x00"

// NodeBytes is what a node of a tree takes in memory beside its name.
const NodeBytes = 136

// Chains reads a tree in preorder, and keeps nodes that have nothing but each other as one:
// folders stand deep, and most hold but one.
type Chains struct {
	Nodes []analyze.PathNode
	open  []openNode // from the root to the node that was read last
	read  int
	name  []byte // of the last node so far
}

// openNode is a node that others may stand below: as it was numbered, and where it is.
type openNode struct{ id, last, at int }

// Add adds a node. It is false where the node cannot stand behind the others.
func (c *Chains) Add(n *analyze.PathNode) (fits bool) {
	if n.ID != c.read || n.Last < n.ID || (n.Parent < 0) != (n.ID == 0) {
		return false
	}
	c.read++
	if n.ID > 0 {
		c.close(n.ID)
		if len(c.open) == 0 || c.open[len(c.open)-1].id != n.Parent || n.Last > c.open[len(c.open)-1].last {
			return false
		}
		above := &c.open[len(c.open)-1]
		if kept := &c.Nodes[above.at]; above.id > 0 && n.ID == above.id+1 && n.Last == above.last &&
			n.Functions == kept.Functions && !n.NoPath {
			c.name = append(append(c.name, Chained...), n.Name...)
			kept.Totals, above.id = n.Totals, n.ID
			return true
		}
		c.named()
	}
	c.name = append(c.name[:0], n.Name...)
	kept := *n
	kept.ID, kept.Parent, kept.Name = len(c.Nodes), -1, ""
	if len(c.open) > 0 {
		kept.Parent = c.open[len(c.open)-1].at
	}
	c.open = append(c.open, openNode{n.ID, n.Last, kept.ID})
	c.Nodes = append(c.Nodes, kept)
	return true
}

// named gives the last node its name.
func (c *Chains) named() { c.Nodes[len(c.Nodes)-1].Name = string(c.name) }

// close ends the nodes that end before an id.
func (c *Chains) close(id int) {
	for len(c.open) > 0 && c.open[len(c.open)-1].last < id {
		c.Nodes[c.open[len(c.open)-1].at].Last = len(c.Nodes) - 1
		c.open = c.open[:len(c.open)-1]
	}
}

// End ends the tree. It is false where nodes are missing.
func (c *Chains) End() (whole bool) {
	if len(c.Nodes) == 0 {
		return true
	}
	c.named()
	last := c.open[0].last
	c.close(last + 1)
	return c.read == last+1
}

// Chain is the name and the path of a chain's end, below a path.
func (t *Tree) Chain(above, parts string) (name, path string) {
	first, rest, more := strings.Cut(parts, Chained)
	path = t.Join(above, first)
	if !more {
		return first, path
	}
	from, separator := len(path)-len(first), t.separator()
	joined := append(make([]byte, 0, len(path)+len(rest)+len(separator)*(1+strings.Count(rest, Chained))), path...)
	for part := range strings.SplitSeq(rest, Chained) {
		if len(joined) > 0 && !(t.By == ByPath && joined[len(joined)-1] == '/') {
			joined = append(joined, separator...)
		}
		joined = append(joined, part...)
	}
	path = string(joined)
	return path[from:], path
}

// Step is a way from a node to one below: its first part, and what of a chain is below
// that.
type Step struct {
	At         int
	Part, Rest string
}

// Steps are the ways from a node, of whose chain so much is left, to those right below.
func (t *Tree) Steps(of int, rest string) []Step {
	if rest != "" {
		part, rest, _ := strings.Cut(rest, Chained)
		return []Step{{of, part, rest}}
	}
	kids := t.Kids(of)
	list := make([]Step, len(kids))
	for i, at := range kids {
		part, rest, _ := strings.Cut(t.Nodes[at].Name, Chained)
		list[i] = Step{at, part, rest}
	}
	return list
}

// Reached is the node that a step leads to: one within a chain is a folder without anything
// of its own.
func (t *Tree) Reached(s Step, name, path string) TreeNode {
	node := t.Node(s.At, name, path)
	if node.Rest = s.Rest; s.Rest == "" {
		return node
	}
	node.Kind, node.Filter = Branch, path
	if t.By == ByPath && !strings.HasSuffix(path, "/") {
		node.Filter += "/"
	}
	return node
}
