package encode

import (
	"fmt"
	"math"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/encode/stacks"
	"proflens/names"
)

// MemProfSamples is a heap profile as samples of call stacks: one for each distinct
// stack, in the order in which these were first seen. Values that the profile
// does not have are left out, and are 0 of a context that lacks them; the first
// is the bytes. Frames that are addresses are named by module and address.
//
// The error is a [*model.FormatError] of kind incompatible for a profile that
// has no value at all.
func MemProfSamples(p *memprof.Profile) (*stacks.Profile, error) {
	h := &memprofSamples{p: p, frames: make([]stacks.Frame, len(p.Frames))}
	for _, v := range memprofValues {
		if p.Schema&v.needs == v.needs {
			h.values = append(h.values, v.of)
			h.types = append(h.types, v.Type)
		}
	}
	if len(h.types) == 0 {
		return nil, model.Faultf(model.KindIncompatible,
			"the heap profile has neither bytes nor allocations to weight its call stacks by")
	}
	for i := range p.Frames {
		h.frames[i] = memprofStackFrame(p, &p.Frames[i])
	}
	return &stacks.Profile{
		Name: "heap profile", Types: h.types, Samples: h.samples,
		Comments: []string{
			"one sample for each call stack of the heap profile; all objects count, not only those live at the end",
			"lifetime adds up the milliseconds that objects lived; byte_lifetime is bytes times these milliseconds",
		},
	}, nil
}

// memprofSamples yields the contexts of a heap profile.
type memprofSamples struct {
	p      *memprof.Profile
	frames []stacks.Frame
	types  []stacks.Type
	values []func(m *memprof.MIB) uint64
}

// memprofValues are what samples count, and the fields that this takes.
var memprofValues = []struct {
	stacks.Type
	needs memprof.MIBSchema
	of    func(m *memprof.MIB) uint64
}{
	{stacks.Type{Name: "alloc_space", Unit: "bytes"}, 1 << memprof.TotalSize, memprofField(memprof.TotalSize)},
	{stacks.Type{Name: "alloc_objects", Unit: "count"}, 1 << memprof.AllocCount, memprofField(memprof.AllocCount)},
	{stacks.Type{Name: "lifetime", Unit: "milliseconds"}, 1 << memprof.TotalLifetime, memprofField(memprof.TotalLifetime)},
	{stacks.Type{Name: "byte_lifetime", Unit: "byte-milliseconds"},
		1<<memprof.TotalSize | 1<<memprof.TotalLifetime | 1<<memprof.AllocCount, func(m *memprof.MIB) uint64 {
			return analyze.ByteMilliseconds(m.Get(memprof.TotalSize), m.Get(memprof.TotalLifetime), m.Get(memprof.AllocCount))
		}},
	{stacks.Type{Name: "accesses", Unit: "count"}, 1 << memprof.TotalAccessCount, memprofField(memprof.TotalAccessCount)},
}

func memprofField(f memprof.MIBField) func(m *memprof.MIB) uint64 {
	return func(m *memprof.MIB) uint64 { return m.Get(f) }
}

// MemProfWeights are the names of the values of HeapSamples as the flame graph has
// them, by the words of its parameter w.
var MemProfWeights = map[string]string{
	"bytes": "alloc_space", "allocations": "alloc_objects", "lifetime": "byte_lifetime", "accesses": "accesses",
}

func memprofStackFrame(p *memprof.Profile, f *memprof.Frame) stacks.Frame {
	s := stacks.Frame{File: f.File, Line: int64(f.Line), Start: int64(f.StartLine()), Inlined: f.Inline}
	switch {
	case f.Name != "":
		s.Name, s.Linkage = names.Demangle(f.Name, names.Full), f.Name
	case f.Function != 0:
		s.Name = fmt.Sprintf("0x%016x", f.Function)
	default:
		s.Address = f.Address
		s.Name = fmt.Sprintf("0x%x", f.Address)
		if f.Module >= 0 && int(f.Module) < len(p.Modules) {
			s.Image = memprofModuleName(&p.Modules[f.Module], int(f.Module))
			s.Name = s.Image + "+" + s.Name
		}
	}
	return s
}

// memprofModuleName is what a module is called: its path where it ran, or its build ID.
func memprofModuleName(m *memprof.Module, index int) string {
	switch {
	case m.Path != "":
		return m.Path
	case len(m.BuildID) > 0:
		return fmt.Sprintf("%x", m.BuildID)
	}
	return fmt.Sprintf("module %d", index)
}

func (h *memprofSamples) samples(yield func(*stacks.Sample, error) bool) {
	var sample stacks.Sample
	contexts := h.p.Distinct()
	for i := range contexts {
		c := &contexts[i]
		sample.Stack, sample.Values, sample.Labels = sample.Stack[:0], sample.Values[:0], sample.Labels[:0]
		for id := c.Stack; id != memprof.NoStack; id = h.p.Stacks[id].Caller {
			sample.Stack = append(sample.Stack, h.frames[h.p.Stacks[id].Frame])
		}
		for _, of := range h.values {
			sample.Values = append(sample.Values, of(&c.MIB))
		}
		if class := analyze.DefaultMemProfThresholds.Class(&c.MIB); class != analyze.MemProfUnknown {
			sample.Labels = append(sample.Labels, stacks.Label{Key: "class", Text: string(class)})
		}
		if c.ID != 0 && c.ID <= math.MaxInt64 {
			sample.Labels = append(sample.Labels, stacks.Label{Key: "stack_id", Number: int64(c.ID)})
		}
		if !yield(&sample, nil) {
			return
		}
	}
}
