package chart

import (
	"proflens/internal/humanize"
)

// ByteRuler is a function's bytes on a line of 1000 units: covered stretches
// high, those that never ran low.
type ByteRuler struct {
	Stretches []RulerStretch
	Ticks     []Tick
	Label     string
}

// RulerStretch is bytes that are alike.
type RulerStretch struct {
	X, Width, Y, Height string
	Title               string
	Cover               Cover
}

// RulerSpan is bytes of a function from an offset to another, covered or not.
type RulerSpan struct {
	From, To uint32
	Covered  bool
	Title    string
}

// RulerStretches bounds what is drawn: what is finer is added up, and titles of
// more spans are not shown.
const RulerStretches = 400

// NewByteRuler draws the spans of a function of so many bytes, in order; nil
// where it has none.
func NewByteRuler(spans []RulerSpan, size uint32) *ByteRuler {
	if size == 0 {
		return nil
	}
	r := &ByteRuler{}
	covered := uint64(0)
	for _, s := range spans {
		if s.Covered {
			covered += uint64(s.To - s.From)
		}
	}
	r.Label = humanize.Say("{byte}, {} of them covered", size, covered)
	if len(spans) <= RulerStretches {
		for _, s := range spans {
			if s.To > s.From {
				part := 0.0
				if s.Covered {
					part = 1
				}
				r.Stretches = append(r.Stretches, rulerStretch(s.From, s.To, size, part, s.Title))
			}
		}
	} else {
		r.Stretches = mixedStretches(spans, size)
	}
	for _, v := range roundSteps(uint64(size)) {
		r.Ticks = append(r.Ticks, Tick{At: Along(float64(v) / float64(size)), Label: humanize.Int(v)})
	}
	return r
}

// mixedStretches cuts a function into even parts and says how much of each is
// covered.
func mixedStretches(spans []RulerSpan, size uint32) []RulerStretch {
	n := min(RulerStretches, int(size))
	var list []RulerStretch
	at := 0
	for i := range n {
		from, to := uint32(uint64(i)*uint64(size)/uint64(n)), uint32(uint64(i+1)*uint64(size)/uint64(n))
		covered := uint32(0)
		for at < len(spans) && spans[at].To <= from {
			at++
		}
		for j := at; j < len(spans) && spans[j].From < to; j++ {
			if spans[j].Covered {
				covered += min(spans[j].To, to) - max(spans[j].From, from)
			}
		}
		part := float64(covered) / float64(to-from)
		list = append(list, rulerStretch(from, to, size, part,
			humanize.Say("bytes {}–{}: {%0} covered", from, to-1, part)))
	}
	return list
}

func rulerStretch(from, to, size uint32, part float64, title string) RulerStretch {
	height := 30 + 70*part
	if part == 0 {
		height = 30
	}
	return RulerStretch{
		X: Decimal(1000 * float64(from) / float64(size)), Width: Decimal(1000 * float64(to-from) / float64(size)),
		Y: Decimal(100 - height), Height: Decimal(height), Title: title, Cover: NewCover(part),
	}
}
