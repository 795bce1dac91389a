package sampleprof

import (
	"slices"

	"proflens/decode/sampleprof"
	"proflens/encode/stacks"
	"proflens/names"
)

// Stacks is a profile as samples of call stacks: the calling context of a function, where
// the profile has such, then what was inlined into it. There is a sample for each line of a
// function whose declaration the profile's program knows, and else one for each function
// in its stack. Values are the counts of its own lines or probes, not those of callees.
// Sums stop at the largest that there is.
func Stacks(p *sampleprof.Profile) *stacks.Profile {
	s := &stackSamples{p: p, frames: make([]*frame, len(p.Names))}
	out := &stacks.Profile{Name: p.Describe(), Types: []stacks.Type{{Name: "samples", Unit: "count"}}, Samples: s.samples}
	out.Comments = []string{
		out.Name, "samples are the counts of a function's own lines or probes, each the largest of its instructions",
	}
	if !p.Has(sampleprof.FullContexts) {
		out.Comments = append(out.Comments, "callers are known as far as functions were inlined into them")
	}
	return out
}

type stackSamples struct {
	p      *sampleprof.Profile
	frames []*frame // by name, once it was met
}

// frame is a function as it stands in stacks, without a line.
type frame struct {
	stacks.Frame
	first int64 // the line that offsets count from; 0 where it is not known
}

// samples yields the stacks of the functions in their order, callers before what was
// inlined into them.
func (s *stackSamples) samples(yield func(*stacks.Sample, error) bool) {
	w := &stackWalk{s: s, yield: yield, sample: stacks.Sample{Values: make([]uint64, 1)}}
	for _, f := range s.p.Functions {
		w.path = w.path[:0]
		if context := s.p.Frames(f); len(context) > 0 {
			for _, c := range context[:len(context)-1] {
				w.path = append(w.path, s.frame(c.Name).at(c.Loc))
			}
		}
		if !w.function(f, f.Attributes&sampleprof.WasInlined != 0 && len(w.path) > 0) {
			return
		}
	}
}

// frame is the frame of a name.
func (s *stackSamples) frame(id sampleprof.NameID) *frame {
	if known := s.frames[id]; known != nil {
		return known
	}
	made := &frame{}
	s.frames[id] = made
	name := s.p.Names[id]
	if _, hashed := name.Hashed(); hashed {
		text, ok := s.p.Program.NameOf(name)
		if !ok {
			made.Name = name.String()
			return made
		}
		name = sampleprof.Name{Text: text}
	}
	made.Name, made.Linkage = names.Demangle(name.Text, names.Full), name.Text
	if d, ok := s.p.Program.Declaration(name.Text); ok {
		made.File, made.Start = d.File, int64(d.Line)
		if !s.p.Has(sampleprof.Probes) { // whose offsets are no lines
			made.first = int64(d.Line)
		}
	}
	return made
}

// at is the frame at a place.
func (f *frame) at(place sampleprof.Loc) stacks.Frame {
	at := f.Frame
	at.Line = f.line(place)
	return at
}

// line is the line of a place; 0 where it is not known. Lines before the declaration, as
// of macros, have an offset below 0, of which there are 16 bits.
func (f *frame) line(place sampleprof.Loc) int64 {
	if f.first == 0 {
		return 0
	}
	offset := int64(place.Offset)
	if place.Offset <= 0xffff {
		offset = int64(int16(place.Offset))
	}
	return max(f.first+offset, 0)
}

// stackWalk is one reading of the samples.
type stackWalk struct {
	s      *stackSamples
	yield  func(*stacks.Sample, error) bool
	sample stacks.Sample
	path   []stacks.Frame // from the outermost on
}

// function yields the samples of a function that the path leads to, and of what was
// inlined into it; false when there is to be no more.
func (w *stackWalk) function(f *sampleprof.Function, inlined bool) bool {
	known := w.s.frame(f.Name)
	here := len(w.path)
	w.path = append(w.path, known.Frame)
	w.path[here].Inlined = inlined
	defer func() { w.path = w.path[:here] }()
	for i := 0; i < len(f.Body); {
		line, sum := known.line(f.Body[i].Loc), uint64(0)
		for ; i < len(f.Body) && known.line(f.Body[i].Loc) == line; i++ {
			sum = sampleprof.Add(sum, f.Body[i].Count)
		}
		w.path[here].Line = line
		if !w.one(sum) {
			return false
		}
	}
	for _, site := range f.Sites {
		w.path[here].Line = known.line(site.Loc)
		if !w.function(site.Callee, true) {
			return false
		}
	}
	return true
}

// one yields the stack of the path, unless its value is 0.
func (w *stackWalk) one(value uint64) bool {
	if value == 0 {
		return true
	}
	w.sample.Stack = append(w.sample.Stack[:0], w.path...)
	slices.Reverse(w.sample.Stack)
	w.sample.Values[0] = value
	return w.yield(&w.sample, nil)
}
