package covdb

import (
	"context"
	"slices"
	"strings"

	"proflens/analyze/sources"
	"proflens/profile/budget"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Node is a directory or a file of the tree. A directory that has nothing but another
// stands with it as one, "a/b".
type Node struct {
	Name  string       // below the node above
	Path  string       // as File.Path; empty for the root
	File  *File        // nil for a directory
	Files int          // at or below
	Kind  sources.Kind // of a directory that of all its files, or else one's own
	Sums
	kids []*Node
}

// TreeQuery asks for what is in a directory.
type TreeQuery struct {
	Union         bool           // lines, regions and branches as the union of instances
	Sort          []query.Key    // empty is missing lines, descending; ties end by name
	Without       []sources.Kind // that are left out
	Offset, Limit int            // of the children
}

// TreePage is a directory and one page of what is in it.
type TreePage struct {
	Node     *Node
	Above    []*Node // from the root down to the one it is in
	Children []*Node
	Matching int // children
}

// Tree is a directory by its path, empty for the root. Errors are stored.ErrNoPart for
// one that there is not, a *query.ColumnError, or the context's.
func (p *Profile) Tree(ctx context.Context, dir string, q TreeQuery) (*TreePage, error) {
	root, err := p.tree(ctx, q.Without)
	if err != nil {
		return nil, err
	}
	page := &TreePage{Node: root}
	for wanted := strings.Trim(dir, "/"); page.Node.Path != wanted; {
		next := slices.IndexFunc(page.Node.kids, func(k *Node) bool {
			return k.File == nil && (k.Path == wanted || strings.HasPrefix(wanted, k.Path+"/") ||
				strings.HasPrefix(k.Path, wanted+"/"))
		})
		if next < 0 || wanted == "" {
			return nil, stored.ErrNoPart
		}
		page.Above = append(page.Above, page.Node)
		page.Node = page.Node.kids[next]
		if strings.HasPrefix(page.Node.Path, wanted+"/") {
			break // within a chain that stands as one
		}
	}
	kids := page.Node.kids
	ids := query.All(len(kids))
	figures := make([]*Sums, len(kids))
	for i := range kids {
		figures[i] = &kids[i].Sums
	}
	value := sums.Values(figures)
	err = query.Sort(ctx, ids, order(q.Sort, q.Union), func(c query.Column) (query.Value, error) {
		switch c {
		case "name":
			return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
		case "kind":
			return query.Ranked(len(kids), func(a, b uint32) int { return kids[a].Kind.Compare(&kids[b].Kind) }), nil
		}
		return value(c)
	})
	page.Matching = len(ids)
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		page.Children = append(page.Children, kids[i])
	}
	return page, err
}

// treeBytes is what a file takes in the tree, with the directory that it may be alone in.
const treeBytes = 1200

// tree is all directories and files, but for some kinds.
func (p *Profile) tree(ctx context.Context, without []sources.Kind) (*Node, error) {
	key := query.CacheKey("coverage tree", without, p.without)
	return stored.Cached(ctx, p.Profile, key, func() (*Node, int64, error) {
		if err := budget.Take(ctx, int64(len(p.files))*treeBytes); err != nil {
			return nil, 0, err
		}
		var paths []string
		var files []*File
		for i := range p.files {
			if f := &p.files[i]; !slices.Contains(without, f.Kind) {
				paths, files = append(paths, f.Path), append(files, f)
			}
		}
		return node(sources.Tree(paths), files), int64(len(p.files)) * treeBytes, nil
	})
}

// node is a directory or a file with its figures.
func node(d *sources.Dir, files []*File) *Node {
	n := &Node{Name: d.Name, Path: d.Path, Files: d.Files}
	if d.File >= 0 {
		n.File = files[d.File]
		n.Sums, n.Kind = n.File.Sums, n.File.Kind
	}
	for i, kid := range d.Kids {
		below := node(kid, files)
		if i == 0 {
			n.Kind = below.Kind
		} else if n.Kind != below.Kind {
			n.Kind = sources.Own
		}
		n.kids = append(n.kids, below)
		n.Sums.Add(&below.Sums)
	}
	return n
}
