package memprof

import (
	"bytes"
	"slices"

	"proflens/decode/symbol"
)

// Executable is what tells whether an executable is a module of a raw profile.
// It does not alias a file.
type Executable struct {
	BuildID  []byte
	PIE      bool
	Segments []symbol.Segment // with code
	Split    bool             // not loaded, but split debug info of one that was
	SplitIDs []uint64         // what ties either to the other; nil where that is not known
}

// ExecutableOf is what tells an image.
func ExecutableOf(image *symbol.Image) Executable {
	return Executable{
		slices.Clone(image.BuildID()), image.IsPIE(), image.ExecutableSegments(), image.IsSplitDWARF(), image.SplitIDs(),
	}
}

// LeftOut reports whether split debug info is of the program.
func (x *Executable) LeftOut(split *Executable) bool {
	return slices.ContainsFunc(split.SplitIDs, func(id uint64) bool {
		_, ok := slices.BinarySearch(x.SplitIDs, id)
		return ok
	})
}

// Program is an executable, shared object or file of debug info that raw
// profiles may have been recorded with. Several profiles share one, and what
// has been read of it.
type Program struct {
	Image  *symbol.Image
	is     Executable
	splits []*symbol.Image

	symbolizer *symbol.Symbolizer
	err        error
	opened     bool
	used       bool
	told       bool // its findings have been taken
}

// NewProgram is an image with the split debug info that may belong to it.
func NewProgram(image *symbol.Image, splits []*symbol.Image) *Program {
	return &Program{Image: image, is: ExecutableOf(image), splits: splits}
}

// Used reports whether a profile was recorded with the program.
func (p *Program) Used() bool { return p.used }

// Symbolizer reads the debug info when it is first needed. Errors are those of
// [symbol.NewSymbolizer] and [symbol.Symbolizer.AddSplit].
func (p *Program) Symbolizer() (*symbol.Symbolizer, error) {
	if p.opened {
		return p.symbolizer, p.err
	}
	p.opened = true
	if p.symbolizer, p.err = symbol.NewSymbolizer(p.Image); p.err != nil {
		return nil, p.err
	}
	for _, split := range p.splits {
		if err := p.symbolizer.AddSplit(split); err != nil {
			p.err = err
			return nil, err
		}
	}
	return p.symbolizer, nil
}

// loaded is a program as one segment of a profile has it.
type loaded struct {
	program *Program
	bias    uint64 // of addresses in the process over those in the program
}

// fit finds whether a module is of an executable, and where it was loaded: by build
// id, or before raw version 3, which has none, by how much of the file is
// mapped where (memprof.md §2.2). strict is for the latter: an executable at
// fixed addresses also fits what covers them in another way.
func (x *Executable) fit(m *Module, version uint64, strict bool) (bias uint64, ok bool) {
	if version >= 3 {
		return m.Offset, len(m.BuildID) > 0 && bytes.Equal(m.BuildID, x.BuildID)
	}
	for _, s := range x.Segments {
		start, end := s.Addr&^(page-1), (s.Addr+s.Size+page-1)&^(page-1)
		same := m.End-m.Start == end-start && m.Offset == s.Offset&^(page-1)
		switch {
		case x.PIE:
			ok = same && m.Start >= leastPIE
		case strict:
			ok = same && m.Start == start
		default:
			ok = m.Start <= s.Addr && s.Addr < m.End
		}
		if ok {
			return m.Start - start, true
		}
	}
	return 0, false
}

const page = 4096

// leastPIE is below every address that Linux loads position-independent programs
// at, and above those of programs at fixed ones.
const leastPIE = 1 << 32

// locate finds the program of each module, preferring one with debug info, since
// a program that was stripped and its debug info have one build ID.
func locate(modules []Module, version uint64, programs []*Program) []loaded {
	out := make([]loaded, len(modules))
	for _, strict := range []bool{true, false} {
		for i := range modules {
			for _, p := range programs {
				bias, ok := p.is.fit(&modules[i], version, strict)
				if !ok {
					continue
				}
				p.used = true
				if out[i].program == nil || !out[i].program.Image.HasDebugInfo() && p.Image.HasDebugInfo() {
					out[i] = loaded{p, bias}
				}
			}
		}
		if slices.ContainsFunc(out, func(l loaded) bool { return l.program != nil }) {
			break
		}
	}
	for i, l := range out {
		if l.program != nil {
			modules[i].File = l.program.Image.Name
		}
	}
	return out
}

// Fits reports whether an executable is one of the modules of a raw profile.
func (p *Peek) Fits(x *Executable) bool {
	for i := range p.Modules {
		if _, ok := x.fit(&p.Modules[i], p.Version, true); ok {
			return true
		}
	}
	return false
}
