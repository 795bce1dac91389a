package tables

import (
	"context"
	"fmt"
	"math"

	"proflens/profile/query"
	"proflens/profile/table"
)

// Nested is a node of a tree at its depth below the one asked for, from 1; 0 is
// that one itself.
type Nested[N any] struct {
	Node  N
	Depth int
}

// nestedColumns are what all trees have.
func nestedColumns[N any](of func(*N) *query.TreeNode) []table.Column[Nested[N]] {
	return []table.Column[Nested[N]]{
		{"depth", 5, func(n *Nested[N]) table.Cell { return table.Int(uint64(n.Depth)) }},
		{"kind", 6, func(n *Nested[N]) table.Cell { return table.Text(string(of(&n.Node).Kind)) }},
		{"path", 0, func(n *Nested[N]) table.Cell { return table.Text(of(&n.Node).Path) }},
		{"filter", 0, func(n *Nested[N]) table.Cell { return table.Text(of(&n.Node).Filter) }},
	}
}

// nestedTable is a table of nodes below one; more adds to the envelope.
func nestedTable[N any](columns []table.Column[Nested[N]], text []string, below Nested[N], nodes []Nested[N],
	by query.TreeBy, more func([]byte) []byte, o table.Options) table.Table {
	return &table.List[Nested[N]]{
		Columns: columns, Text: text, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (table.Step[Nested[N]], error) {
			from := min(offset, len(nodes))
			return table.Step[Nested[N]]{Rows: nodes[from:min(len(nodes), from+limit)], Total: len(nodes)}, ctx.Err()
		},
		More: func(b []byte, columns []table.Column[Nested[N]]) []byte {
			b = table.AppendObject(fmt.Appendf(b, `,"by":"%s","node":`, by), columns, o.Quote, &below)
			if more != nil {
				b = more(b)
			}
			return b
		},
	}
}

// Below is the nodes below one, in preorder, down to a number of levels. sort
// orders the children of a node; nil leaves them as the tree has them.
func Below[N any](children func(of N) []N, of N, levels int, sort func([]N)) []Nested[N] {
	var nodes []Nested[N]
	var walk func(of N, depth int)
	walk = func(of N, depth int) {
		if depth > levels {
			return
		}
		kids := children(of)
		if sort != nil {
			sort(kids)
		}
		for _, n := range kids {
			nodes = append(nodes, Nested[N]{n, depth})
			walk(n, depth+1)
		}
	}
	walk(of, 1)
	return nodes
}

// leaves are the nodes at one or below it that are no branches.
func leaves[N any](children func(of N) []N, kind func(N) query.NodeKind, of N, sort func([]N)) []Nested[N] {
	if kind(of) != query.Branch {
		return []Nested[N]{{Node: of}}
	}
	nodes := Below(children, of, math.MaxInt, sort)
	kept := nodes[:0]
	for _, n := range nodes {
		if kind(n.Node) != query.Branch {
			kept = append(kept, n)
		}
	}
	return kept
}
