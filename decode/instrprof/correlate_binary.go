package instrprof

import (
	"debug/elf"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// sectionNames are the sections of an executable that belong to profiles. With
// -profile-correlate=binary, records and names are in sections of their own,
// which are not loaded when the program runs.
type sectionNames struct{ counters, bitmaps, data, names string }

// namesOf is those of ELF and Mach-O, or those of Windows, whose linker leaves
// out the $ and what follows.
func namesOf(i *symbol.Image) sectionNames {
	if i.Format == symbol.FormatPE {
		return sectionNames{".lprfc", ".lprfb", ".lcovd", ".lcovn"}
	}
	return sectionNames{countersSection, "__llvm_prf_bits", "__llvm_covdata", "__llvm_covnames"}
}

const countersSection = "__llvm_prf_cnts"

// countersOf is the section with the counters.
func countersOf(i *symbol.Image) (s symbol.Section, ok bool) { return counted(i, namesOf(i).counters) }

// counted is a section that profiles have a copy of. In a Windows program the runtime
// has a byte before what is in it, so that counters begin at no multiple of their size in
// the profile.
func counted(i *symbol.Image, name string) (s symbol.Section, ok bool) {
	s, ok = i.Section(name)
	if i.Format == symbol.FormatPE && s.Size > 0 {
		s.Addr, s.Offset, s.Size = s.Addr+1, s.Offset+1, s.Size-1
	}
	return s, ok
}

// hasRecords reports whether an executable has records and names in sections of
// their own, not left out of the file.
func hasRecords(i *symbol.Image) bool {
	s, ok := i.Section(namesOf(i).data)
	return ok && s.Type != elf.SHT_NOBITS
}

// binary reads the records and names that a program built with
// -profile-correlate=binary has in sections of its own. The records are laid
// out as those of the profile's version, but their pointers are addresses.
func (s *search) binary() error {
	data, at, err := s.contents(s.names.data)
	if err != nil {
		return err
	}
	names, namesAt, err := s.contents(s.names.names)
	if err != nil {
		return err
	}
	s.found.section = s.names.data
	section, _ := s.image.Section(s.names.data)
	bitmaps, _ := counted(s.image, s.names.bitmaps)
	p, size := s.part, s.part.records.total
	used := p.records.end()
	for i := uint64(0); uint64(len(data)) >= used; i++ {
		record := data[:min(size, uint64(len(data)))]
		data = data[len(record):]
		pointer := func(f recordField) uint64 {
			v, fault := s.image.Pointer(section.Addr+i*size+uint64(p.records.at[f]), p.field(record, f))
			if fault != nil {
				err = fault
			}
			return v
		}
		r := probe{
			nameRef: p.field(record, nameRefField), funcHash: p.field(record, funcHashField),
			numCounters: p.field(record, recordCounters), function: pointer(functionPtrField), at: at(i * size),
			numBitmap: p.field(record, recordBitmapBytes),
		}
		if r.numBitmap > 0 {
			r.bitmap = pointer(bitmapPtrField) - bitmaps.Addr
		}
		s.add(r, pointer(counterPtrField))
		if err != nil {
			return err
		}
	}
	if len(data) > 0 {
		fault := s.image.Fault(model.KindMalformed, s.names.data, at(0),
			"the section does not hold a whole number of records of this version")
		fault.Expected = fmt.Sprintf("%s a record", wire.Plural(size, "byte"))
		fault.Found = wire.Plural(len(data), "byte") + " more"
		return fault
	}
	c := wire.New(s.names.names, names, namesAt(0))
	c.Allow(s.image.Allowance())
	return s.image.Named(s.found.names.addSection(c, c.Remaining()))
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
	return s.unable(section, fmt.Sprintf("the program has no section %s: it was stripped, or not built with "+
		"-profile-correlate=binary", section))
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
