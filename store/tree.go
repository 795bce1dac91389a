package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"proflens/analyze"
)

// TreeBy says what a tree is made of.
type TreeBy string

// The trees of a profile.
const (
	ByPath      TreeBy = "path"      // the file paths in names
	ByNamespace TreeBy = "namespace" // what functions stand in, see names.Scopes
)

// NodeKind says what stands at a node.
type NodeKind string

// The kinds of nodes.
const (
	Branch NodeKind = "branch" // has nodes below it
	Leaf   NodeKind = "leaf"   // a file, or a namespace without others in it
	Direct NodeKind = "direct" // the functions of a branch that are in no node below it
	None   NodeKind = "none"   // names without a path, or in no namespace
)

// Tree is a profile's functions added up by path or namespace. It is shared: do
// not change it.
type Tree struct {
	By       TreeBy
	All      int  // records of the profile
	Scanned  int  // records that the tree holds so far
	Complete bool // false when making it used up its time, or the profile is still being stored; ask again to go on
	Crowded  bool // there were too many nodes: what has none is at the nearest above

	nodes []analyze.PathNode // preorder, the root first
	total analyze.Sum        // of the profile
}

// TreeNode is a node, or a chain of nodes that have nothing but each other.
type TreeNode struct {
	Kind NodeKind
	Name string // one part, or those of the chain; empty for the root, a Direct and a None
	Path string // of the last node of the chain; empty for the root
	// Filter selects the node's functions as FunctionQuery.Path or Scope. It is
	// empty where it would select all.
	Filter string
	analyze.Totals
	Share float64 // of the profile's total

	at int
}

// Tree adds the profile's functions up. Trees by path are stored; rules rewrite
// them. Those by namespace take demangling all names: that goes on for a budget
// of time, with each call. Errors are the context's, or about the file.
func (p *Profile) Tree(ctx context.Context, by TreeBy, rules []analyze.Rewrite) (*Tree, error) {
	if by == ByNamespace {
		s, err := p.scopes(ctx)
		if err != nil {
			return nil, err
		}
		return s.tree, nil
	}
	return p.pathTree(ctx, rules)
}

// Root is all functions.
func (t *Tree) Root() TreeNode { return t.node(0, "", "") }

// Find is the node of a path, and those above it from below the root; ok is
// false when there is none. An empty path is the root. A path may be written
// in any way that leads there, a namespace with "::" at its end.
func (t *Tree) Find(path string) (node TreeNode, above []TreeNode, ok bool) {
	if path == t.noneFilter() {
		for _, at := range t.kids(0) {
			if t.nodes[at].NoPath {
				return t.node(at, "", ""), nil, true
			}
		}
		return node, nil, false
	}
	if t.By == ByPath {
		path = analyze.CleanPath(path)
	} else {
		path = strings.TrimSuffix(path, scopeSeparator)
	}
	node = t.Root()
	for node.Path != path {
		next, found := t.towards(node, path)
		if !found {
			return TreeNode{}, nil, false
		}
		if node.at != 0 {
			above = append(above, node)
		}
		node = next
	}
	return node, above, true
}

// towards is the child of a node on the way to a path.
func (t *Tree) towards(from TreeNode, path string) (next TreeNode, ok bool) {
	for _, at := range t.kids(from.at) {
		n := &t.nodes[at]
		if n.NoPath {
			continue
		}
		child := t.join(from.Path, n.Name)
		if child == path {
			return t.node(at, n.Name, child), true
		}
		rest, below := strings.CutPrefix(path, child)
		if below && !ok && (strings.HasSuffix(child, "/") || strings.HasPrefix(rest, t.separator())) {
			next, ok = t.node(at, n.Name, child), true
		}
	}
	return next, ok
}

// Children are the nodes below a node, by total, functions and name, the
// largest first, with chains folded; what is directly in the node and what is
// in none come last.
func (t *Tree) Children(of TreeNode) []TreeNode {
	if of.Kind != Branch {
		return nil
	}
	var list, last []TreeNode
	direct := of.Totals
	for _, at := range t.kids(of.at) {
		direct.Sub(&t.nodes[at].Totals)
		if t.nodes[at].NoPath {
			last = append(last, t.node(at, "", ""))
			continue
		}
		list = append(list, t.folded(at, of.Path))
	}
	slices.SortFunc(list, func(a, b TreeNode) int {
		return cmp.Or(b.Total.Compare(a.Total), cmp.Compare(b.Functions, a.Functions), strings.Compare(a.Name, b.Name))
	})
	if direct.Functions > 0 {
		d := TreeNode{Kind: Direct, Path: of.Path, Totals: direct, Share: share(direct.Total, t.total), at: -1}
		if of.Path != "" {
			d.Filter = of.Path + t.end()
		}
		list = append(list, d)
	}
	return append(list, last...)
}

// folded is a child of the node at path, together with the chain of only
// children below it.
func (t *Tree) folded(at int, path string) TreeNode {
	name := t.nodes[at].Name
	path = t.join(path, name)
	for {
		kids := t.kids(at)
		if len(kids) != 1 || t.nodes[kids[0]].Functions != t.nodes[at].Functions {
			return t.node(at, name, path)
		}
		at = kids[0]
		name, path = t.join(name, t.nodes[at].Name), t.join(path, t.nodes[at].Name)
	}
}

func (t *Tree) node(at int, name, path string) TreeNode {
	n := &t.nodes[at]
	node := TreeNode{Kind: Branch, Name: name, Path: path, Totals: n.Totals, Share: share(n.Total, t.total), at: at}
	switch {
	case n.NoPath:
		node.Kind, node.Filter = None, t.noneFilter()
	case n.Last == at && at != 0:
		node.Kind, node.Filter = Leaf, path+t.leafEnd()
	case at != 0:
		node.Filter = path + t.branchEnd(at, path)
	}
	return node
}

// kids are the nodes right below a node.
func (t *Tree) kids(of int) []int {
	var list []int
	for at := of + 1; at <= t.nodes[of].Last; at = t.nodes[at].Last + 1 {
		list = append(list, at)
	}
	return list
}

const scopeSeparator = "::"

func (t *Tree) separator() string {
	if t.By == ByNamespace {
		return scopeSeparator
	}
	return "/"
}

func (t *Tree) join(path, name string) string {
	if t.By == ByPath {
		return analyze.JoinPath(path, name)
	}
	if path == "" {
		return name
	}
	return path + scopeSeparator + name
}

// end closes the filter of what is directly at a path.
func (t *Tree) end() string {
	if t.By == ByNamespace {
		return scopeSeparator
	}
	return ";"
}

func (t *Tree) noneFilter() string { return t.end() }

func (t *Tree) leafEnd() string {
	if t.By == ByNamespace {
		return ""
	}
	return ";"
}

// branchEnd closes the filter of a folder. One that is a file too is left open:
// it has no end of its own.
func (t *Tree) branchEnd(at int, path string) string {
	if t.By == ByNamespace || strings.HasSuffix(path, "/") {
		return ""
	}
	var below uint64
	for _, kid := range t.kids(at) {
		below += t.nodes[kid].Functions
	}
	if below < t.nodes[at].Functions {
		return ""
	}
	return "/"
}
