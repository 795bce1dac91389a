package mip

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// open opens Machine IR Profiles: a map with any number of raw files, one or
// several profiles, or profiles with raw files. The map may be a program that has
// it in a section.
//
// Of several raw files a damaged one is left out, with a finding, as long as
// one is whole; so is any other that came along with a profile. Raw files without a map are
// a profile without functions, unless the map is damaged.
func open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	m := &opener{
		ctx: ctx, options: o, programs: map[int]*program{},
		profile: &format.Profile{Inputs: make([]format.Input, len(files))},
	}
	for _, f := range files {
		m.total += uint64(len(f.Data))
	}
	m.first = files[slices.IndexFunc(files, func(f format.File) bool { return f.Is.IsProfile() })].Name
	for i, f := range files {
		if err := m.spare(files, i, m.sort(i, f)); err != nil {
			return nil, err
		}
	}
	for _, i := range m.bases {
		if err := m.spare(files, i, m.addBase(i, files)); err != nil {
			return nil, err
		}
	}
	if m.lost != nil && m.merger.MIP() == nil {
		return nil, m.lost
	}
	module, err := m.addRuns(files)
	if err != nil {
		return nil, err
	}
	m.profile.Add(Family, module)
	m.profile.Find(findingsOf(module, m.merger.Differing)...)
	m.profile.Info = m.info(module)
	return m.profile, nil
}

// opener joins Machine IR Profiles.
type opener struct {
	ctx         context.Context
	options     format.Options
	profile     *format.Profile
	done, total uint64 // bytes
	merger      Merger
	bases       []int            // indices of the maps and profiles
	runs        []int            // of the raw files
	programs    map[int]*program // among bases
	mapName     string           // of the map
	first       string           // the first file of the family
	lost        error            // the first fault of a map or profile that is left out
}

// spare leaves out what is damaged and came along with a profile, which nothing is then
// known by.
func (m *opener) spare(files []format.File, i int, err error) error {
	if err == nil {
		return nil
	}
	if !files[i].Is.Is(FormatRaw) {
		m.lost = cmp.Or(m.lost, err)
	}
	m.profile.Inputs[i] = format.NewInput(files[i])
	return m.profile.Spare(files, i, err)
}

// sort says what a file is for, and notes it as an input.
func (m *opener) sort(i int, f format.File) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	in := &m.profile.Inputs[i]
	*in = format.NewInput(f)
	switch {
	case f.Weight > 1:
		return f.Is.Format.Refuse(f.Name, "the runs of a Machine IR Profile cannot be weighted", nil)
	case f.Is.Empty:
		*in = m.profile.AddNothing(f)
		return nil
	case f.Optional && f.Is.Foreign():
		*in = m.profile.LeaveOut(f)
		return nil
	case f.Is.Err != nil:
		return f.Is.Err
	case f.Is.Families[0] != Family:
		return f.Is.Format.Refuse(f.Name,
			fmt.Sprintf("%s is %s, which cannot form one profile with %s", f.Name, f.Is.Describe, m.first), nil)
	}
	if f.Is.Is(symbol.FormatELF, symbol.FormatMachO) {
		err := m.openProgram(i, f)
		if err == nil {
			m.bases = append(m.bases, i)
		}
		return err
	}
	_, info, err := Peek(f.Name, f.Data)
	in.Info = *info
	switch {
	case f.Is.Is(FormatRaw) && (err == nil || model.KindOf(err) == model.KindTruncated): // it may be left out
		m.runs = append(m.runs, i)
		return nil
	case err == nil:
		m.bases = append(m.bases, i)
	}
	return f.Is.Format.InFile(f.Name, err)
}

// finished notes a file that was read.
func (m *opener) finished(i int, rec *wire.Recorder) {
	m.profile.Inputs[i].Keep(rec)
	m.done += m.profile.Inputs[i].Size
	if m.options.Progress != nil {
		m.options.Progress(m.done, m.total)
	}
}

