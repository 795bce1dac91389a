package instrprof

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// The sections of an executable that belong to profiles. With
// -profile-correlate=binary, records and names are in sections of their own,
// which are not loaded when the program runs.
const (
	countersSection    = "__llvm_prf_cnts"
	binaryDataSection  = "__llvm_covdata"
	binaryNamesSection = "__llvm_covnames"
)

// binary reads the records and names that a program built with
// -profile-correlate=binary has in sections of its own. The records are laid
// out as those of the profile's version, but their pointers are addresses.
func (s *search) binary() error {
	data, at, err := s.contents(binaryDataSection)
	if err != nil {
		return err
	}
	names, namesAt, err := s.contents(binaryNamesSection)
	if err != nil {
		return err
	}
	s.found.section = binaryDataSection
	p, size := s.part, s.part.records.total
	used := p.records.end()
	for i := uint64(0); uint64(len(data)) >= used; i++ {
		record := data[:min(size, uint64(len(data)))]
		data = data[len(record):]
		s.add(probe{
			nameRef: p.field(record, nameRefField), funcHash: p.field(record, funcHashField),
			numCounters: p.field(record, recordCounters), function: p.field(record, functionPtrField), at: at(i * size),
		}, p.field(record, counterPtrField))
	}
	if len(data) > 0 {
		fault := s.image.Fault(model.KindMalformed, binaryDataSection, at(0), "the section is no whole number of records of the profile's version")
		fault.Expected = fmt.Sprintf("%s a record", wire.Plural(size, "byte"))
		fault.Found = wire.Plural(uint64(len(data)), "byte") + " more"
		return fault
	}
	c := wire.New(binaryNamesSection, names, namesAt(0))
	if err := s.found.names.addSection(c, c.Remaining()); err != nil {
		return s.image.Named(err)
	}
	return nil
}

// contents is a section that must be there, and a way from an offset in it to
// one in the file.
func (s *search) contents(name string) (data []byte, at func(uint64) uint64, err error) {
	section, ok := s.image.Section(name)
	if !ok {
		return nil, nil, s.missing(name)
	}
	data, packed, err := s.image.Contents(name, section)
	return data, inFileAt(section, packed), err
}

// inFileAt turns an offset in a section into one in the file: that of the
// section when it was compressed.
func inFileAt(section symbol.Section, packed bool) func(uint64) uint64 {
	return func(offset uint64) uint64 {
		if packed {
			return section.Offset
		}
		return section.Offset + offset
	}
}

func (s *search) missing(section string) error {
	return s.unable(section, 0, fmt.Sprintf("the program has no section %s: it was stripped, or not built with -profile-correlate=binary", section))
}

// end is the offset behind the last field, from which on there is padding.
func (l *recordLayout) end() uint64 {
	end := 0
	for _, f := range l.fields {
		size := int(l.size[f])
		if f == valueSitesField {
			size *= l.kinds
		}
		end = max(end, int(l.at[f])+size)
	}
	return uint64(end)
}
