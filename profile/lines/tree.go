package lines

import "proflens/analyze/sources"

// Node is a directory or a file of a table, with its figures.
type Node struct {
	*sources.Dir
	Sums []uint64 // by column; of a directory 0 where Column.Shared
	Kids []*Node
}

// Tree is the files of the table by directory; Dir.File is an index of Files.
func (t *Table) Tree() *Node {
	names := make([]string, len(t.Files))
	for i := range t.Files {
		names[i] = t.Files[i].Name
	}
	return t.node(sources.Tree(names))
}

func (t *Table) node(d *sources.Dir) *Node {
	n := &Node{Dir: d, Sums: make([]uint64, len(t.Columns))}
	if d.File >= 0 {
		n.Sums = t.Files[d.File].Sums
	}
	for _, kid := range d.Kids {
		below := t.node(kid)
		n.Kids = append(n.Kids, below)
		for c, v := range below.Sums {
			if !t.Columns[c].Shared {
				n.Sums[c] = plus(n.Sums[c], v)
			}
		}
	}
	return n
}
