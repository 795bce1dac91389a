package memprofdb_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/profile/memprofdb"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

// heapProfile makes up a heap profile of contexts in a program whose calls form
// a tree of about two nodes a context, as real ones do: few deep chains that
// many stacks share, functions that allocate from many places, some inlined.
func heapProfile(contexts int, seed uint64, schema memprof.MIBSchema) *memprof.Profile {
	rng := rand.New(rand.NewPCG(seed, 1))
	functions := max(contexts/8, 5)
	p := &memprof.Profile{Format: memprof.FormatIndexed, Version: 3, Schema: schema, Symbolized: true, Dumps: 1}
	frames := map[memprof.Frame]uint32{}
	frame := func(f int, line uint32) uint32 {
		local := fmt.Sprintf("func%d", f)
		name := fmt.Sprintf("_ZN6space%d%d%sEi", f%7, len(local), local)
		key := memprof.Frame{
			Function: model.GUID(name), Name: name, File: fmt.Sprintf("/src/part%d/dir%d/file%d.cc", f%5, f%31, f%211),
			Module: -1,
			Line:   100*uint32(f%300) + line, LineOffset: line, Column: 1 + line%5, Inline: f%4 == 0,
		}
		n, ok := frames[key]
		if !ok {
			n = uint32(len(p.Frames))
			frames[key] = n
			p.Frames = append(p.Frames, key)
		}
		return n
	}
	children := map[memprof.StackNode]memprof.StackID{}
	call := func(caller memprof.StackID, frame uint32) memprof.StackID {
		key := memprof.StackNode{Frame: frame, Caller: caller}
		id, ok := children[key]
		if !ok {
			id = memprof.StackID(len(p.Stacks))
			children[key] = id
			key.Depth = 1
			if caller != memprof.NoStack {
				key.Depth = p.Stacks[caller].Depth + 1
			}
			p.Stacks = append(p.Stacks, key)
		}
		return id
	}
	main := call(memprof.NoStack, frame(0, 3))
	taken := map[memprof.StackID]bool{}
	for len(p.Contexts) < contexts {
		at := main
		for depth := rng.IntN(24); depth >= 0; depth-- { // popular calls far from the leaf
			spread := max(1, functions>>min(4*depth, 20))
			at = call(at, frame(1+rng.IntN(spread), uint32(rng.IntN(2))))
		}
		if taken[at] {
			at = call(at, frame(rng.IntN(functions), uint32(len(p.Contexts)%50)))
		}
		if taken[at] {
			continue
		}
		taken[at] = true
		p.Contexts = append(p.Contexts, memprof.Context{Stack: at, MIB: heapBlock(rng, schema), ID: uint64(len(p.Contexts))})
	}
	return p
}

// heapBlock makes up what a context allocated.
func heapBlock(rng *rand.Rand, schema memprof.MIBSchema) memprof.MIB {
	count := 1 + rng.Uint64N(1+rng.Uint64N(10_000))
	size, lifetime := 1+rng.Uint64N(1+rng.Uint64N(5000)), rng.Uint64N(1+rng.Uint64N(400_000))
	m := memprof.MIB{Schema: schema}
	for field := range schema.Fields() {
		v := rng.Uint64N(1000)
		switch field {
		case memprof.AllocCount:
			v = count
		case memprof.TotalSize:
			v = count * size
		case memprof.TotalLifetime:
			v = count * lifetime
		case memprof.TotalLifetimeAccessDensity:
			v = count * rng.Uint64N(1+rng.Uint64N(300_000)*rng.Uint64N(3))
		}
		m.Values = append(m.Values, v)
	}
	return m
}

// openHeap stores a heap profile and opens it.
func openHeap(t testing.TB, heap *memprof.Profile) *memprofdb.Profile {
	t.Helper()
	p := of(t, profiletest.Store(t, profiletest.Of(memprof.Family, heap)))
	t.Logf("%d contexts, %d frames, %d nodes: %d kB", len(heap.Contexts), len(heap.Frames), len(heap.Stacks),
		p.Content().Size()>>10)
	return p
}

// of is the heap profile of a profile.
func of(t testing.TB, p *stored.Profile) *memprofdb.Profile {
	t.Helper()
	m, err := memprofdb.Of(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
