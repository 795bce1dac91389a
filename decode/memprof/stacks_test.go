package memprof_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"proflens/decode/memprof"
)

// Stacks that begin alike share nodes, in whatever order they come, and each has the
// addresses that were recorded.
func TestStacksShareTheirCallers(t *testing.T) {
	r := recorded{version: 1, stacks: map[uint64][]uint64{}}
	random := rand.New(rand.NewPCG(1, 2))
	for id := range uint64(3000) {
		r.mibs = append(r.mibs, recordedMIB{id: id, fields: object(1, 1, 2)})
		for range 1 + random.IntN(12) {
			r.stacks[id] = append(r.stacks[id], 0x1001+random.Uint64N(3))
		}
	}
	p := raw(t, r.build())
	sound(t, p)
	type call struct {
		frame  uint32
		caller memprof.StackID
	}
	calls := map[call]bool{}
	for _, s := range p.Stacks {
		calls[call{s.Frame, s.Caller}] = true
	}
	if len(p.Contexts) != len(r.mibs) || len(calls) != len(p.Stacks) {
		t.Errorf("%d contexts; %d of %d stacks are distinct", len(p.Contexts), len(calls), len(p.Stacks))
	}
	for _, c := range p.Contexts {
		var addresses []uint64
		for f := range p.Stack(c.Stack) {
			addresses = append(addresses, f.Address+p.Modules[f.Module].Start-p.Modules[f.Module].Offset)
		}
		if want := r.stacks[c.ID]; !slices.Equal(addresses, want) {
			t.Fatalf("context %d: %x, want %x", c.ID, addresses, want)
		}
	}
}
