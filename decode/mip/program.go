package mip

import (
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// The sections that the compiler puts into a program (md §1), in Mach-O
// into the segment __DATA.
const (
	mapSection  = "__llvm_mipmap"
	rawSection  = "__llvm_mipraw"
	machSegment = "__DATA"
)

// program is a program with maps in it: one, or one for each architecture of a
// fat Mach-O file.
type program struct {
	maps []*Profile
	rec  *wire.Recorder
}

// Programs with a map in them are of the family like the map itself.
var (
	elfFormat = &format.Format{
		Name: symbol.FormatELF, Prefix: "elf", Inspect: inspect, Outline: outlineProgram,
		Advice: advice(format.ProgramAdvice),
	}
	machOFormat = &format.Format{
		Name: symbol.FormatMachO, Prefix: "mach-o", Inspect: inspect, Outline: outlineProgram, Advice: advice(nil),
	}
)

func outlineProgram(f format.File, rec *wire.Recorder) error {
	_, err := (&program{rec: rec}).open(f)
	return err
}

// recogniseProgram tells a program with a map in it. An unfit map is a fault that
// opening it tells.
func recogniseProgram(name string, data []byte) (format.Recognised, bool) {
	r := format.Recognised{Families: []model.Family{Family}, Single: true}
	var section []byte
	switch {
	case symbol.IsELF(data):
		image, err := symbol.Open(name, data, nil)
		if err != nil {
			return r, false
		}
		s, ok := image.Section(mapSection)
		if !ok {
			return r, false
		}
		section, _, _ = image.Contents(mapSection, s)
		r.Format, r.Describe = elfFormat, image.Info().Describe
	case symbol.IsMachO(data):
		list, err := symbol.OpenMachO(name, data, nil)
		if err != nil {
			return r, false
		}
		for _, m := range list {
			if s, ok := m.Section(machSegment, mapSection); ok && r.Format == nil {
				section, _, _ = m.Contents(s)
				r.Format, r.Describe = machOFormat, m.Info().Describe
			}
		}
	}
	if r.Format == nil {
		return r, false
	}
	r.Describe += ", with a MIP map"
	if h, _, err := Peek(mapSection, section); err == nil {
		r.Key = ProgramKey(h)
	}
	return r, true
}

// openProgram reads the maps of a program among the files.
func (m *opener) openProgram(i int, f format.File) error {
	p := &program{rec: m.options.Recorder()}
	m.programs[i] = p
	info, err := p.open(f)
	if err == nil {
		m.profile.Inputs[i].Info = *info
	}
	return f.Is.Format.InFile(f.Name, err)
}

// open reads the maps of a program, and what the program is.
func (p *program) open(f format.File) (*model.Info, error) {
	if symbol.IsELF(f.Data) {
		image, err := symbol.Open(f.Name, f.Data, p.rec)
		if err != nil {
			return nil, err
		}
		return image.Info(), p.addELF(image)
	}
	list, err := symbol.OpenMachO(f.Name, f.Data, p.rec)
	if err != nil {
		return nil, err
	}
	for _, image := range list {
		if err := p.addMachO(image); err != nil {
			return nil, err
		}
	}
	return list[0].Info(), nil
}

func (p *program) addELF(image *symbol.Image) error {
	s, _ := image.Section(mapSection)
	data, packed, err := image.Contents(mapSection, s)
	if err != nil {
		return err
	}
	rec, base := p.rec, s.Offset
	if packed {
		rec, base = nil, 0
	}
	raw, ok := image.Section(rawSection)
	return p.add(data, base, rec, raw.Addr, ok)
}

func (p *program) addMachO(image *symbol.MachO) error {
	s, ok := image.Section(machSegment, mapSection)
	if !ok {
		return nil
	}
	data, offset, err := image.Contents(s)
	if err != nil {
		return err
	}
	raw, ok := image.Section(machSegment, rawSection)
	return p.add(data, offset, p.rec, raw.Addr, ok)
}

// add adds a map of a program, and the address of its raw section, if it has one.
func (p *program) add(data []byte, base uint64, rec *wire.Recorder, raw uint64, hasRaw bool) error {
	m, err := OpenMap(data, base, rec)
	if err != nil {
		return err
	}
	if hasRaw {
		m.RawAddress = &raw
	}
	p.maps = append(p.maps, m)
	return nil
}

// pick is the map of a program that the other files are of: that with the
// header of the first raw file or profile and, for a raw file, its size.
func (m *opener) pick(i int, files []format.File) *Profile {
	p := m.programs[i]
	best, most, ties := p.maps[0], -1, 0
	for _, candidate := range p.maps {
		score := m.fit(candidate, files)
		switch {
		case score > most:
			best, most, ties = candidate, score, 1
		case score == most:
			ties++
		}
	}
	if ties > 1 {
		best.Warnings = append(best.Warnings, SeveralPrograms)
	}
	return best
}

// fit says how well a map goes with the other files.
func (m *opener) fit(candidate *Profile, files []format.File) int {
	score := 0
	for _, n := range m.runs {
		h, _, err := Peek(files[n].Name, files[n].Data)
		if err != nil {
			continue
		}
		if ProgramKey(h) == ProgramKey(&candidate.Header) {
			score += 2
		}
		if NewJoiner(candidate).RawSize() == uint64(len(files[n].Data)) {
			score++
		}
		break
	}
	return score
}
