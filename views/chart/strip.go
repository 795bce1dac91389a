package chart

import (
	"proflens/internal/humanize"
)

// Strip is a whole function in one row of bars, each the largest counter of
// its bucket, with the shown window marked. It is drawn in a box of 1000 by
// 100 that is stretched over the page.
type Strip struct {
	Bars   []StripBar
	Window *StripWindow // nil when all counters are shown
	Pages  []StripPage
	XTicks []Tick
	Label  string
}

// StripBar is one bucket of a strip.
type StripBar struct {
	X, Y, Width, Height string
	Step                int
}

// StripWindow is the part of the strip whose counters are listed.
type StripWindow struct{ X, Width string }

// StripPage is a part of the strip that links to its page of counters.
type StripPage struct {
	X, Width string
	URL      string
	Label    string
	Current  bool
}

// StripBuckets is how many bars a strip has at most.
const StripBuckets = 250

// leastStrip is the least number of counters that a strip is drawn for.
const leastStrip = 25

// roundUp is the next of 1, 2, 5, 10, 20 …
func roundUp(n int) int {
	for at := 1; ; at *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*at >= n {
				return m * at
			}
		}
	}
}

// brushParts is about how many parts a strip has that link to what they hold.
const brushParts = 24

// NewStrip draws counters with the window from..to, both inclusive; each part links
// to itself, and link makes the address. It returns nil for a function of so few
// counters that the list says it all.
func NewStrip(counters []uint64, from, to int, heat Heat, link func(from, to int) string) *Strip {
	n := len(counters)
	if n < leastStrip {
		return nil
	}
	var largest uint64
	for _, c := range counters {
		largest = max(largest, c)
	}
	buckets := min(n, StripBuckets)
	s := &Strip{Label: humanize.Plural(n, "counter") + " in order, log scale"}
	if buckets < n {
		s.Label += ", each bar the largest of about " + humanize.Int(n/buckets)
	}
	x := func(i int) float64 { return 1000 * float64(i) / float64(n) }
	for b := range buckets {
		first, end := b*n/buckets, (b+1)*n/buckets
		var v uint64
		for _, c := range counters[first:end] {
			v = max(v, c)
		}
		if v == 0 {
			continue
		}
		height := 100 * LogHeight(v, largest, BarDoublings)
		width := x(end) - x(first)
		if buckets <= StripBuckets/2 {
			width *= 0.86
		}
		s.Bars = append(s.Bars, StripBar{
			X: Decimal(x(first)), Width: Decimal(width), Y: Decimal(100 - height), Height: Decimal(height), Step: heat.Step(v),
		})
	}
	if from > 0 || to < n-1 {
		s.Window = &StripWindow{X: Decimal(x(from)), Width: Decimal(max(x(to+1)-x(from), 2))}
	}
	part := roundUp((n + brushParts - 1) / brushParts)
	for first := 0; first < n; first += part {
		last := min(first+part, n) - 1
		s.Pages = append(s.Pages, StripPage{
			X: Decimal(x(first)), Width: Decimal(x(last+1) - x(first)), URL: link(first, last),
			Label: humanize.Say("counters {}–{}", first, last), Current: first == from && last == to,
		})
	}
	for _, v := range roundSteps(uint64(n - 1)) {
		s.XTicks = append(s.XTicks, Tick{At: Along((float64(v) + 0.5) / float64(n)), Label: humanize.Int(v)})
	}
	return s
}

// NewTraceStrip draws functions in the order in which they first ran, each as
// its largest counter; length is how many the trace has, of which maxima may be
// an even choice. It returns nil for none.
func NewTraceStrip(maxima []uint64, length int, heat Heat) *Strip {
	n := len(maxima)
	if n == 0 {
		return nil
	}
	buckets := min(n, StripBuckets)
	s := &Strip{
		Label: humanize.Say("largest counter of {function} in order of first run, log scale", length),
	}
	if buckets < length {
		s.Label += ", each bar the largest of about " + humanize.Int(length/buckets)
	}
	if n < length {
		s.Label += ", not all of which were examined"
	}
	var largest uint64
	for _, m := range maxima {
		largest = max(largest, m)
	}
	for b := range buckets {
		var v uint64
		for _, m := range maxima[b*n/buckets : (b+1)*n/buckets] {
			v = max(v, m)
		}
		if v == 0 {
			continue
		}
		height, width := 100*LogHeight(v, largest, BarDoublings), 1000/float64(buckets)
		s.Bars = append(s.Bars, StripBar{
			X: Decimal(float64(b) * width), Y: Decimal(100 - height), Width: Decimal(width * 0.86), Height: Decimal(height),
			Step: heat.Step(v),
		})
	}
	return s
}
