package coverage

import "iter"

// Line is what is known of a line of source, or of several on end in which no
// segment begins, and which are therefore alike (section 10).
type Line struct {
	First, Last uint32
	Count       uint64
	Mapped      bool
	Multiple    bool // several regions begin in it
	Segments    []Segment
	Wrapped     *Segment // the last one of the lines before
}

// Lines are those from the first segment's to the last one's, as llvm-cov has them. All
// others are not mapped.
func Lines(segments []Segment) iter.Seq[Line] { return linesOf(segments, false) }

// linesOf is Lines; by our own rules a line is not mapped in which nothing is: the region
// of the line before ends at its first column.
func linesOf(segments []Segment, own bool) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var wrapped *Segment
		for i := 0; i < len(segments); {
			at := segments[i].Line
			n := i + 1
			for n < len(segments) && segments[n].Line == at {
				n++
			}
			if !yield(lineOf(at, segments[i:n], wrapped, own && segments[i].holeAtStart())) {
				return
			}
			wrapped = &segments[n-1]
			if n < len(segments) && segments[n].Line > at+1 {
				if !yield(Line{
					First: at + 1, Last: segments[n].Line - 1, Count: wrapped.Count, Mapped: wrapped.HasCount, Wrapped: wrapped,
				}) {
					return
				}
			}
			i = n
		}
	}
}

// holeAtStart reports whether a line begins with nothing.
func (s *Segment) holeAtStart() bool { return s.Column <= 1 && !s.HasCount && !s.Entry }

// lineOf is a line in which segments begin. ended says that nothing of the last one of
// the lines before is in it.
func lineOf(at uint32, segments []Segment, wrapped *Segment, ended bool) Line {
	l := Line{First: at, Last: at, Segments: segments, Wrapped: wrapped}
	if ended {
		wrapped = nil
	}
	starts, enters := 0, false
	most := uint64(0)
	for i := range segments {
		s := &segments[i]
		if !s.HasCount || !s.Entry {
			continue
		}
		enters = true
		if !s.Gap {
			starts++
			most = max(most, s.Count)
		}
	}
	skipped := segments[0].Entry && !segments[0].HasCount
	l.Multiple = starts > 1
	l.Mapped = !skipped && wrapped != nil && wrapped.HasCount || enters
	if l.Mapped {
		if wrapped != nil {
			l.Count = wrapped.Count
		}
		l.Count = max(l.Count, most)
	}
	return l
}
