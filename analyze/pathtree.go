package analyze

import (
	"slices"
	"strings"
)

// PathTree adds records up by the file path in their names, in every folder of
// it. Both '/' and '\' separate; empty and "." parts are left out. Records
// whose name has no path are together in a node of their own.
//
// The zero value is ready. Memory is in proportion to the distinct paths.
type PathTree struct {
	nodes    []treeNode // [0] is the root
	ends     map[string]pathEnd
	children children
	last     pathEnd // of the path added last: the names of a file often stand together
	noPath   PathRef // 0 until there is one
	text     int     // bytes of the names that child made
	crowded  bool
}

// PathRef is a place in a tree under construction.
type PathRef int32

// maxPathDepth bounds the depth of the tree: what is deeper stays in one part.
const maxPathDepth = 64

// Totals are what a node adds up, over all records in and below it.
type Totals struct {
	Functions uint64 // records; those with a pseudo count are in no other figure
	Executed  uint64 // records with some counter above 0
	Counters  uint64
	Zero      uint64 // counters that are 0
	Total     Sum
}

func (t *Totals) add(s *Stats) {
	t.Functions++
	if s.Pseudo {
		return
	}
	if s.Executed() {
		t.Executed++
	}
	t.Counters += uint64(s.NumCounters)
	t.Zero += uint64(s.NumZero)
	t.Total.AddSum(s.Total)
}

func (t *Totals) addTotals(o *Totals) {
	t.Functions += o.Functions
	t.Executed += o.Executed
	t.Counters += o.Counters
	t.Zero += o.Zero
	t.Total.AddSum(o.Total)
}

// PathNode is a folder or file of a finished tree. Nodes are numbered in
// preorder from 0, the root; siblings by name bytes, the node without path last.
type PathNode struct {
	ID     int
	Parent int    // -1 for the root
	Last   int    // the last node below, ID itself for a leaf: below are ID+1 .. Last
	Depth  int    // 0 for the root
	Name   string // the last part; empty for the root and the node without path
	Path   string // all parts, with '/' between; it begins with '/' where the recorded path did
	NoPath bool   // the records whose name has no path
	Totals
}

type treeNode struct {
	path, name string // parts of the first path that led here
	kids       []PathRef
	own        Totals
}

// pathEnd says at which node a path, spelled as recorded, ends.
type pathEnd struct {
	path string
	ref  PathRef
}

// Add adds a record with the path in its name, empty when it has none, and
// returns where: [PathTree.Nodes] tells which node that became.
func (t *PathTree) Add(path []byte, s *Stats) PathRef {
	t.init()
	ref := t.find(path)
	t.nodes[ref].own.add(s)
	return ref
}

// init makes the root.
func (t *PathTree) init() {
	if t.nodes == nil {
		t.nodes = make([]treeNode, 1)
		t.ends = make(map[string]pathEnd)
	}
}

// find is the node of a path, made where it is new.
func (t *PathTree) find(path []byte) PathRef {
	if len(path) == 0 {
		if t.noPath == 0 {
			t.noPath = t.newNode(0, treeNode{})
		}
		return t.noPath
	}
	if string(path) == t.last.path {
		return t.last.ref
	}
	end, ok := t.ends[string(path)]
	if !ok {
		end.path = string(path)
		end.ref = t.insert(end.path)
		t.ends[end.path] = end
	}
	t.last = end
	return end.ref
}

// insert makes the nodes of a path that are not there yet.
func (t *PathTree) insert(recorded string) PathRef {
	path, ends := normalise(recorded)
	at, start := PathRef(0), 0
	for _, end := range ends {
		name := path[start:end]
		child, slot, tag := t.children.find(at, []byte(name))
		if child == 0 {
			child = t.newNode(at, treeNode{path: path[:end], name: name})
			t.children.add(childKey{name, at, child}, slot, tag)
		}
		at, start = child, end
		if start < len(path) && path[start] == '/' {
			start++
		}
	}
	return at
}

func (t *PathTree) newNode(parent PathRef, n treeNode) PathRef {
	ref := PathRef(len(t.nodes))
	t.nodes = append(t.nodes, n)
	t.nodes[parent].kids = append(t.nodes[parent].kids, ref)
	return ref
}

// normalise writes a path with single '/' between its parts, and tells where
// each part ends. The first part of an absolute path is "/".
func normalise(recorded string) (path string, ends []int) {
	isSeparator := func(r rune) bool { return r == '/' || r == '\\' }
	var b strings.Builder
	b.Grow(len(recorded))
	if isSeparator(rune(recorded[0])) {
		b.WriteByte('/')
		ends = append(ends, b.Len())
	}
	for rest := recorded; rest != ""; {
		rest = strings.TrimLeftFunc(rest, isSeparator)
		end := strings.IndexFunc(rest, isSeparator)
		if end < 0 || len(ends) == maxPathDepth-1 {
			end = len(rest)
		}
		if part := rest[:end]; part != "" && part != "." {
			if b.Len() > 1 || b.Len() == 1 && b.String() != "/" {
				b.WriteByte('/')
			}
			b.WriteString(part)
			ends = append(ends, b.Len())
		}
		rest = rest[end:]
	}
	if len(ends) == 0 { // nothing but "."
		return recorded, []int{len(recorded)}
	}
	if b.String() == recorded {
		return recorded, ends // share its memory
	}
	return b.String(), ends
}

// Nodes finishes the tree: its nodes in preorder, and for each PathRef that Add
// returned the ID of its node. There is always a root.
func (t *PathTree) Nodes() (nodes []PathNode, ids []int) {
	if t.nodes == nil {
		return []PathNode{{Parent: -1}}, nil
	}
	b := treeBuilder{tree: t, nodes: make([]PathNode, 0, len(t.nodes)), ids: make([]int, len(t.nodes))}
	b.visit(0, -1)
	return b.nodes, b.ids
}

type treeBuilder struct {
	tree  *PathTree
	nodes []PathNode
	ids   []int
}

// visit numbers a node and all below it; the depth of the tree is bounded.
func (b *treeBuilder) visit(ref PathRef, parent int) {
	from := &b.tree.nodes[ref]
	id := len(b.nodes)
	b.ids[ref] = id
	node := PathNode{
		ID: id, Parent: parent, Name: from.name, Path: from.path, Totals: from.own, NoPath: ref != 0 && ref == b.tree.noPath,
	}
	if parent >= 0 {
		node.Depth = b.nodes[parent].Depth + 1
	}
	b.nodes = append(b.nodes, node)
	slices.SortFunc(from.kids, b.tree.compare)
	for _, kid := range from.kids {
		b.visit(kid, id)
	}
	b.nodes[id].Last = len(b.nodes) - 1
	if parent >= 0 {
		b.nodes[parent].addTotals(&b.nodes[id].Totals)
	}
}

func (t *PathTree) compare(x, y PathRef) int {
	switch {
	case x == t.noPath:
		return 1
	case y == t.noPath:
		return -1
	}
	return strings.Compare(t.nodes[x].name, t.nodes[y].name)
}
