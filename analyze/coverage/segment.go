package coverage

import (
	"cmp"
	"slices"

	"proflens/decode/covmap"
)

// Segment is the state from a place up to the next segment (section 9).
type Segment struct {
	covmap.Position
	Count    uint64
	HasCount bool
	Entry    bool // a region begins here
	Gap      bool
	of       int32 // the instances that it is of, see layers
}

// span is a region as segments are made of it.
type span struct {
	start, end uint64 // line and column in one
	count      uint64
	kind       covmap.Kind
	resumed    bool  // no region begins with it
	of         int32 // as of segments
}

func place(p covmap.Position) uint64 { return uint64(p.Line)<<32 | uint64(p.Column) }

func placed(at uint64) covmap.Position {
	return covmap.Position{Line: uint32(at >> 32), Column: uint32(at)}
}

// segmenter makes segments of regions, and keeps its memory for the next.
//
// By itself it does what llvm-cov does. Our own pages differ in this: a region of no length
// covers nothing, rather than all up to the next region.
type segmenter struct {
	own                  bool
	spans, active, moved []span
	merged               []span // of the last build: one for each place
	segments             []Segment
}

func (s *segmenter) add(r *Region) {
	s.spans = append(s.spans, spanOf(r))
}

func spanOf(r *Region) span {
	return span{start: place(r.Start), end: place(r.End), count: r.Count, kind: r.Kind}
}

// build makes the segments of what was added, and forgets it. They are valid until
// the next call.
func (s *segmenter) build() []Segment {
	sortSpans(s.spans)
	spans := combined(s.spans)
	s.merged = spans
	s.segments, s.active = s.segments[:0], s.active[:0]
	soonest := uint64(0) // no active region ends before this
	for k, r := range spans {
		if len(s.active) > 0 && soonest <= r.start {
			if ended := s.endedLast(r.start); ended < len(s.active) {
				s.complete(ended, r.start)
			}
			soonest = ^uint64(0)
			for _, a := range s.active {
				soonest = min(soonest, a.end)
			}
		}
		last := k == len(spans)-1
		entry := r.kind != covmap.Gap && !r.resumed
		if r.start == r.end { // of no length: never active
			skip := last && !s.own || r.kind == covmap.Skipped
			if n := len(s.active); n == 0 && s.own {
				if n := len(s.segments); n > 0 && s.segments[n-1].HasCount {
					s.emit(&r, r.start, false, true)
				}
			} else if n > 0 {
				s.emit(&s.active[n-1], r.start, entry, skip)
				if skip {
					s.emit(&s.active[n-1], r.start, false, false)
				}
			} else {
				s.emit(&r, r.start, entry, skip)
			}
			continue
		}
		if last || spans[k+1].start != r.start {
			s.emit(&r, r.start, entry, false)
		}
		if len(s.active) == 0 {
			soonest = r.end
		}
		soonest = min(soonest, r.end)
		s.active = append(s.active, r)
	}
	if len(s.active) > 0 {
		s.complete(0, 0)
	}
	s.spans = s.spans[:0]
	return s.segments
}

// sortSpans sorts by place. Mappings are nearly in that order, so that each span is
// soon where it belongs; where they are not it is left to a sort for any order.
func sortSpans(spans []span) {
	moves := 8 * len(spans)
	for i := 1; i < len(spans); i++ {
		if !spans[i].before(&spans[i-1]) {
			continue
		}
		r, at := spans[i], i
		for ; at > 0 && r.before(&spans[at-1]); at-- {
			spans[at] = spans[at-1]
			moves--
		}
		spans[at] = r
		if moves < 0 {
			slices.SortFunc(spans, func(a, b span) int {
				return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.kind, b.kind))
			})
			return
		}
	}
}

func (s *span) before(o *span) bool {
	switch {
	case s.start != o.start:
		return s.start < o.start
	case s.end != o.end:
		return s.end > o.end
	}
	return s.kind < o.kind
}

// combined adds up neighbours of one place and one kind: of templates, of macros
// used twice, and of a header in several units.
func combined(spans []span) []span {
	if len(spans) == 0 {
		return spans
	}
	n := 0
	for _, r := range spans[1:] {
		switch last := &spans[n]; {
		case last.start != r.start || last.end != r.end:
			n++
			spans[n] = r
		case last.kind == r.kind:
			last.count += r.count
			if last.of != r.of {
				last.of = several
			}
		}
	}
	return spans[:n+1]
}

// endedLast moves active regions that have ended behind those that have not, and
// returns how many these are. Both keep their order.
func (s *segmenter) endedLast(at uint64) int {
	s.moved = s.moved[:0]
	n := 0
	for _, a := range s.active {
		if a.end <= at {
			s.moved = append(s.moved, a)
		} else {
			s.active[n] = a
			n++
		}
	}
	copy(s.active[n:], s.moved)
	return n
}

// emit begins a segment, unless it would say what the last one says.
func (s *segmenter) emit(r *span, at uint64, entry, skip bool) {
	has := !skip && r.kind != covmap.Skipped
	if n := len(s.segments); n > 0 && !entry && !skip {
		if last := &s.segments[n-1]; last.HasCount == has && last.Count == r.count && !last.Entry && last.of == r.of {
			return
		}
	}
	if has {
		s.segments = append(s.segments, Segment{placed(at), r.count, true, entry, r.kind == covmap.Gap, r.of})
	} else {
		s.segments = append(s.segments, Segment{Position: placed(at), Entry: entry, of: r.of})
	}
}

// complete ends the active regions from one on, before a region that begins at next;
// 0: there is none.
func (s *segmenter) complete(from int, next uint64) {
	ended := s.active[from:]
	slices.SortStableFunc(ended, func(a, b span) int { return cmp.Compare(a.end, b.end) })
	for i := 1; i < len(ended); i++ {
		at := ended[i-1].end
		if next != 0 && at == next {
			break
		}
		if at == ended[i].end {
			continue
		}
		c := i
		for c+1 < len(ended) && ended[c+1].end == ended[i].end {
			c++
		}
		s.emit(&ended[c], at, false, false)
	}
	last := &ended[len(ended)-1]
	switch {
	case from > 0 && last.end != next:
		s.emit(&s.active[from-1], last.end, false, false)
	case from == 0 && (next == 0 || next != last.end):
		s.emit(last, last.end, false, true) // a hole, as between functions
	}
	s.active = s.active[:from]
}
