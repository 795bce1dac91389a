package analyze

import (
	"slices"
	"strings"
	"testing"
)

// TestPathForestOfTheRFC holds the example of the RFC, in the numbers of
// memprof.md §7.2.
func TestPathForestOfTheRFC(t *testing.T) {
	var f PathForest
	for _, c := range []struct {
		path string
		leaf int32
	}{{"abc/def/ghi/XY.c", 3}, {"abc/def/ghi/XY.h", 4}, {"abc/def/jkl/UV.c", 6}, {"abc/def/ghi/XY.h", 4}} {
		if got := f.Add(c.path); got != c.leaf {
			t.Errorf("%s is node %d, expected %d", c.path, got, c.leaf)
		}
	}
	want := []ForestNode{{1, -1}, {5, 0}, {9, 1}, {13, 2}, {18, 2}, {23, 1}, {27, 5}}
	if !slices.Equal(f.Nodes, want) {
		t.Errorf("nodes are %v, expected %v", f.Nodes, want)
	}
	var table strings.Builder
	for _, s := range f.Strings {
		if s.Offset != uint64(table.Len()) {
			t.Errorf("%q is at %d, expected %d", s.Text, s.Offset, table.Len())
		}
		table.WriteString(s.Text + "\x00")
	}
	if got := table.String(); got != "\x00abc\x00def\x00ghi\x00XY.c\x00XY.h\x00jkl\x00UV.c\x00" {
		t.Errorf("the string table is %q", got)
	}
}

func TestPathForestKeepsParts(t *testing.T) {
	var f PathForest
	if f.Add("") != NoPathNode {
		t.Error("an empty path has a node")
	}
	deep := strings.Repeat("a/", 5000) + "x.c"
	for _, path := range []string{"/a/b", "a//b", "a/b", "./a", "a/../b", "a", "/", deep} {
		leaf := f.Add(path)
		var parts []string
		for at := leaf; at != NoPathNode; at = f.Nodes[at].Parent {
			i := slices.IndexFunc(f.Strings, func(s ForestString) bool { return s.Offset == f.Nodes[at].String })
			parts = append(parts, f.Strings[i].Text)
		}
		slices.Reverse(parts)
		if got := strings.Join(parts, "/"); got != path {
			t.Errorf("%q became %q", path, got)
		}
	}
	if len(f.Nodes) > 2*maxForestPart {
		t.Errorf("a path of 5000 folders took %d nodes", len(f.Nodes))
	}
}
