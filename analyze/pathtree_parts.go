package analyze

import "bytes"

// Bounds of a tree that grows by parts, for files made to exhaust memory: a
// program of a million functions stays far below.
const (
	maxTreeNodes = 1 << 18
	maxTreeText  = 32 << 20 // bytes of all names
)

// AddAt adds totals at the node of a list of parts, and returns where; see [PathTree.AtKey].
func (t *PathTree) AddAt(parts []string, own *Totals) PathRef {
	at := t.at(parts)
	t.AddTo(at, own)
	return at
}

// AddTo adds totals at a node.
func (t *PathTree) AddTo(at PathRef, own *Totals) { t.nodes[at].own.addTotals(own) }

func (t *PathTree) at(parts []string) PathRef {
	t.init()
	if len(parts) == 0 {
		return t.find(nil)
	}
	at, ok := PathRef(0), true
	for _, part := range parts[:min(len(parts), maxPathDepth)] {
		if at, ok = t.child(at, []byte(part)); !ok {
			break
		}
	}
	return at
}

// AtKey is the node of parts, outermost first and each with a NUL behind, or the node without
// path when there are none, made where it is new. When the tree is full, it is the nearest
// above that there is, and [PathTree.Crowded] says so from then on.
func (t *PathTree) AtKey(parts []byte) PathRef {
	t.init()
	if len(parts) == 0 {
		return t.find(nil)
	}
	at, ok := PathRef(0), true
	for range maxPathDepth {
		end := bytes.IndexByte(parts, 0)
		if end < 0 {
			break
		}
		if at, ok = t.child(at, parts[:end]); !ok {
			break
		}
		parts = parts[end+1:]
	}
	return at
}

// child is the node of a part below another, made where it is new; the other itself where
// the tree is full.
func (t *PathTree) child(at PathRef, part []byte) (PathRef, bool) {
	ref, slot, tag := t.children.find(at, part)
	if ref == 0 {
		if len(t.nodes) >= maxTreeNodes || t.text+len(part) > maxTreeText {
			t.crowded = true
			return at, false
		}
		name := string(part)
		t.text += len(name)
		ref = t.newNode(at, treeNode{name: name})
		t.children.add(childKey{name, at, ref}, slot, tag)
	}
	return ref, true
}

// Crowded reports whether nodes had to be left out.
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