// addBase reads a map or a profile and adds it to those before. A second map
// has no place.
func (m *opener) addBase(i int, files []format.File) error {
	f := files[i]
	if err := m.ctx.Err(); err != nil {
		return err
	}
	rec := m.options.Recorder()
	var module *Profile
	var err error
	switch {
	case m.programs[i] != nil:
		module, rec = m.pick(i, files), m.programs[i].rec
	case f.Is.Is(FormatMap):
		module, err = OpenMap(f.Data, 0, rec)
	default:
		module, err = OpenProfile(f.Data, rec)
	}
	if err != nil {
		return f.Is.Format.InFile(f.Name, err)
	}
	if module.Form == FormatMap {
		if m.mapName != "" {
			return f.Is.Format.InFile(f.Name,
				&model.FormatError{Kind: model.KindMismatch, Section: "header", Field: "FileType", Offset: 6,
					Msg: fmt.Sprintf("%s and %s are both maps; a profile has one", m.mapName, f.Name), Expected: "a raw file",
					Found: "a map"})
		}
		m.mapName = f.Name
	}
	module.MapFile = f.Name
	if err := m.merger.Add(f.Name, module); err != nil {
		return f.Is.Format.InFile(f.Name, err)
	}
	m.finished(i, rec)
	return nil
}

// addRuns adds the raw files to what was read before.
func (m *opener) addRuns(files []format.File) (*Profile, error) {
	module := m.merger.MIP()
	if module == nil {
		return m.onlyRuns(files)
	}
	joiner := NewJoiner(module)
	var faults []error
	for _, i := range m.runs {
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		rec := m.options.Recorder()
		err := joiner.Add(files[i].Name, files[i].Data, rec)
		m.finished(i, rec)
		if err == nil {
			continue
		}
		err = rawFormat.InFile(files[i].Name, err)
		if kind := model.KindOf(err); kind == model.KindCorrupt || kind == model.KindTruncated {
			faults = append(faults, err)
		} else if err := m.spare(files, i, err); err != nil {
			return nil, err
		}
	}
	if module.Form == FormatMap && len(module.Runs) == 0 {
		if err := cmp.Or(append(faults, m.profile.Spared())...); err != nil {
			return nil, err
		}
	}
	for _, err := range faults {
		m.profile.Find(skippedRun(err))
	}
	return module, nil
}

// skippedRun is the finding about a damaged raw file among whole ones.
func skippedRun(err error) model.Finding {
	f := format.FindingOf("", err)
	f.Severity, f.Code = model.Warning, "mipraw."+string(RawSkipped)
	f.Message = "the run was left out: " + f.Message
	return f
}

// onlyRuns is a profile of raw files alone: what their headers say.
func (m *opener) onlyRuns(files []format.File) (*Profile, error) {
	var all *Profile
	for _, i := range m.runs {
		rec := m.options.Recorder()
		raw, err := OpenRaw(files[i].Data, rec)
		m.finished(i, rec)
		if err != nil {
			if err := m.spare(files, i, rawFormat.InFile(files[i].Name, err)); err != nil {
				return nil, err
			}
			continue
		}
		raw.Runs[0].File = files[i].Name
		if all == nil {
			all = raw
			continue
		}
		if ProgramKey(&all.Header) != ProgramKey(&raw.Header) {
			err := rawFormat.InFile(files[i].Name, &model.FormatError{Kind: model.KindMismatch, Section: "header",
				Msg:      fmt.Sprintf("%s and %s are not of one program", all.Runs[0].File, files[i].Name),
				Expected: headerWords(&all.Header), Found: headerWords(&raw.Header)})
			if err := m.spare(files, i, err); err != nil {
				return nil, err
			}
			continue
		}
		all.Runs = append(all.Runs, raw.Runs[0])
	}
	if all == nil {
		return nil, m.profile.Spared()
	}
	return all, nil
}

// headerWords is what a header says of the program.
func headerWords(h *Header) string {
	words := append(h.FileType.Words(), h.ProfileType.Words()...)
	return fmt.Sprintf("%s, module 0x%08x", strings.Join(words, ", "), h.ModuleHash)
}

// info is what the profile is, as its first file says it.
func (m *opener) info(module *Profile) model.Info {
	info := model.Info{Format: module.Form, Families: []model.Family{Family}, Version: uint64(module.Header.Version)}
	for _, i := range append(m.bases, m.runs...) {
		in := &m.profile.Inputs[i].Info
		if info.PointerSize == 0 {
			info.PointerSize = in.PointerSize
		}
		info.BinaryIDs = append(info.BinaryIDs, in.BinaryIDs...)
	}
	info.Describe = Describe(&info, &module.Header)
	return info
}
