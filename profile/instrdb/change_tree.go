package instrdb

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/table"
)

// ChangeTree is the trees of two profiles put on each other.
type ChangeTree struct {
	By      query.TreeBy
	Crowded bool           // one of them is, see Tree
	trees   [2]*query.Tree // base, test
}

// ChangeNode is a node that one tree has or both have, or a chain of nodes that
// have nothing but each other in either.
type ChangeNode struct {
	Kind query.NodeKind `col:"kind" width:"6"`
	Name string         // one part, or those of the chain
	Path string         `col:"path"`
	// Filter selects the node's records as the Path or Scope of a CompareQuery's Names.
	Filter    string         `col:"filter"`
	Change    float64        `col:"change" width:"9" is:"signed,part"` // TestShare minus BaseShare
	BaseShare float64        `col:"base_share" width:"10" is:"part"`   // of the profile's total
	TestShare float64        `col:"test_share" width:"10" is:"part"`
	Base      analyze.Totals // nothing in a profile that lacks the node
	Test      analyze.Totals
	_         column `col:"base_total" width:"20"`
	_         column `col:"test_total" width:"20"`
	_         column `col:"base_functions" width:"14"`
	_         column `col:"test_functions" width:"14"`
	_         column `col:"base_executed" width:"13"`
	_         column `col:"test_executed" width:"13"`

	at treePlaces
}

// Cell implements [table.Celler].
func (n *ChangeNode) Cell(column string, _ *table.Options) table.Cell {
	t := &n.Test
	figure, base := strings.CutPrefix(column, "base_")
	if base {
		t = &n.Base
	}
	switch strings.TrimPrefix(figure, "test_") {
	case "total":
		return table.SumCount(t.Total)
	case "functions":
		return table.Count(t.Functions)
	}
	return table.Count(t.Executed)
}

var changeNodes = table.Declare[ChangeNode](table.Declaration{
	Text: "change base_share test_share base_functions test_functions path",
})

// Table is the table of the nodes right below one, in their order.
func (t *ChangeTree) Table(below ChangeNode, o table.Options) table.Table {
	set := table.Set{Rows: t.Children(below), By: t.By, Below: &below}
	if t.Crowded {
		set.Members = []byte(`,"crowded":true`)
	}
	return changeNodes.Whole(set, o)
}

// treePlaces are where a node stands in the trees.
type treePlaces [2]treePlace

// treePlace is where a node stands in a tree: its number, absent for none, and what of the chain
// there is below it.
type treePlace struct {
	at   int
	rest string
}

const absent = -1

// nowhere is what neither tree has.
var nowhere = treePlaces{{at: absent}, {at: absent}}

// Tree adds both profiles up by path or namespace. It waits until all names are
// read: a comparison shows no half results. Errors are those of Profile.Tree.
func (c *Comparison) Tree(ctx context.Context, by query.TreeBy, rules []analyze.Rewrite) (*ChangeTree, error) {
	t := &ChangeTree{By: by}
	for side, p := range []*Profile{c.Base, c.Test} {
		for {
			tree, err := p.Tree(ctx, by, rules)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			if tree.Complete {
				t.trees[side], t.Crowded = tree, t.Crowded || tree.Crowded
				break
			}
		}
	}
	return t, nil
}

// Find is the node of a path in either tree, and the nodes above it from below
// the root; ok is false when neither has it. An empty path is the root.
func (t *ChangeTree) Find(path string) (node ChangeNode, above []query.TreeNode, ok bool) {
	at := nowhere
	var found query.TreeNode
	for side, tree := range t.trees {
		n, up, has := tree.Find(path)
		if !has {
			continue
		}
		at[side] = treePlace{n.At, n.Rest}
		if !ok {
			found, above, ok = n, up, true
		}
	}
	if !ok {
		return ChangeNode{}, nil, false
	}
	return t.node(at, found.Name, found.Path), above, true
}

