package analyze_test

import (
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
)

// A frame with a function is known by it and its place there, wherever it was loaded; one without by its
// module and address.
func TestStackIDs(t *testing.T) {
	frame := memprof.Frame{Function: 7, LineOffset: 3, Column: 5, Address: 0x1000, Module: 1}
	id := analyze.StackID(&frame)
	for name, c := range map[string]struct {
		change func(f *memprof.Frame)
		same   bool
	}{
		"address":  {func(f *memprof.Frame) { f.Address++ }, true},
		"module":   {func(f *memprof.Frame) { f.Module++ }, true},
		"function": {func(f *memprof.Frame) { f.Function++ }, false},
		"line":     {func(f *memprof.Frame) { f.LineOffset++ }, false},
		"column":   {func(f *memprof.Frame) { f.Column++ }, false},
	} {
		other := frame
		if c.change(&other); (analyze.StackID(&other) == id) != c.same {
			t.Errorf("of another %s the frame has the same number: %v", name, !c.same)
		}
		nameless, moved := frame, other
		nameless.Function, moved.Function = 0, 0
		want := name == "line" || name == "column" || name == "function"
		if (analyze.StackID(&nameless) == analyze.StackID(&moved)) != want {
			t.Errorf("without a function, of another %s it has the same number: %v", name, !want)
		}
	}
}
