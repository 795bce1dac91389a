package memprofdb_test

import (
	"encoding/json"
	"strings"
	"testing"

	"proflens/profile/memprofdb"
	"proflens/profile/table"
)

// A call stack of a hundred thousand calls of a function with a long name has the name
// while there is room; then the function has its number alone.
func TestStacksAreBounded(t *testing.T) {
	f := &memprofdb.Function{FID: 0x1234, Name: strings.Repeat("f", 60<<10)}
	stack := make(memprofdb.Frames, 100_000)
	for i := range stack {
		stack[i] = memprofdb.Frame{Function: f, File: f.Name, Line: uint32(i + 1)}
	}
	b := table.AppendCell(nil, stack.Cell("stack", &table.Options{Demangle: strings.Clone}), false)
	var frames []struct {
		Function, File string
		Line           int
	}
	if err := json.Unmarshal(b, &frames); err != nil {
		t.Fatal(err)
	}
	if len(frames) != len(stack) || len(b) > 1<<20+len(stack)*160 {
		t.Fatalf("%d frames in %d bytes", len(frames), len(b))
	}
	if frames[0].Function != f.Name || frames[0].File != f.Name {
		t.Errorf("the leaf is %.20s…", frames[0].Function)
	}
	if last := frames[99_999]; last.Function != "0x0000000000001234" || last.File != "" || last.Line != 100_000 {
		t.Errorf("the root is %+v", last)
	}
}
