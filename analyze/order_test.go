package analyze

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/decode/instrprof"
)

// The order is by earliest position over all traces, then by NameRef as an
// unsigned number, however weighty a trace is.
func TestOrder(t *testing.T) {
	var o Order
	if got := o.Functions(); len(got) != 0 {
		t.Errorf("no traces: %v", got)
	}
	const large = 1 << 63
	o.Add(instrprof.Trace{Weight: 9, NameRefs: []uint64{large, 5, 7, 5}})
	o.Add(instrprof.Trace{Weight: 1})
	o.Add(instrprof.Trace{Weight: 1, NameRefs: []uint64{3, 7, 8, 9}})
	want := []Placed{
		{NameRef: 3, First: 0, Traces: 1}, {NameRef: large, First: 0, Traces: 1},
		{NameRef: 5, First: 1, Traces: 1}, {NameRef: 7, First: 1, Traces: 2},
		{NameRef: 8, First: 2, Traces: 1}, {NameRef: 9, First: 3, Traces: 1},
	}
	if diff := gocmp.Diff(want, o.Functions(), cmpopts.IgnoreUnexported(Placed{})); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
