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
}

// ProgramOf is what an executable knows, false when it has no counters.
func ProgramOf(i *symbol.Image) (p Program, ok bool) {
	s, ok := i.Section(countersSection)
	p = Program{PointerSize: i.PointerSize, BigEndian: i.BigEndian, CountersSize: s.Size}
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

// Fits reports whether p and q can be the same program: by their build ids when
// both have one, and always by the size of the counters, since the counters of
// another program would be given to the wrong functions without a sign.
func (p Program) Fits(q Program) bool {
	return p.differsFrom(q) == ""
}

// Same reports whether p and q share a build id.
func (p Program) Same(q Program) bool {
	return slices.ContainsFunc(p.BuildIDs, func(id string) bool { return slices.Contains(q.BuildIDs, id) })
}

// differsFrom says what of a profile's program differs from an executable's,
// empty when nothing does.
func (p Program) differsFrom(exe Program) string {
	switch {
	case len(p.BuildIDs) > 0 && len(exe.BuildIDs) > 0 && !p.Same(exe):
		return fmt.Sprintf("the profile's build id is %s, the program's %s", strings.Join(p.BuildIDs, ", "), exe.BuildIDs[0])
	case p.PointerSize != exe.PointerSize:
		return fmt.Sprintf("the profile is of a %d-bit program, this one is %d-bit", 8*p.PointerSize, 8*exe.PointerSize)
	case p.BigEndian != exe.BigEndian:
		return "they are of machines with different byte orders"
	case p.CountersSize != exe.CountersSize:
		return fmt.Sprintf("the profile has %s of counters, the program %d", wire.Plural(p.CountersSize, "byte"), exe.CountersSize)
	}
	return ""
}

// pick chooses the executable of a profile: one with its build id, or else the
// only one that can be it. Of a stripped executable and its debug info, which
// both have the build id, it is the one with what the profile lacks.
func (p *rawPart) pick(correlators []*Correlator) (*Correlator, error) {
	own := p.program(p.binaryIDs)
	var same, fit []*Correlator
	var why []string
	for _, c := range correlators {
		exe, ok := ProgramOf(c.image)
		differs := own.differsFrom(exe)
		switch {
		case !ok:
			why = append(why, fmt.Sprintf("%s: it has no section %s and was not built to be profiled", c.image.Name, countersSection))
		case differs != "":
			why = append(why, c.image.Name+": "+differs)
		case own.Same(exe):
			same = append(same, c)
		default:
			fit = append(fit, c)
		}
	}
	if len(same) > 0 {
		return p.useful(same)[0], nil
	}
	fit = p.useful(fit)
	switch len(fit) {
	case 0:
		return nil, p.mismatch("the profile was not recorded with "+strings.Join(why, "; nor with "), own)
	case 1:
		return fit[0], nil
	}
	return nil, p.mismatch(fmt.Sprintf("the profile may be of %s or of %s: neither has a build id to tell", fit[0].image.Name, fit[1].image.Name), own)
}

// useful is those that have what the profile lacks, or all when none has. All
// have then served: the others are parts of the same program.
func (p *rawPart) useful(correlators []*Correlator) []*Correlator {
	var useful []*Correlator
	for _, c := range correlators {
		c.used = true
		_, data := c.image.Section(binaryDataSection)
		if c.image.HasDebugInfo() || data && !p.variant.Has(DbgCorrelate) {
			useful = append(useful, c)
		}
	}
	if len(useful) == 0 {
		return correlators
	}
	return useful
}

func (p *rawPart) mismatch(msg string, own Program) error {
	fault := &model.FormatError{Kind: model.KindIncompatible, Section: p.section("header"), Field: headerFields[numCounters].name, Offset: p.at, Msg: msg}
	if len(own.BuildIDs) > 0 {
		fault.Section, fault.Field = p.section("binary ids"), "id"
		fault.Offset += 8 * uint64(len(p.format.header))
	}
	return fault
}
