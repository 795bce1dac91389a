package coverage

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"sort"

	"proflens/decode/covmap"
)

// layers lays what functions have in a file on one another. An instance is what one file id
// of a function has in the file: its body, or a macro that it uses. Instances that begin at
// one place are of one piece of source, in a template's instances, in units, at the places
// of a macro; a line counts as often as they count it together. What begins elsewhere lies
// on it, as a lambda lies on the function that it is in.
//
// Laid on one another, as llvm-cov does, the region that only one of them has would hide
// what another ran.
type layers struct {
	regions []*Region
	ends    []int // of instances: where in regions the next begins
	of      *Function
	id      uint32 // of the last region

	all, one  segmenter // of the file, and of one instance
	instances []instance
	shape     []span // of the first instance of a place
	changes   []change
	groups    []group
	runs      []run  // of lines, of one group after the other
	counted   []span // regions, once for every place; where nothing is uneven, all has them
	uneven    bool
}

// several, as what a segment is of, is instances of several places.
const several = -1

// instance is some of the regions.
type instance struct {
	start    uint64
	from, to int
}

// group is the lines of the instances of one place: some of the runs.
type group struct{ from, to int }

// run is lines on end, up to the next run, that count alike.
type run struct {
	first  uint64
	count  uint64
	mapped bool
}

func (l *layers) reset() { l.regions, l.ends, l.of = l.regions[:0], l.ends[:0], nil }

// add adds a region; those of a function's file id come one after the other.
func (l *layers) add(f *Function, r *Region) {
	if n := len(l.regions); n > 0 && (l.of != f || l.id != r.File) {
		l.ends = append(l.ends, n)
	}
	l.of, l.id = f, r.File
	l.regions = append(l.regions, r)
}

// build makes the segments of what was added. They are valid until the next call.
func (l *layers) build() []Segment {
	l.all.own, l.one.own, l.uneven = true, true, false
	l.all.spans, l.groups, l.runs, l.counted = l.all.spans[:0], l.groups[:0], l.runs[:0], l.counted[:0]
	l.divide()
	for rest := l.instances; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].start == rest[0].start {
			n++
		}
		if n == 1 {
			l.lay(rest[:1], 0)
		} else {
			l.group(rest[:n])
		}
		rest = rest[n:]
	}
	return l.all.build()
}

// divide finds the instances, by where they begin.
func (l *layers) divide() {
	l.instances = l.instances[:0]
	from := 0
	for i := 0; from < len(l.regions); i++ {
		to := len(l.regions)
		if i < len(l.ends) {
			to = l.ends[i]
		}
		l.instances = append(l.instances, instance{place(l.regions[from].Start), from, to})
		from = to
	}
	slices.SortStableFunc(l.instances, func(a, b instance) int { return cmp.Compare(a.start, b.start) })
}

// lay adds instances to the file as they are.
func (l *layers) lay(list []instance, of int32) {
	for _, in := range list {
		for _, r := range l.regions[in.from:in.to] {
			s := spanOf(r)
			s.of = of
			l.all.spans = append(l.all.spans, s)
			l.counted = append(l.counted, s)
		}
	}
}

// segments are those of one instance.
func (l *layers) segments(in instance) []Segment {
	for _, r := range l.regions[in.from:in.to] {
		l.one.add(r)
	}
	return l.one.build()
}

// group adds up the instances of one place.
func (l *layers) group(list []instance) {
	even := true
	l.changes = l.changes[:0]
	for i, in := range list {
		segments := l.segments(in)
		if i == 0 {
			l.shape = append(l.shape[:0], l.one.merged...)
		}
		even = even && slices.EqualFunc(l.shape, l.one.merged, func(a, b span) bool {
			return a.start == b.start && a.end == b.end && a.kind == b.kind
		})
		for line := range linesOf(segments, true) {
			if line.Mapped {
				l.changes = append(l.changes, change{at: uint64(line.First), to: line.Count, has: 1}, change{
					at: uint64(line.Last) + 1, from: line.Count, has: -1,
				})
			}
		}
	}
	g := group{from: len(l.runs)}
	for at, sum := range sums(l.changes) {
		l.runs = append(l.runs, run{at, sum.count(), sum.has > 0})
	}
	g.to = len(l.runs)
	l.groups = append(l.groups, g)
	of := int32(len(l.groups))
	if even {
		l.lay(list, of)
		return
	}
	l.blend(list, of)
}

