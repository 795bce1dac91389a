package analyze

import "strings"

// Bounds of a tree that grows by parts, for files made to exhaust memory: a
// program of a million functions stays far below.
const (
	maxTreeNodes = 1 << 18
	maxTreeText  = 32 << 20 // bytes of all names
)

// AddAt adds totals at the node of a list of parts, outermost first, or at the
// node without path when there are none. It returns where. When the tree is
// full, what has no node yet is added to the nearest that has one, and
// [PathTree.Crowded] says so from then on.
func (t *PathTree) AddAt(parts []string, own *Totals) PathRef {
	t.init()
	at := PathRef(0)
	if len(parts) == 0 {
		at = t.find(nil)
	}
	for _, part := range parts[:min(len(parts), maxPathDepth)] {
		child, ok := t.children[childKey{at, part}]
		if !ok {
			if len(t.nodes) >= maxTreeNodes || t.text+len(part) > maxTreeText {
				t.crowded = true
				break
			}
			part = strings.Clone(part) // it may be a piece of something long
			t.text += len(part)
			child = t.newNode(at, treeNode{name: part})
			t.children[childKey{at, part}] = child
		}
		at = child
	}
	t.nodes[at].own.addTotals(own)
	return at
}

// Crowded reports whether AddAt had to leave nodes out.
func (t *PathTree) Crowded() bool { return t.crowded }

// PathParts takes a path apart as [PathTree.Add] does: both '/' and '\'
// separate, the first part of an absolute path is "/". It is nil for an empty
// path.
func PathParts(path string) []string {
	if path == "" {
		return nil
	}
	clean, ends := normalise(path)
	parts := make([]string, 0, len(ends))
	start := 0
	for _, end := range ends {
		parts = append(parts, clean[start:end])
		start = end
		if start < len(clean) && clean[start] == '/' {
			start++
		}
	}
	return parts
}

// CleanPath writes a path as [PathNode.Path] has it: with single '/' between
// its parts.
func CleanPath(path string) string {
	if path == "" {
		return ""
	}
	clean, _ := normalise(path)
	return clean
}

// TotalsOf are the totals of one record.
func TotalsOf(s *Stats) Totals {
	var t Totals
	t.add(s)
	return t
}

// Sub takes away what is a part of the totals, as a node's child is.
func (t *Totals) Sub(part *Totals) {
	t.Functions -= part.Functions
	t.Executed -= part.Executed
	t.Counters -= part.Counters
	t.Zero -= part.Zero
	t.Total.Sub(part.Total)
}
