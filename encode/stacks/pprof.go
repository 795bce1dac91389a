package stacks

import (
	"cmp"
	"io"
	"math"

	"github.com/google/pprof/profile"
)

// Pprof writes a gzipped profile.proto, which `go tool pprof` opens. Locations,
// functions and images are written once each; the whole is held, since the
// format has them after the samples. Values are signed there: larger ones become
// the largest, and clamped is how many did. The error is the source's or the
// writer's.
func Pprof(w io.Writer, p *Profile) (clamped int, err error) {
	b := &pprofBuilder{
		p:         &profile.Profile{DefaultSampleType: p.Types[0].Name},
		functions: map[pprofFunction]*profile.Function{}, locations: map[string]*profile.Location{},
		images: map[string]*profile.Mapping{},
	}
	for _, t := range p.Types {
		b.p.SampleType = append(b.p.SampleType, &profile.ValueType{Type: t.Name, Unit: t.Unit})
	}
	for _, c := range p.Comments {
		b.p.Comments = append(b.p.Comments, valid(c))
	}
	for s, err := range p.Samples {
		if err != nil {
			return b.clamped, err
		}
		b.add(s)
	}
	return b.clamped, b.p.Write(w)
}

type pprofBuilder struct {
	p         *profile.Profile
	functions map[pprofFunction]*profile.Function
	locations map[string]*profile.Location // by the lines in them
	images    map[string]*profile.Mapping
	key       []byte
	clamped   int
}

// pprofFunction tells functions apart.
type pprofFunction struct {
	name, linkage, file string
	start               int64
}

func (b *pprofBuilder) add(s *Sample) {
	sample := &profile.Sample{Value: make([]int64, len(s.Values))}
	for i, v := range s.Values {
		if v > math.MaxInt64 {
			v = math.MaxInt64
			b.clamped++
		}
		sample.Value[i] = int64(v)
	}
	for rest := s.Stack; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n-1].Inlined {
			n++
		}
		sample.Location = append(sample.Location, b.location(rest[:n]))
		rest = rest[n:]
	}
	for _, l := range s.Labels {
		if l.Text != "" {
			if sample.Label == nil {
				sample.Label = map[string][]string{}
			}
			sample.Label[l.Key] = append(sample.Label[l.Key], valid(l.Text))
			continue
		}
		if sample.NumLabel == nil {
			sample.NumLabel, sample.NumUnit = map[string][]int64{}, map[string][]string{}
		}
		sample.NumLabel[l.Key] = append(sample.NumLabel[l.Key], l.Number)
		sample.NumUnit[l.Key] = append(sample.NumUnit[l.Key], l.Unit)
	}
	b.p.Sample = append(b.p.Sample, sample)
}

// location is a place in the program: a frame with those inlined into it, the
// innermost first.
func (b *pprofBuilder) location(frames []Frame) *profile.Location {
	outer := &frames[len(frames)-1]
	lines := make([]profile.Line, len(frames))
	key := appendKey(b.key[:0], outer.Address)
	for i := range frames {
		lines[i] = profile.Line{Function: b.function(&frames[i]), Line: frames[i].Line}
		key = appendKey(appendKey(key, lines[i].Function.ID), uint64(frames[i].Line))
	}
	key = append(key, outer.Image...)
	b.key = key
	if l := b.locations[string(key)]; l != nil {
		return l
	}
	l := &profile.Location{
		ID: uint64(len(b.p.Location) + 1), Mapping: b.image(outer.Image), Address: outer.Address, Line: lines,
	}
	b.locations[string(key)] = l
	b.p.Location = append(b.p.Location, l)
	return l
}

func appendKey(b []byte, n uint64) []byte {
	for range 8 {
		b = append(b, byte(n))
		n >>= 8
	}
	return b
}

func (b *pprofBuilder) function(f *Frame) *profile.Function {
	key := pprofFunction{valid(f.Name), valid(cmp.Or(f.Linkage, f.Name)), f.File, f.Start}
	if known := b.functions[key]; known != nil {
		return known
	}
	made := &profile.Function{
		ID: uint64(len(b.p.Function) + 1), Name: key.name, SystemName: key.linkage, StartLine: f.Start,
	}
	if f.File != "" {
		made.Filename = valid(f.File)
	}
	b.functions[key] = made
	b.p.Function = append(b.p.Function, made)
	return made
}

// image is the mapping of a binary. Its functions are known, so that pprof does
// not look for the file.
func (b *pprofBuilder) image(name string) *profile.Mapping {
	if m := b.images[name]; m != nil {
		return m
	}
	m := &profile.Mapping{ID: uint64(len(b.p.Mapping) + 1), HasFunctions: true, HasFilenames: true}
	if name != "" {
		m.File = valid(name)
	}
	b.images[name] = m
	b.p.Mapping = append(b.p.Mapping, m)
	return m
}
