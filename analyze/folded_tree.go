package analyze

import (
	"slices"
	"strings"
)

// FoldedTree adds totals up by path, as [PathTree] does, and makes a chain of folders that
// have nothing but each other one node, whose name has a mark between the parts: memory is
// in proportion to the paths, however deep they are. The zero value is ready.
type FoldedTree struct{ entries []foldedEntry }

type foldedEntry struct {
	key string // parts, each with the mark behind it
	own Totals
}

// Add adds totals at the node of a list of parts, which have no mark; none are those
// without a path. It returns how many bytes the key takes.
func (t *FoldedTree) Add(parts []string, mark string, own *Totals) int {
	key := strings.Join(parts[:min(len(parts), maxPathDepth)], mark)
	if key != "" {
		key += mark
	}
	t.entries = append(t.entries, foldedEntry{key, *own})
	return len(key)
}

// Nodes finishes the tree: its nodes in preorder, as those of [PathTree.Nodes].
func (t *FoldedTree) Nodes(mark string) []PathNode {
	slices.SortStableFunc(t.entries, func(a, b foldedEntry) int { return strings.Compare(a.key, b.key) })
	merged := t.entries[:0]
	for _, e := range t.entries {
		if n := len(merged); n > 0 && merged[n-1].key == e.key {
			merged[n-1].own.addTotals(&e.own)
		} else {
			merged = append(merged, e)
		}
	}
	b := foldedBuilder{mark: mark, nodes: []PathNode{{Parent: -1}}}
	var none []foldedEntry
	if len(merged) > 0 && merged[0].key == "" {
		none, merged = merged[:1], merged[1:]
	}
	b.below(merged, 0, 0)
	if len(none) > 0 {
		b.nodes = append(b.nodes, PathNode{ID: len(b.nodes), Last: len(b.nodes), Depth: 1, NoPath: true, Totals: none[0].own})
		b.nodes[0].addTotals(&none[0].own)
	}
	b.nodes[0].Last = len(b.nodes) - 1
	return b.nodes
}

type foldedBuilder struct {
	mark  string
	nodes []PathNode
}

// below makes the nodes of entries that stand below one and have its key in common, so many
// bytes.
func (b *foldedBuilder) below(entries []foldedEntry, parent, common int) {
	for len(entries) > 0 {
		first := entries[0].key
		part := common + strings.Index(first[common:], b.mark) + len(b.mark)
		n, _ := slices.BinarySearchFunc(entries, first[:part], func(e foldedEntry, key string) int {
			if strings.HasPrefix(e.key, key) {
				return -1
			}
			return strings.Compare(e.key, key)
		})
		b.node(entries[:n], parent, common)
		entries = entries[n:]
	}
}

// node makes the node of entries that begin with one part, or with the chain of it.
func (b *foldedBuilder) node(entries []foldedEntry, parent, common int) {
	first, last := entries[0].key, entries[len(entries)-1].key
	end := common
	for at := common; at < len(first) && at < len(last) && first[at] == last[at]; at++ {
		if strings.HasSuffix(first[:at+1], b.mark) {
			end = at + 1
		}
	}
	id := len(b.nodes)
	b.nodes = append(b.nodes, PathNode{
		ID: id, Parent: parent, Depth: b.nodes[parent].Depth + 1, Name: first[common : end-len(b.mark)],
	})
	if len(first) == end {
		b.nodes[id].addTotals(&entries[0].own)
		entries = entries[1:]
	}
	b.below(entries, id, end)
	b.nodes[id].Last = len(b.nodes) - 1
	b.nodes[parent].addTotals(&b.nodes[id].Totals)
}
