package encode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/decode/model"
	"proflens/encode/stacks"
)

// stackRange is how many bytes of an image without procedures are one frame.
const stackRange = 1024

// DCPISamples is a database of samples as stacks of two frames: an image and a
// procedure in it. Each event has two values, its samples and how often it
// happened, which is estimated; cycles whose processor's speed is known are CPU
// time too. With addresses there is a sample for each address, else
// for each procedure. The first value is the samples of first; where that is empty,
// or no event, those of cycles, where there are some.
//
// The error is [model.KindIncompatible] when there is no profile.
func DCPISamples(db *dcpi.Database, addresses bool, first string) (*stacks.Profile, error) {
	d := &dcpiStacks{db: db, addresses: addresses}
	for p := range db.Profiles() {
		if !slices.Contains(d.events, p.Event) {
			d.events = append(d.events, p.Event)
		}
		d.timed = d.timed || strings.EqualFold(p.Event, "cycles") && p.CPUSpeed > 0
	}
	if len(d.events) == 0 {
		return nil, model.Faultf(model.KindIncompatible, "there are no samples to write")
	}
	slices.SortStableFunc(d.events, func(a, b string) int {
		rank := func(event string) int {
			switch {
			case event == first:
				return 0
			case strings.EqualFold(event, "cycles"):
				return 1
			}
			return 2
		}
		return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
	})
	s := &stacks.Profile{Name: "DCPI", Samples: d.samples, Comments: []string{
		"samples by instruction address: image and procedure; callers were not recorded",
		"events are estimated: samples times the period between two",
	}}
	for _, event := range d.events {
		s.Types = append(s.Types, stacks.Type{Name: event + "_samples", Unit: "count"},
			stacks.Type{Name: event, Unit: "count"})
	}
	if d.timed {
		s.Types = append(s.Types, stacks.Type{Name: "cpu", Unit: "nanoseconds"})
	}
	return s, nil
}

type dcpiStacks struct {
	db        *dcpi.Database
	addresses bool
	events    []string
	timed     bool
}

// stackCount is what one profile counted at one offset.
type stackCount struct {
	offset  uint64
	count   uint32
	profile int32 // of those of the image
}

// samples yields the stacks image by image.
func (d *dcpiStacks) samples(yield func(*stacks.Sample, error) bool) {
	byImage := make([][]*dcpi.Profile, len(d.db.Images))
	for p := range d.db.Profiles() {
		byImage[p.ImageIndex] = append(byImage[p.ImageIndex], p)
	}
	for i, profiles := range byImage {
		var counts []stackCount
		for n, p := range profiles {
			for chunk := range p.Each {
				for at, count := range chunk.Counts {
					if count > 0 {
						counts = append(counts, stackCount{chunk.Offset + p.Stride*uint64(at), count, int32(n)})
					}
				}
			}
		}
		if len(profiles) > 1 {
			slices.SortStableFunc(counts, func(a, b stackCount) int { return cmp.Compare(a.offset, b.offset) })
		}
		if !d.image(&d.db.Images[i], profiles, counts, yield) {
			return
		}
	}
}

// image yields the stacks of one image. Its counts are by offset, so that those
// of an address, and of a procedure, follow each other.
func (d *dcpiStacks) image(image *dcpi.Image, profiles []*dcpi.Profile, counts []stackCount,
	yield func(*stacks.Sample, error) bool) bool {
	f := newFrames(d.db, image)
	s := &stacks.Sample{Stack: make([]stacks.Frame, 2), Values: make([]uint64, 2*len(d.events)+1)}
	if !d.timed {
		s.Values = s.Values[:2*len(d.events)]
	}
	for len(counts) > 0 {
		first := image.Base + counts[0].offset
		to := f.at(first) // the first address after the frame
		s.Stack[0], s.Stack[1] = f.procedure, f.image
		if s.Stack[0].Address = f.start; d.addresses {
			s.Stack[0].Address = first
		}
		clear(s.Values)
		for len(counts) > 0 {
			address := image.Base + counts[0].offset
			if address < first || address >= to || d.addresses && address != first {
				break
			}
			d.add(s.Values, profiles[counts[0].profile], uint64(counts[0].count))
			counts = counts[1:]
		}
		if !yield(s, nil) {
			return false
		}
	}
	return true
}

// add adds samples of a profile to the values of its event.
func (d *dcpiStacks) add(values []uint64, p *dcpi.Profile, count uint64) {
	rate := analyze.DCPIRate{Period: p.Period, Fraction: p.Fraction, CPUSpeed: p.CPUSpeed}
	i := 2 * slices.Index(d.events, p.Event)
	values[i] += count
	values[i+1] += rounded(rate.Events(count))
	if seconds, ok := rate.Seconds(count); ok && strings.EqualFold(p.Event, "cycles") {
		values[len(values)-1] += rounded(seconds * 1e9)
	}
}

// rounded is an estimate as a whole number, the largest where it passes that.
func rounded(v float64) uint64 {
	if v >= math.MaxInt64 {
		return math.MaxInt64
	}
	return uint64(math.Round(v))
}

// frames finds the frames of an image's addresses.
type frames struct {
	procedures       *analyze.ProcedureMap
	base             uint64
	image, procedure stacks.Frame
	start            uint64 // address of procedure; 0 for what is outside all
}

func newFrames(db *dcpi.Database, image *dcpi.Image) *frames {
	f := &frames{base: image.Base, image: stacks.Frame{Name: image.Label, Image: image.Label}}
	if len(image.Paths) > 0 {
		f.image.Image = image.Paths[0]
	}
	var list []dcpi.Procedure
	if image.Listing >= 0 {
		list = db.Listings[image.Listing].Procedures
	}
	end := uint64(0)
	if image.TextSize > 0 {
		end = image.Base + image.TextSize
	}
	f.procedures = analyze.NewProcedureMap(list, end)
	return f
}

// at sets the procedure of an address and returns the first address after it.
func (f *frames) at(address uint64) (to uint64) {
	f.procedure = stacks.Frame{Image: f.image.Image}
	if f.procedures.Len() == 0 {
		f.start = address - (address-f.base)%stackRange
		f.procedure.Name = fmt.Sprintf("0x%x", f.start)
		return f.start + stackRange
	}
	i, from, to := f.procedures.Span(address)
	if i < 0 {
		f.procedure.Name, f.start = "(no symbol)", 0
		return to
	}
	p, _ := f.procedures.At(i)
	f.procedure.Name, f.start = p.Name, from
	return to
}
