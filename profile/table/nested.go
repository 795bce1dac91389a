package table

import (
	"math"

	"proflens/profile/query"
)

// Nested is a node of a tree at its depth below the one asked for, from 1; 0 is
// that one itself.
type Nested[N any] struct {
	Depth int `col:"depth" width:"5"`
	Node  N   `col:"node" as:"!"`
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
			nodes = append(nodes, Nested[N]{depth, n})
			walk(n, depth+1)
		}
	}
	walk(of, 1)
	return nodes
}

// Leaves are the nodes at one or below it that are no branches, as Below orders them: the files
// or namespaces that have something, each with its own alone.
func Leaves[N interface{ Is() query.NodeKind }](children func(of N) []N, of N, sort func([]N)) []Nested[N] {
	if of.Is() != query.Branch {
		return []Nested[N]{{Node: of}}
	}
	nodes := Below(children, of, math.MaxInt, sort)
	kept := nodes[:0]
	for _, n := range nodes {
		if n.Node.Is() != query.Branch {
			kept = append(kept, n)
		}
	}
	return kept
}

// NodeRows are the rows that are made of nodes, whatever their depth.
func NodeRows[N, R any](nodes []N, row func(Nested[N]) R) []R {
	rows := make([]R, len(nodes))
	for i, n := range nodes {
		rows[i] = row(Nested[N]{Node: n})
	}
	return rows
}

// Tree is the table of nodes below one, which the envelope of JSON has too, with what the tree
// is by; around is what else stands there, nil for nothing. row makes the rows.
func Tree[N, R any](d *Declaration, by query.TreeBy, below N, nodes []Nested[N], row func(Nested[N]) R, around any,
	o Options) Table {
	rows := make([]R, len(nodes))
	for i, n := range nodes {
		rows[i] = row(n)
	}
	of := row(Nested[N]{Node: below})
	return d.Whole(Set{Rows: rows, Sorted: true, By: by, Below: &of, Around: around}, o)
}
