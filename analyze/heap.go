package analyze

import "proflens/decode/memprof"

// MemProfClass is how the compiler takes an allocation context (memprof.md §5.2).
type MemProfClass string

// MemProfClasses are all of them.
var MemProfClasses = [4]MemProfClass{MemProfCold, MemProfNotCold, MemProfHot, MemProfUnknown}

// The classes of allocation contexts.
const (
	MemProfCold    MemProfClass = "cold"     // long-lived and hardly accessed
	MemProfNotCold MemProfClass = "not cold" // neither
	MemProfHot     MemProfClass = "hot"      // often accessed; by default the compiler treats it as not cold
	MemProfUnknown MemProfClass = "unknown"  // the profile does not have the fields that tell
)

// MemProfThresholds are what divides the classes, by the names of the compiler's
// options.
type MemProfThresholds struct {
	ColdDensity  float32 // memprof-lifetime-access-density-cold-threshold: accesses per byte and second, below
	ColdLifetime float32 // memprof-ave-lifetime-cold-threshold: seconds, at least
	HotDensity   float32 // memprof-min-ave-lifetime-access-density-hot-threshold: above
	// HotHints is memprof-use-hot-hints: without it the compiler takes hot contexts
	// as not cold. It changes no class.
	HotHints bool
}

// Hint is how the compiler takes a context of a class: cold, not cold or, with
// hot hints, hot. What it cannot tell is not cold.
func (t MemProfThresholds) Hint(c MemProfClass) MemProfClass {
	if c == MemProfCold || c == MemProfHot && t.HotHints {
		return c
	}
	return MemProfNotCold
}

// DefaultMemProfThresholds are those of LLVM 17 and newer.
var DefaultMemProfThresholds = MemProfThresholds{ColdDensity: 0.05, ColdLifetime: 200, HotDensity: 1000}

// Class is the class of a context, in 32-bit arithmetic as the compiler has it,
// where every operand and every quotient is rounded.
func (t MemProfThresholds) Class(m *memprof.MIB) MemProfClass {
	const needs = memprof.MIBSchema(
		1<<memprof.AllocCount | 1<<memprof.TotalLifetime | 1<<memprof.TotalLifetimeAccessDensity)
	if m.Schema&needs != needs {
		return MemProfUnknown
	}
	return t.ClassOf(m.Get(memprof.AllocCount), m.Get(memprof.TotalLifetime), m.Get(memprof.TotalLifetimeAccessDensity))
}

// ClassOf is the class by the three fields that tell: the number of objects,
// their lifetimes in milliseconds, and their lifetime access densities times
// 100. Without objects it is unknown.
func (t MemProfThresholds) ClassOf(count, lifetime, density uint64) MemProfClass {
	if count == 0 {
		return MemProfUnknown
	}
	n := float32(count)
	perObject := float32(float32(density)/n) / 100
	switch {
	case perObject < t.ColdDensity && float32(lifetime)/n >= t.ColdLifetime*1000:
		return MemProfCold
	case perObject > t.HotDensity:
		return MemProfHot
	}
	return MemProfNotCold
}

// MemProfSummary is the summary that llvm-profdata makes of a profile (memprof.md
// §5.2): over call stacks that differ in more than inlining, the first MIB of
// each counts. Hot contexts are not cold, since the compiler's default takes
// them so, and those of unknown class are not either.
func MemProfSummary(p *memprof.Profile) memprof.Summary {
	var s memprof.Summary
	bare := bareStacks(p, false)
	seen := make(map[int32]bool, len(p.Contexts))
	for i := range p.Contexts {
		c := &p.Contexts[i]
		id := int32(-1)
		if c.Stack != memprof.NoStack {
			id = bare[c.Stack]
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		s.NumContexts++
		size := c.MIB.Get(memprof.TotalSize)
		switch DefaultMemProfThresholds.Class(&c.MIB) {
		case MemProfCold:
			s.NumColdContexts++
			s.MaxColdTotalSize = max(s.MaxColdTotalSize, size)
		default:
			s.MaxWarmTotalSize = max(s.MaxWarmTotalSize, size)
		}
	}
	return s
}

// bareStacks numbers stacks by what the compiler compares of their frames:
// function, line offset and column, and with inline whether they are inlined, as
// files have it. Stacks with one number are one.
func bareStacks(p *memprof.Profile, inline bool) []int32 {
	frames, all := bareFrames(p, inline)
	out := make([]int32, len(p.Stacks))
	if all == len(p.Frames) { // each frame is another, and so is each stack
		for i := range out {
			out[i] = int32(i)
		}
		return out
	}
	numbers := map[uint64]int32{} // by frame and caller
	for i, s := range p.Stacks {
		caller := int32(-1)
		if s.Caller != memprof.NoStack {
			caller = out[s.Caller]
		}
		key := uint64(frames[s.Frame])<<32 | uint64(uint32(caller))
		id, ok := numbers[key]
		if !ok {
			id = int32(len(numbers))
			numbers[key] = id
		}
		out[i] = id
	}
	return out
}

// bareFrames numbers frames by what bareStacks compares of them, and says how many
// differ.
func bareFrames(p *memprof.Profile, inline bool) (out []uint32, all int) {
	type bare struct {
		function           uint64
		lineOffset, column uint32
		module             int32
		address            uint64
		inline             bool
	}
	numbers := map[bare]uint32{}
	out = make([]uint32, len(p.Frames))
	for i := range p.Frames {
		f := &p.Frames[i]
		key := bare{f.Function, f.LineOffset, f.Column, f.Module, f.Address, inline && f.Inline}
		id, ok := numbers[key]
		if !ok {
			id = uint32(len(numbers))
			numbers[key] = id
		}
		out[i] = id
	}
	return out, len(numbers)
}