// Children are the nodes below a node, the largest change of either sign first,
// with chains folded; what is directly in the node and what is in none come
// last.
func (t *ChangeTree) Children(of ChangeNode) []ChangeNode {
	if of.Kind != query.Branch {
		return nil
	}
	kids, none := t.kids(of.at)
	direct := ChangeNode{Kind: query.Direct, Path: of.Path, Base: of.Base, Test: of.Test, at: nowhere}
	var list []ChangeNode
	for name, at := range kids {
		t.subtract(&direct, at)
		list = append(list, t.folded(at, name, t.trees[0].Join(of.Path, name)))
	}
	slices.SortFunc(list, func(a, b ChangeNode) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)),
			cmp.Compare(b.BaseShare+b.TestShare, a.BaseShare+a.TestShare),
			strings.Compare(a.Name, b.Name))
	})
	t.subtract(&direct, none)
	if direct.Base.Functions+direct.Test.Functions > 0 {
		if of.Path != "" {
			direct.Filter = of.Path + t.trees[0].End()
		}
		t.measure(&direct)
		list = append(list, direct)
	}
	if none != nowhere {
		list = append(list, t.node(none, "", ""))
	}
	return list
}

// kids are the nodes right below one by name, and the node of what is in none.
func (t *ChangeTree) kids(of treePlaces) (kids map[string]treePlaces, none treePlaces) {
	kids, none = map[string]treePlaces{}, nowhere
	for side, tree := range t.trees {
		if of[side].at == absent {
			continue
		}
		for _, step := range tree.Steps(of[side].at, of[side].rest) {
			at := treePlace{step.At, step.Rest}
			if tree.Nodes[step.At].NoPath {
				none[side] = at
				continue
			}
			both, ok := kids[step.Part]
			if !ok {
				both = nowhere
			}
			both[side] = at
			kids[step.Part] = both
		}
	}
	return kids, none
}

// folded is a node together with the chain of only children below it.
func (t *ChangeTree) folded(at treePlaces, name, path string) ChangeNode {
	for {
		kids, _ := t.kids(at)
		if len(kids) != 1 {
			return t.node(at, name, path)
		}
		for below, kid := range kids {
			for side, tree := range t.trees {
				if at[side].at != absent && (kid[side].at == absent ||
					tree.Nodes[kid[side].at].Functions != tree.Nodes[at[side].at].Functions) {
					return t.node(at, name, path)
				}
			}
			at, name, path = kid, t.trees[0].Join(name, below), t.trees[0].Join(path, below)
		}
	}
}

func (t *ChangeTree) node(at treePlaces, name, path string) ChangeNode {
	n := ChangeNode{Name: name, Path: path, at: at}
	for side, tree := range t.trees {
		if at[side].at == absent {
			continue
		}
		of := tree.Reached(query.Step{At: at[side].at, Rest: at[side].rest}, name, path)
		switch {
		case n.Kind == "":
			n.Kind, n.Filter = of.Kind, of.Filter
		case n.Filter != of.Filter: // a file in one and a folder in the other
			n.Kind, n.Filter = query.Branch, path
		case of.Kind == query.Branch:
			n.Kind = query.Branch
		}
		*n.side(side) = of.Totals
	}
	t.measure(&n)
	return n
}

func (n *ChangeNode) side(side int) *analyze.Totals {
	if side == 0 {
		return &n.Base
	}
	return &n.Test
}

func (t *ChangeTree) subtract(n *ChangeNode, at treePlaces) {
	for side, tree := range t.trees {
		if at[side].at != absent {
			n.side(side).Sub(&tree.Nodes[at[side].at].Totals)
		}
	}
}

func (t *ChangeTree) measure(n *ChangeNode) {
	n.BaseShare, n.TestShare = query.Share(n.Base.Total, t.trees[0].Total), query.Share(n.Test.Total, t.trees[1].Total)
	if n.Change = n.TestShare - n.BaseShare; math.Abs(n.Change) <= closeShares*max(n.BaseShare, n.TestShare) {
		n.Change = 0
	}
}
