package decode

import (
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// The sections that the compiler puts into a program (mip.md §1), in Mach-O
// into the segment __DATA.
const (
	mipMapSection  = "__llvm_mipmap"
	mipRawSection  = "__llvm_mipraw"
	mipMachSegment = "__DATA"
)

// mipProgram is a program with maps in it: one, or one for each architecture of
// a fat Mach-O file.
type mipProgram struct {
	maps []*model.MIP
	rec  *wire.Recorder
}

// recogniseMIPProgram tells a program with a map in it. An unfit map is a fault
// that opening it tells.
func recogniseMIPProgram(name string, data []byte) (Recognised, bool) {
	r := Recognised{Families: []model.Family{model.MIPFam}}
	var section []byte
	if symbol.IsELF(data) {
		image, err := symbol.Open(name, data, nil)
		if err != nil {
			return r, false
		}
		s, ok := image.Section(mipMapSection)
		if !ok {
			return r, false
		}
		section, _, _ = image.Contents(mipMapSection, s)
		r.Format, r.Describe = model.ELF, image.Info().Describe()
	} else {
		list, err := symbol.OpenMachO(name, data, nil)
		if err != nil {
			return r, false
		}
		found := false
		for _, m := range list {
			if s, ok := m.Section(mipMachSegment, mipMapSection); ok && !found {
				found = true
				section, _, _ = m.Contents(s)
				r.Format, r.Describe = model.MachO, m.Info().Describe()
			}
		}
		if !found {
			return r, false
		}
	}
	r.Describe += ", with a MIP map"
	if info, err := mip.Peek(mipMapSection, section); err == nil {
		r.ProgramKey = mip.ProgramKey(info.MIP)
	}
	return r, true
}

// isProgram reports whether files of a format are programs.
func isProgram(f model.Format) bool { return f == model.ELF || f == model.MachO }

// openProgram reads the maps of a program among the files.
func (m *mipOpener) openProgram(i int, f File, format model.Format) error {
	p := &mipProgram{rec: m.recorder()}
	m.programs[i] = p
	var err error
	m.profile.Inputs[i].Info, err = p.open(f)
	return inFile(f.Name, format, err)
}

// open reads the maps of a program, and what the program is.
func (p *mipProgram) open(f File) (*model.Info, error) {
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

func (p *mipProgram) addELF(image *symbol.Image) error {
	s, _ := image.Section(mipMapSection)
	data, packed, err := image.Contents(mipMapSection, s)
	if err != nil {
		return err
	}
	rec, base := p.rec, s.Offset
	if packed {
		rec, base = nil, 0
	}
	m, err := mip.OpenMap(data, base, rec)
	if err != nil {
		return err
	}
	if raw, ok := image.Section(mipRawSection); ok {
		m.RawAddress = &raw.Addr
	}
	p.maps = append(p.maps, m)
	return nil
}

func (p *mipProgram) addMachO(image *symbol.MachO) error {
	s, ok := image.Section(mipMachSegment, mipMapSection)
	if !ok {
		return nil
	}
	data, offset, err := image.Contents(s)
	if err != nil {
		return err
	}
	m, err := mip.OpenMap(data, offset, p.rec)
	if err != nil {
		return err
	}
	if raw, ok := image.Section(mipMachSegment, mipRawSection); ok {
		m.RawAddress = &raw.Addr
	}
	p.maps = append(p.maps, m)
	return nil
}

// pick is the map of a program that the other files are of: that with the
// header of the first raw file or profile and, for a raw file, its size.
func (m *mipOpener) pick(i int, files []File) *model.MIP {
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
		best.Warnings = append(best.Warnings, model.MIPSeveralPrograms)
	}
	return best
}

// fit says how well a map goes with the other files.
func (m *mipOpener) fit(candidate *model.MIP, files []File) int {
	score := 0
	for _, n := range m.runs {
		info, err := mip.Peek(files[n].Name, files[n].Data)
		if err != nil {
			continue
		}
		if mip.ProgramKey(info.MIP) == mip.ProgramKey(&candidate.Header) {
			score += 2
		}
		if mip.NewJoiner(candidate).RawSize() == uint64(len(files[n].Data)) {
			score++
		}
		break
	}
	return score
}
