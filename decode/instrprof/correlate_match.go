package instrprof

import (
	"fmt"
	"slices"
	"strings"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// Program is what a correlated profile and its executable both know of the
// program, so that they can be put together. It does not alias a file.
type Program struct {
	BuildIDs     []string // in hexadecimal; none where the linker wrote none
	PointerSize  int
	BigEndian    bool
	CountersSize uint64 // bytes of all counters
	Slack        uint64 // bytes that CountersSize may be off by: what aligns counters in a Windows program
	Complete     bool   // the executable has what a profile may lack
}

// ProgramOf is what an executable knows, false when it has no counters.
func ProgramOf(i *symbol.Image) (p Program, ok bool) {
	s, ok := countersOf(i)
	p = Program{
		PointerSize: i.PointerSize, BigEndian: i.BigEndian, CountersSize: s.Size, Complete: hasRecords(i) || i.HasDebugInfo(),
	}
	if i.Format == symbol.FormatPE {
		p.Slack = 8
	}
	if id := i.BuildID(); id != nil {
		p.BuildIDs = []string{fmt.Sprintf("%x", id)}
	}
	return p, ok
}

// program is what a profile knows, given its binary ids.
func (h *rawHeader) program(ids [][]byte) Program {
	p := Program{PointerSize: h.pointerSize, BigEndian: h.bigEndian, CountersSize: h.word[numCounters] * h.counterSize()}
	for _, id := range ids {
		p.BuildIDs = append(p.BuildIDs, fmt.Sprintf("%x", id))
	}
	return p
}

// Fits reports whether p and q can be the same program: by their build IDs when
// both have one, and always by the size of the counters, since the counters of
// another program would be given to the wrong functions without a sign.
func (p Program) Fits(q Program) bool {
	return p.differsFrom(q) == ""
}

// Same reports whether p and q share a build ID.
func (p Program) Same(q Program) bool {
	return slices.ContainsFunc(p.BuildIDs, func(id string) bool { return slices.Contains(q.BuildIDs, id) })
}

// differsFrom says what of a profile's program differs from an executable's,
// empty when nothing does.
func (p Program) differsFrom(exe Program) string {
	switch {
	case len(p.BuildIDs) > 0 && len(exe.BuildIDs) > 0 && !p.Same(exe):
		return fmt.Sprintf("the profile's build ID is %s, the program's %s", strings.Join(p.BuildIDs, ", "), exe.BuildIDs[0])
	case p.PointerSize != exe.PointerSize:
		return fmt.Sprintf("the profile is of a %d-bit program, this one is %d-bit", 8*p.PointerSize, 8*exe.PointerSize)
	case p.BigEndian != exe.BigEndian:
		return "they come from machines with different byte orders"
	case max(p.CountersSize, exe.CountersSize)-min(p.CountersSize, exe.CountersSize) > exe.Slack:
		return fmt.Sprintf("the profile has %s of counters, the program %d", wire.Plural(p.CountersSize, "byte"),
			exe.CountersSize)
	}
	return ""
}

// pick chooses the executable of a profile: one with its build ID, or else the
// only one that can be it. Of a stripped executable and its debug info, which
// both have the build ID, it is the one with what the profile lacks.
func (p *rawPart) pick(correlators []*Correlator) (candidate, error) {
	own := p.program(p.binaryIDs)
	var same, fit []candidate
	var why []string
	for _, c := range correlators {
		for _, image := range c.images {
			exe, ok := ProgramOf(image)
			differs := own.differsFrom(exe)
			switch {
			case !ok:
				why = append(why, fmt.Sprintf("%s: it has no section %s and was not built to be profiled", image.Title(),
					namesOf(image).counters))
			case differs != "":
				why = append(why, image.Title()+": "+differs)
			case own.Same(exe):
				same = append(same, candidate{c, image})
			default:
				fit = append(fit, candidate{c, image})
			}
		}
	}
	if len(same) > 0 {
		return p.useful(same)[0], nil
	}
	fit = p.useful(fit)
	if len(fit) == 0 {
		return candidate{}, p.mismatch("the profile was not recorded with "+strings.Join(why, "; nor with "), own)
	}
	for _, other := range fit[1:] {
		if !p.equal(fit[0], other) {
			return candidate{}, p.mismatch(fmt.Sprintf("the profile may be of %s or of %s: neither has a build ID to tell",
				fit[0].image.Title(), other.image.Title()), own)
		}
	}
	return fit[0], nil
}

// equal reports whether two architectures of one fat file say the same to a
// profile: that the same functions have the same counters at the same places.
func (p *rawPart) equal(a, b candidate) bool {
	if a.Correlator != b.Correlator {
		return false
	}
	of, err := a.find(p)
	other, otherErr := b.find(p)
	return err == nil && otherErr == nil && slices.EqualFunc(of.probes, other.probes, func(x, y probe) bool {
		return x.nameRef == y.nameRef && x.funcHash == y.funcHash && x.counters == y.counters &&
			x.numCounters == y.numCounters &&
			x.bitmap == y.bitmap && x.numBitmap == y.numBitmap
	})
}

// useful is those that have what the profile lacks, or all when none has. All
// have then served: the others are parts of the same program.
func (p *rawPart) useful(candidates []candidate) []candidate {
	var useful []candidate
	for _, c := range candidates {
		c.used = true
		if c.image.HasDebugInfo() || hasRecords(c.image) && !p.variant.Has(DbgCorrelate) {
			useful = append(useful, c)
		}
	}
	if len(useful) == 0 {
		return candidates
	}
	return useful
}

func (p *rawPart) mismatch(msg string, own Program) error {
	fault := &model.FormatError{
		Kind: model.KindIncompatible, Section: p.section("header"), Field: headerFields[numCounters].name, Offset: p.at,
		Msg: msg,
	}
	if len(own.BuildIDs) > 0 {
		fault.Section, fault.Field = p.section("binary ids"), "id"
		fault.Offset += 8 * uint64(len(p.format.header))
	}
	return fault
}