// blend adds to the file, place by place, what instances of several shapes come to.
func (l *layers) blend(list []instance, of int32) {
	l.uneven = true
	l.changes = l.changes[:0]
	for _, in := range list {
		var last Segment
		for _, s := range l.segments(in) {
			c := change{at: place(s.Position), from: last.Count, to: s.Count, enters: s.Entry && s.HasCount}
			c.has, c.gap, c.skip = flag(s.HasCount)-flag(last.HasCount), flag(s.Gap)-flag(last.Gap),
				flag(s.skips())-flag(last.skips())
			l.changes = append(l.changes, c)
			last = s
		}
	}
	from := len(l.all.spans)
	for at, sum := range sums(l.changes) {
		if n := len(l.all.spans); n > from && l.all.spans[n-1].end == 0 {
			l.all.spans[n-1].end = at
		}
		s := span{start: at, count: sum.count(), resumed: !sum.enters, of: of}
		switch {
		case sum.has > 0 && sum.gap == sum.has:
			s.kind = covmap.Gap
		case sum.has > 0:
			s.kind = covmap.Code
		case sum.skip > 0:
			s.kind = covmap.Skipped
		default:
			continue
		}
		l.all.spans = append(l.all.spans, s)
	}
	flat := l.all.spans[from:]
	for _, in := range list {
		for _, r := range l.regions[in.from:in.to] {
			s := spanOf(r)
			if at := sort.Search(len(flat), func(i int) bool { return flat[i].start > s.start }) - 1; at >= 0 &&
				s.start < flat[at].end {
				s.count = max(s.count, flat[at].count) // another ran what this one has in a region of its own
			}
			l.counted = append(l.counted, s)
		}
	}
}

// places are the regions with the counts of all that are at one place.
func (l *layers) places() []span {
	if !l.uneven {
		return l.all.merged
	}
	sortSpans(l.counted)
	return combined(l.counted)
}

// lines are those of the segments that were built.
func (l *layers) lines(segments []Segment) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for line := range linesOf(segments, true) {
			if of := line.of(); of > 0 {
				line.Count, line.Mapped = l.at(l.groups[of-1], uint64(line.First))
			}
			if !yield(line) {
				return
			}
		}
	}
}

// of is what all that counts in a line is of; 0 for one instance or none.
func (l *Line) of() int32 {
	of := int32(0)
	if w := l.Wrapped; w != nil && w.HasCount {
		of = w.of
	} else if !l.Mapped {
		return 0
	}
	for i := range l.Segments {
		switch s := &l.Segments[i]; {
		case !s.Entry || !s.HasCount || s.of == of:
		case of == 0 && (l.Wrapped == nil || !l.Wrapped.HasCount):
			of = s.of
		default:
			return several
		}
	}
	return of
}

// at is what the instances of a place say of a line.
func (l *layers) at(g group, line uint64) (count uint64, mapped bool) {
	runs := l.runs[g.from:g.to]
	i := sort.Search(len(runs), func(i int) bool { return runs[i].first > line }) - 1
	if i < 0 {
		return 0, false
	}
	return runs[i].count, runs[i].mapped
}

// change is what one of many says otherwise from a place on.
type change struct {
	at             uint64
	from, to       uint64
	has, gap, skip int32
	enters         bool
}

// flag is 1 for what is so.
func flag(is bool) int32 {
	if is {
		return 1
	}
	return 0
}

// skips reports whether a segment begins what is skipped, rather than nothing.
func (s *Segment) skips() bool { return s.Entry && !s.HasCount }

// sum is what many say together.
type sum struct {
	high, low      uint64
	has, gap, skip int32
	enters         bool
}

// count is at most the largest number that there is: it does not wrap.
func (s *sum) count() uint64 {
	if s.high > 0 {
		return ^uint64(0)
	}
	return s.low
}

// sums is what changes come to from each place on.
func sums(changes []change) iter.Seq2[uint64, sum] {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	return func(yield func(uint64, sum) bool) {
		var now sum
		for i := range changes {
			c := &changes[i]
			var carry uint64
			now.low, carry = bits.Add64(now.low, c.to, 0)
			now.high += carry
			now.low, carry = bits.Sub64(now.low, c.from, 0)
			now.high -= carry
			now.has, now.gap, now.skip, now.enters = now.has+c.has, now.gap+c.gap, now.skip+c.skip, now.enters || c.enters
			if i+1 < len(changes) && changes[i+1].at == c.at {
				continue
			}
			if !yield(c.at, now) {
				return
			}
			now.enters = false
		}
	}
}
