package encode

import (
	"bytes"
	"iter"
	"os"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

func textSource(t *testing.T, text []byte) instrprof.Source {
	t.Helper()
	src, err := instrprof.OpenText(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// The order of one small trace is what llvm-profdata prints, comments aside.
func TestOrderOfOneTrace(t *testing.T) {
	text, err := os.ReadFile("testdata/temporal_small.proftext")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile("testdata/temporal_small.order.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for line := range strings.Lines(string(printed)) {
		if !strings.HasPrefix(line, "#") {
			want.WriteString(line)
		}
	}
	var got bytes.Buffer
	findings, err := Order(&got, textSource(t, text), OrderOptions{})
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	if got.String() != want.String() {
		t.Errorf("got %q, want %q", got.String(), want.String())
	}
	got.Reset()
	if _, err := Order(&got, textSource(t, text), OrderOptions{MachO: true}); err != nil {
		t.Fatal(err)
	}
	if want := "_main\n_init\n"; !strings.HasPrefix(got.String(), want) {
		t.Errorf("for Mach-O it begins %.20q, want %q", got.String(), want)
	}
}

// What the profile has no name for is left out and said; a profile without
// traces has no order.
func TestOrderLeavesOut(t *testing.T) {
	src := traced{
		textSource(t, []byte(":ir\nmain\n1\n1\n5\n")),
		[]instrprof.Trace{{Weight: 1, NameRefs: []uint64{77, instrprof.NameRef([]byte("main")), 78}}},
	}
	var got bytes.Buffer
	findings, err := Order(&got, src, OrderOptions{})
	if err != nil || got.String() != "main\n" {
		t.Errorf("%q, %v", got.String(), err)
	}
	if len(findings) != 1 || findings[0].Code != "order.unnamed" || findings[0].Count != 2 {
		t.Errorf("findings %+v", findings)
	}
	src.traces = nil
	if _, err := Order(&got, src, OrderOptions{}); model.KindOf(err) != model.KindNoTraces {
		t.Errorf("without traces: %v", err)
	}
}

// traced is a source with other traces.
type traced struct {
	instrprof.Source
	traces []instrprof.Trace
}

func (s traced) Traces() iter.Seq2[instrprof.Trace, error] {
	return func(yield func(instrprof.Trace, error) bool) {
		for _, t := range s.traces {
			if !yield(t, nil) {
				return
			}
		}
	}
}
