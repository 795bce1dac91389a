package tables

import (
	"context"
	"fmt"
	"math"
	"slices"

	"proflens/store"
)

// MIPNode is a node at its depth below the one asked for, from 1; 0 is that one
// itself.
type MIPNode struct {
	store.MIPNode
	Depth int
	whole uint64 // bytes of the profile
}

var mipNodeColumns = []Column[MIPNode]{
	{"depth", 5, func(n *MIPNode) Cell { return Int(uint64(n.Depth)) }},
	{"kind", 6, func(n *MIPNode) Cell { return Text(string(n.Kind)) }},
	{"path", 0, func(n *MIPNode) Cell { return Text(n.Path) }},
	{"filter", 0, func(n *MIPNode) Cell { return Text(n.Filter) }},
	{"functions", 9, func(n *MIPNode) Cell { return Count(n.Functions) }},
	{"executed", 9, func(n *MIPNode) Cell { return Count(n.Executed) }},
	{"never", 9, func(n *MIPNode) Cell { return Count(n.Functions - n.Executed) }},
	{"executed_share", 14, func(n *MIPNode) Cell { return Ratio(PartOf(n.Executed, n.Functions)) }},
	{"bytes", 12, func(n *MIPNode) Cell { return Count(n.Bytes) }},
	{"executed_bytes", 14, func(n *MIPNode) Cell { return Count(n.ExecutedBytes) }},
	{"never_bytes", 12, func(n *MIPNode) Cell { return Count(n.Bytes - n.ExecutedBytes) }},
	{"covered_bytes", 13, func(n *MIPNode) Cell { return Count(n.CoveredBytes) }},
	{"covered_share", 14, func(n *MIPNode) Cell { return Ratio(PartOf(n.CoveredBytes, n.Bytes)) }},
	{"blocks", 9, func(n *MIPNode) Cell { return Count(n.Blocks) }},
	{"covered_blocks", 14, func(n *MIPNode) Cell { return Count(n.CoveredBlocks) }},
	{"call_count", 20, func(n *MIPNode) Cell { return BigCount(n.Calls.String()) }},
	{"share", 14, func(n *MIPNode) Cell { return Ratio(PartOf(n.Bytes, n.whole)) }},
}

// mipNodeText fits a terminal.
var mipNodeText = []string{"functions", "executed", "bytes", "covered_bytes", "blocks", "covered_blocks", "path"}

// MIPTree is a table of nodes below one of a tree of functions of machine IR.
func MIPTree(t *store.MIPTree, below store.MIPNode, nodes []MIPNode, o Options) Table {
	root := t.Root()
	for i := range nodes {
		nodes[i].whole = root.Bytes
	}
	return &List[MIPNode]{
		Columns: mipNodeColumns, Text: mipNodeText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[MIPNode], error) {
			from := min(offset, len(nodes))
			return Step[MIPNode]{Rows: nodes[from:min(len(nodes), from+limit)], Total: len(nodes)}, ctx.Err()
		},
		More: func(b []byte, columns []Column[MIPNode]) []byte {
			b = fmt.Appendf(b, `,"by":"%s","node":`, t.By)
			b = AppendObject(b, columns, o.Quote, &MIPNode{MIPNode: below, whole: root.Bytes})
			return fmt.Appendf(b, `,"all":%d,"complete":true`, root.Functions)
		},
	}
}

// MIPBelow is the nodes below one, in preorder, down to a number of levels. sort
// orders the children of a node; nil leaves the most bytes first.
func MIPBelow(t *store.MIPTree, of store.MIPNode, levels int, sort func([]store.MIPNode)) []MIPNode {
	var nodes []MIPNode
	var walk func(of store.MIPNode, depth int)
	walk = func(of store.MIPNode, depth int) {
		if depth > levels {
			return
		}
		children := t.Children(of)
		if sort != nil {
			sort(children)
		}
		for _, n := range children {
			nodes = append(nodes, MIPNode{MIPNode: n, Depth: depth})
			walk(n, depth+1)
		}
	}
	walk(of, 1)
	return nodes
}

// MIPLeaves is the namespaces or files that have functions at a node or below
// it, each with its own alone, as MIPBelow orders them.
func MIPLeaves(t *store.MIPTree, of store.MIPNode, sort func([]store.MIPNode)) []MIPNode {
	if of.Kind != store.Branch {
		return []MIPNode{{MIPNode: of}}
	}
	return slices.DeleteFunc(MIPBelow(t, of, math.MaxInt, sort), func(n MIPNode) bool { return n.Kind == store.Branch })
}

func openMIPCoverage(by store.TreeBy) func(context.Context, Profile, Options) (Table, error) {
	return func(ctx context.Context, p Profile, o Options) (Table, error) {
		t, err := p.MIPTree(ctx, by)
		if err != nil {
			return nil, err
		}
		return MIPTree(t, t.Root(), MIPLeaves(t, t.Root(), nil), o), nil
	}
}
