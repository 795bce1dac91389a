package handlers

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"proflens/decode"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/encode/stacks"
	"proflens/names"
	"proflens/store"
)

// heapOf is the heap profile of a source; the problem of one that has none.
func heapOf(src model.Source) (*model.HeapProfile, error) {
	p, ok := src.(*decode.Profile)
	if !ok {
		return nil, notHeld(&model.FormatError{Kind: model.KindIncompatible, Msg: "the profile has no heap profile"})
	}
	heap, err := p.HeapProfile()
	return heap, notHeld(err)
}

// heapExport writes the heap profile of a profile in a lossless form. What the
// form cannot hold stands in the header.
func heapExport(encode func(io.Writer, *model.HeapProfile) ([]model.Finding, error)) func(*values) prepare {
	return func(*values) prepare {
		return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
			heap, err := heapOf(src)
			if err != nil {
				return nil, err
			}
			return func(w io.Writer) error {
				_, err := encode(w, heap)
				return err
			}, nil
		}
	}
}

// stackExport writes the call stacks of a heap profile with one weight, w, or the
// procedures of DCPI's samples of one event.
func stackExport(write func(w io.Writer, p *stacks.Profile, value int, names stacks.Names) error) func(*values) prepare {
	return func(v *values) prepare {
		weight, form, event := choice(v, "w", store.HeapWeights...), stacks.Demangled, v.one("event")
		if choice(v, "names", nameWords...) == names.Mangled {
			form = stacks.Linkage
		}
		return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
			if d, ok := src.(*decode.Profile); ok && d.DCPI != nil {
				p, err := dcpiStacks(d.DCPI, false, event)
				return func(w io.Writer) error { return write(w, p, 0, form) }, err
			}
			if err := noEvents(event); err != nil {
				return nil, err
			}
			heap, err := heapOf(src)
			if err != nil {
				return nil, err
			}
			p, err := encode.HeapSamples(heap)
			if err != nil {
				return nil, notHeld(err)
			}
			value := slices.IndexFunc(p.Types, func(t stacks.Type) bool { return t.Name == encode.HeapWeights[string(weight)] })
			if value < 0 {
				return nil, notHeld(&model.FormatError{Kind: model.KindIncompatible, Msg: fmt.Sprintf("the heap profile does not have what %s needs", weight)})
			}
			return func(w io.Writer) error { return write(w, p, value, form) }, nil
		}
	}
}

// writeSpeedscope writes all values: the file's viewer chooses among them.
func writeSpeedscope(w io.Writer, p *stacks.Profile, _ int, names stacks.Names) error {
	return stacks.Speedscope(w, p, names)
}
