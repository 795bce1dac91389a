package main

import (
	"fmt"
	"io"
	"slices"

	"proflens/decode"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/encode/stacks"
)

// heapSamples is the heap profile of a profile as samples of call stacks.
func heapSamples(p *decode.Profile) (*stacks.Profile, error) {
	heap, err := p.HeapProfile()
	if err != nil {
		return nil, err
	}
	return encode.HeapSamples(heap)
}

// writePprof writes the call stacks of a heap profile, and the functions of
// another profile.
func writePprof(w io.Writer, p *decode.Profile, _ exportOptions) ([]model.Finding, error) {
	if p.MemProf == nil && p.DCPI == nil {
		return encode.Pprof(w, p.Source)
	}
	samples, err := stackSamples(p, true)
	if err != nil {
		return nil, err
	}
	clamped, err := stacks.Pprof(w, samples)
	if clamped == 0 {
		return nil, err
	}
	return []model.Finding{{Severity: model.Warning, Code: "pprof.clamped", Count: uint64(clamped),
		Message: fmt.Sprintf("%d values are larger than the format can hold; the largest that it can stands for them", clamped)}}, err
}

// stackSamples are the call stacks of a heap profile, or the images and
// procedures of DCPI's samples, by address where addresses is set.
func stackSamples(p *decode.Profile, addresses bool) (*stacks.Profile, error) {
	if p.DCPI != nil {
		return encode.DCPISamples(p.DCPI, addresses, "")
	}
	return heapSamples(p)
}

// writeFolded writes the call stacks of a heap profile with one weight, or what
// DCPI sampled of each procedure: the samples of cycles, where there are some.
func writeFolded(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error) {
	if p.DCPI != nil {
		samples, err := stackSamples(p, false)
		if err != nil {
			return nil, err
		}
		return nil, stacks.Folded(w, samples, 0, stacks.Demangled)
	}
	name, ok := encode.HeapWeights[o.weight]
	if !ok {
		return nil, usageError{fmt.Sprintf("export: unknown weight %q; bytes, allocations, lifetime or accesses is right", o.weight)}
	}
	samples, err := heapSamples(p)
	if err != nil {
		return nil, err
	}
	value := slices.IndexFunc(samples.Types, func(t stacks.Type) bool { return t.Name == name })
	if value < 0 {
		return nil, &model.FormatError{Kind: model.KindIncompatible, Msg: fmt.Sprintf("the heap profile does not have what -w %s needs", o.weight)}
	}
	return nil, stacks.Folded(w, samples, value, stacks.Demangled)
}

// writeSpeedscope writes the call stacks of a heap profile with all its weights.
func writeSpeedscope(w io.Writer, p *decode.Profile, _ exportOptions) ([]model.Finding, error) {
	samples, err := heapSamples(p)
	if err != nil {
		return nil, err
	}
	return nil, stacks.Speedscope(w, samples, stacks.Demangled)
}
