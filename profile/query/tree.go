package query

import (
	"cmp"
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

	Nodes []analyze.PathNode // preorder, the root first
	Total analyze.Sum        // of the profile
}

// TreeNode is a node, or a chain of nodes that have nothing but each other.
type TreeNode struct {
	Kind NodeKind `col:"kind" width:"6"`
	Name string   // one part, or those of the chain; empty for the root, a Direct and a None
	Path string   `col:"path"` // of the last node of the chain; empty for the root
	// Filter selects the node's functions as FunctionQuery.Path or Scope. It is
	// empty where it would select all.
	Filter string `col:"filter"`
	analyze.Totals
	Share float64 // of the profile's total

	At   int    // in Tree.Nodes; -1 for a Direct
	Rest string // of the chain that stands there: what is below this node
}

// Is is the node's kind.
func (n TreeNode) Is() NodeKind { return n.Kind }

// Root is all functions.
func (t *Tree) Root() TreeNode { return t.Node(0, "", "") }

// Find is the node of a path, and those above it from below the root; ok is
// false when there is none. An empty path is the root. A path may be written
// in any way that leads there, a namespace with "::" at its end.
func (t *Tree) Find(path string) (node TreeNode, above []TreeNode, ok bool) {
	if path == t.noneFilter() {
		for _, at := range t.Kids(0) {
			if t.Nodes[at].NoPath {
				return t.Node(at, "", ""), nil, true
			}
		}
		return node, nil, false
	}
	if t.By == ByPath {
		path = analyze.CleanPath(path)
	} else {
		path = strings.TrimSuffix(path, ScopeSeparator)
	}
	node = t.Root()
	for node.Path != path {
		next, found := t.towards(node, path)
		if !found {
			return TreeNode{}, nil, false
		}
		if node.At != 0 {
			above = append(above, node)
		}
		node = next
	}
	return node, above, true
}

// Within tests nodes for a path or namespace and all below, or with the end of
// what is directly in it behind, for it alone.
func (t *Tree) Within(path string) func(node uint32) bool {
	node, _, ok := t.Find(path)
	if !ok {
		return func(uint32) bool { return false }
	}
	first, last := uint32(node.At), uint32(t.Nodes[node.At].Last)
	if strings.HasSuffix(path, t.End()) {
		last = first
	}
	return func(node uint32) bool { return node >= first && node <= last }
}

// towards is the child of a node on the way to a path.
func (t *Tree) towards(from TreeNode, path string) (next TreeNode, ok bool) {
	for _, step := range t.Steps(from.At, from.Rest) {
		if t.Nodes[step.At].NoPath {
			continue
		}
		child := t.Join(from.Path, step.Part)
		if child == path {
			return t.Reached(step, step.Part, child), true
		}
		rest, below := strings.CutPrefix(path, child)
		if below && !ok && (strings.HasSuffix(child, "/") || strings.HasPrefix(rest, t.separator())) {
			next, ok = t.Reached(step, step.Part, child), true
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
	if of.Rest != "" {
		return []TreeNode{t.folded(of.At, of.Path, of.Rest)}
	}
	var list, last []TreeNode
	direct := of.Totals
	for _, at := range t.Kids(of.At) {
		direct.Sub(&t.Nodes[at].Totals)
		if t.Nodes[at].NoPath {
			last = append(last, t.Node(at, "", ""))
			continue
		}
		list = append(list, t.folded(at, of.Path, t.Nodes[at].Name))
	}
	slices.SortFunc(list, func(a, b TreeNode) int {
		return cmp.Or(b.Total.Compare(a.Total), cmp.Compare(b.Functions, a.Functions), strings.Compare(a.Name, b.Name))
	})
	if direct.Functions > 0 {
		d := TreeNode{Kind: Direct, Path: of.Path, Totals: direct, Share: Share(direct.Total, t.Total), At: -1}
		if of.Path != "" {
			d.Filter = of.Path + t.End()
		}
		list = append(list, d)
	}
	return append(list, last...)
}

// folded is what a step of these parts leads to from the node at path, together with the
// chain of only children below it.
func (t *Tree) folded(at int, path, parts string) TreeNode {
	name, path := t.Chain(path, parts)
	for {
		kids := t.Kids(at)
		if len(kids) != 1 || t.Nodes[kids[0]].Functions != t.Nodes[at].Functions {
			return t.Node(at, name, path)
		}
		at = kids[0]
		below, end := t.Chain(path, t.Nodes[at].Name)
		name, path = t.Join(name, below), end
	}
}

// Node is a node that stands at a path by a name.
func (t *Tree) Node(at int, name, path string) TreeNode {
	n := &t.Nodes[at]
	node := TreeNode{Kind: Branch, Name: name, Path: path, Totals: n.Totals, Share: Share(n.Total, t.Total), At: at}
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

// Kids are the nodes right below a node.
func (t *Tree) Kids(of int) []int {
	var list []int
	for at := of + 1; at <= t.Nodes[of].Last; at = t.Nodes[at].Last + 1 {
		list = append(list, at)
	}
	return list
}

// ScopeSeparator stands between the parts of a namespace.
const ScopeSeparator = "::"

func (t *Tree) separator() string {
	if t.By == ByNamespace {
		return ScopeSeparator
	}
	return "/"
}

// Join is the path of a part below a path.
func (t *Tree) Join(path, name string) string {
	if t.By == ByPath {
		return analyze.JoinPath(path, name)
	}
	if path == "" {
		return name
	}
	return path + ScopeSeparator + name
}

// End closes the filter of what is directly at a path.
func (t *Tree) End() string {
	if t.By == ByNamespace {
		return ScopeSeparator
	}
	return ";"
}

func (t *Tree) noneFilter() string { return t.End() }

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
	for _, kid := range t.Kids(at) {
		below += t.Nodes[kid].Functions
	}
	if below < t.Nodes[at].Functions {
		return ""
	}
	return "/"
}

// Share is a part of a whole, 0 of nothing.
func Share(part, whole analyze.Sum) float64 {
	if whole.IsZero() {
		return 0
	}
	return part.Float64() / whole.Float64()
}

// Bytes is the memory of the tree's nodes, about.
func (t *Tree) Bytes() int64 {
	size := int64(len(t.Nodes)) * NodeBytes
	for i := range t.Nodes {
		size += int64(len(t.Nodes[i].Name))
	}
	return size
}

// Fits reports whether a node can stand behind others in preorder, as far as it
// says itself.
func (t *Tree) Fits(n *analyze.PathNode) bool {
	return n.ID == len(t.Nodes) && n.Parent < n.ID && n.Last >= n.ID && (n.Parent < 0) == (n.ID == 0) &&
		(n.Parent < 0 || n.Last <= t.Nodes[n.Parent].Last)
}

// Whole reports whether the nodes are one tree, all of whose nodes fit.
func (t *Tree) Whole() bool { return len(t.Nodes) > 0 && t.Nodes[0].Last == len(t.Nodes)-1 }
