package instrprof

import (
	"context"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// Correlator finds in an executable the data records and names that profiles
// of its program left out (instrprof.md §2.10), as llvm-profdata merge does
// with --debug-info and --binary-file. One serves all profiles of a program and
// looks once. It is not safe for concurrent use.
type Correlator struct {
	ctx    context.Context
	images []*symbol.Image // of one file
	found  map[correlationKey]*correlation
	used   bool
}

// candidate is an image of a correlator.
type candidate struct {
	*Correlator
	image *symbol.Image
}

// correlationKey tells apart what an executable says to different profiles.
type correlationKey struct {
	image     *symbol.Image
	debugInfo bool
	version   uint64
	kinds     int
	size      uint64 // bytes of the counters
}

// correlation is what an executable has for a profile.
type correlation struct {
	section    string // that the records are in
	counters   string // that the counters are in
	probes     []probe
	names      symtab
	outside    uint64 // records whose counters are not in the program
	incomplete uint64 // entries of the debug info that lack something
	bitmapless bool   // it has not whose the bitmaps are
}

// probe is one function's record, as far as a correlated profile can have it:
// no value sites, and a bitmap only where records are in the program.
type probe struct {
	nameRef, funcHash uint64
	counters          uint64 // offset of the first in the counters section, in bytes
	numCounters       uint64
	bitmap            uint64 // offset in the section of bitmaps
	numBitmap         uint64 // bytes; 0 where unknown
	function          uint64 // address of the function, 0 where unknown
	at                uint64 // offset in the executable's file
}

// NewCorrelator makes one for an executable: its image, or one for each
// architecture of a fat file. ctx ends a search in its debug info.
func NewCorrelator(ctx context.Context, images []*symbol.Image) *Correlator {
	return &Correlator{ctx: ctx, images: images, found: map[correlationKey]*correlation{}}
}

// Used reports whether some profile was the executable's.
func (c *Correlator) Used() bool { return c.used }

// correlate gives a profile without records those of its executable.
func (p *rawPart) correlate(correlators []*Correlator) error {
	if len(correlators) == 0 || !p.correlated() {
		return nil
	}
	if p.word[countersDelta] != 0 || p.word[namesDelta] != 0 {
		return &model.FormatError{
			Kind: model.KindUnexpectedCorrelate, Section: p.section("header"), Field: "CountersDelta", Offset: p.at,
			Msg: "the profile has addresses but no records to use them", Expected: "0",
			Found: fmt.Sprintf("0x%x", p.word[countersDelta]),
		}
	}
	c, err := p.pick(correlators)
	if err != nil {
		return err
	}
	if p.correlation, err = c.find(p); err != nil {
		return err
	}
	return p.adopt(c.image)
}

// find is what the executable has for a profile like p.
func (c candidate) find(p *rawPart) (*correlation, error) {
	key := correlationKey{c.image, p.variant.Has(DbgCorrelate), p.version, p.records.kinds, p.counters.size()}
	if found := c.found[key]; found != nil {
		return found, nil
	}
	found, err := c.search(p)
	if err == nil {
		c.found[key] = found
	}
	return found, err
}

// search reads the executable for a profile like p.
func (c candidate) search(p *rawPart) (*correlation, error) {
	s := &search{image: c.image, part: p, names: namesOf(c.image), seen: map[uint64]bool{}}
	s.counters, _ = countersOf(c.image) // pick has seen it
	s.found.counters = s.names.counters
	read := s.binary
	if p.variant.Has(DbgCorrelate) || s.onlyDebugInfo() {
		s.found.bitmapless = true
		read = func() error { return s.debugInfo(c.ctx) }
	}
	if err := read(); err != nil {
		return nil, err
	}
	if len(s.found.probes) == 0 {
		return nil, s.unable(s.found.section, "the program has no function records that match the profile")
	}
	return &s.found, nil
}

// onlyDebugInfo reports whether the program can only have been built for
// debug-info correlation. The flag in the profile says so for IR
// instrumentation alone.
func (s *search) onlyDebugInfo() bool {
	return !hasRecords(s.image) && s.image.HasDebugInfo()
}

// search collects what an executable has.
type search struct {
	image    *symbol.Image
	part     *rawPart // the profile that asks
	names    sectionNames
	counters symbol.Section
	seen     map[uint64]bool // offsets of counters that a record has
	found    correlation

	mostNames uint64 // bytes of names that the entries may name
}

func (s *search) unable(section, msg string) error {
	return s.image.Fault(model.KindUnableToCorrelate, section, 0, msg)
}

// add adds a function whose counters are at the address. One without counters
// in the program was left out by the linker, or merged with another.
func (s *search) add(r probe, address uint64) (added bool) {
	r.counters = address - s.counters.Addr
	size := s.part.counterSize()
	if address < s.counters.Addr || r.counters >= s.counters.Size || r.counters%size != 0 && address%size != 0 {
		s.found.outside++
		return false
	}
	if s.seen[r.counters] {
		return false
	}
	s.seen[r.counters] = true
	s.found.probes = append(s.found.probes, r)
	return true
}

// adopt makes records of the part's version of what was found, so that they
// are read like those of any profile.
func (p *rawPart) adopt(image *symbol.Image) error {
	probes, size := p.correlation.probes, p.records.total
	data := make([]byte, uint64(len(probes))*size)
	for i, r := range probes {
		have := (p.counters.size() - min(r.counters, p.counters.size())) / p.counterSize()
		if r.numCounters == 0 || r.numCounters > have {
			fault := image.Fault(model.KindMalformed, p.correlation.section, r.at,
				fmt.Sprintf("function %d: its counters pass the end of the counters", i))
			fault.Field, fault.Expected, fault.Found = "NumCounters", fmt.Sprintf("1 to %d", have), fmt.Sprint(r.numCounters)
			return fault
		}
		record := data[uint64(i)*size:]
		p.setField(record, nameRefField, r.nameRef)
		p.setField(record, funcHashField, r.funcHash)
		p.setField(record, counterPtrField, r.counters)
		p.setField(record, functionPtrField, r.function)
		p.setField(record, recordCounters, r.numCounters)
		p.setField(record, bitmapPtrField, r.bitmap)
		p.setField(record, recordBitmapBytes, r.numBitmap)
	}
	p.word[bitmapDelta] = 0 // it would be from the records, which were not there
	p.data = extent{bytes: data, at: p.at}
	p.word[numData] = uint64(len(probes))
	return nil
}

// setField is the opposite of field.
func (p *rawPart) setField(record []byte, f recordField, v uint64) {
	b, order := record[p.records.at[f]:], byteOrder(p.bigEndian)
	switch p.records.size[f] {
	case 8:
		order.PutUint64(b, v)
	case 4:
		order.PutUint32(b, uint32(v))
	}
}

// tooManyNames is the error for names that are far longer than the bytes which
// can hold them.
func (s *search) tooManyNames(section string, offset uint64) error {
	fault := s.image.Fault(model.KindTooLarge, section, offset, "many functions claim the same names")
	fault.Expected = s.image.Allowance().Most()
	return fault
}
