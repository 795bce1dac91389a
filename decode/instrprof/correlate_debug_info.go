package instrprof

import (
	"context"
	"debug/dwarf"
	"errors"
	"iter"
	"math"

	"proflens/decode/symbol"
)

// How clang describes a function's counters in the debug info: a variable
// inside the function, with annotations as its children.
const (
	counterPrefix   = "__profc_"
	annotationTag   = dwarf.Tag(0x6000) // DW_TAG_LLVM_annotation
	functionNameKey = "Function Name\x00"
	cfgHashKey      = "CFG Hash\x00"
	numCountersKey  = "Num Counters\x00"
)

// debugInfo reads the records of a program built with
// -profile-correlate=debug-info from its debug info.
func (s *search) debugInfo(ctx context.Context) error {
	s.found.section = ".debug_info"
	if s.image.Format == symbol.FormatPE {
		return s.unable(s.found.section,
			"debug info of Windows programs is not supported: build the program with -profile-correlate=binary")
	}
	d, err := s.image.DWARF()
	if errors.Is(err, symbol.ErrNoDebugInfo) {
		if s.image.Format == symbol.FormatMachO {
			return s.unable(s.found.section,
				"the program has no debug info: give its .dSYM bundle, which dsymutil makes from the object files")
		}
		return s.unable(s.found.section, "the program has no debug info: it was stripped, or built without -g")
	}
	if err != nil {
		return err
	}
	s.mostNames = claimable(d.Size())
	for a, err := range annotatedIn(ctx, d) {
		if err != nil {
			return err
		}
		if err := s.addAnnotated(a); err != nil {
			return err
		}
	}
	return nil
}

// annotatedIn yields the counters that debug info describes, in the order of the file. What is
// yielded is valid until the next.
func annotatedIn(ctx context.Context, d *symbol.DWARF) iter.Seq2[*annotated, error] {
	return func(yield func(*annotated, error) bool) {
		var open *annotated // the variable whose annotations come next
		for e, err := range d.Entries(ctx, variableOrAnnotation) {
			switch {
			case err != nil:
				yield(nil, err)
				return
			case e.Tag == annotationTag:
				if open != nil && e.Parent.ID == open.id {
					open.annotate(e)
				}
			case isCounters(e):
				if open != nil && !yield(open, nil) {
					return
				}
				open = newAnnotated(e)
			}
		}
		if open != nil {
			yield(open, nil)
		}
	}
}

func variableOrAnnotation(tag dwarf.Tag) bool {
	return tag == dwarf.TagVariable || tag == annotationTag
}

// isCounters reports whether an entry is the variable of a function's counters.
func isCounters(e *symbol.Entry) bool {
	return e.Tag == dwarf.TagVariable && e.Parent.Tag == dwarf.TagSubprogram && e.HasPrefix(dwarf.AttrName, counterPrefix)
}

// annotated is what the debug info says of one function's counters.
type annotated struct {
	id, function           uint64 // of the variable, and of the entry around it
	probe                  probe
	address                uint64
	name                   []byte
	located, hashed, sized bool
}

func newAnnotated(e *symbol.Entry) *annotated {
	a := &annotated{id: e.ID, function: e.Parent.ID, probe: probe{at: e.Offset}}
	a.address, a.located = e.Location()
	return a
}

// annotate takes a child of the variable. A value that is of another type than
// it should be is none, as for LLVM.
func (a *annotated) annotate(e *symbol.Entry) {
	switch {
	case !e.Has(dwarf.AttrConstValue):
	case e.HasPrefix(dwarf.AttrName, functionNameKey):
		a.name, _ = e.String(dwarf.AttrConstValue)
	case e.HasPrefix(dwarf.AttrName, cfgHashKey):
		a.probe.funcHash, a.hashed = e.Uint(dwarf.AttrConstValue)
	case e.HasPrefix(dwarf.AttrName, numCountersKey):
		a.probe.numCounters, a.sized = e.Uint(dwarf.AttrConstValue)
	}
}

// addAnnotated adds a function whose annotations have all been seen. One that
// has no address was not linked.
func (s *search) addAnnotated(a *annotated) error {
	if !a.located {
		return nil
	}
	if len(a.name) == 0 || !a.hashed || !a.sized {
		s.found.incomplete++
		return nil
	}
	a.probe.nameRef = NameRef(a.name)
	if s.add(a.probe, a.address) {
		if names := uint64(len(s.found.names.text)); names > min(s.mostNames, math.MaxUint32/2) ||
			!s.image.Allowance().Take(uint64(len(a.name))) {
			return s.tooManyNames(s.found.section, a.probe.at)
		}
		s.found.names.add(a.name)
	}
	return nil
}
