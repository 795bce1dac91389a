package decode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// namedMIP reports whether a file's name says that it is a Machine IR Profile.
// What it says binds: a file of another kind under that name is a bad one.
func namedMIP(name string) bool { return mip.KindOfName(name) != 0 }

func recogniseMIP(name string, data []byte) Recognised {
	info, err := mip.Peek(name, data)
	r := Recognised{Format: info.Format, Families: info.Families, Describe: info.Describe()}
	if err == nil {
		r.ProgramKey = mip.ProgramKey(info.MIP)
	} else if model.KindOf(err) == model.KindBadMagic || len(data) == 0 {
		r.Describe = "no Machine IR Profile, though named like one"
	}
	return r
}

// openMIP opens Machine IR Profiles: a map with any number of raw files, one or
// several profiles, or profiles with raw files; see [Open]. The map may be a
// program that has it in a section.
//
// Of several raw files a damaged one is left out, with a finding, as long as
// one is whole. Raw files without a map are a profile without functions.
func openMIP(ctx context.Context, files []File, o Options) (*Profile, error) {
	m := &mipOpener{programs: map[int]*mipProgram{}, opener: opener{ctx: ctx, options: o, profile: &Profile{}}}
	for _, f := range files {
		m.total += uint64(len(f.Data))
	}
	m.profile.Inputs = make([]Input, len(files))
	m.first = files[slices.IndexFunc(files, func(f File) bool { return familyOf([]File{f}) == model.MIPFam })].Name
	for i, f := range files {
		if err := m.sort(i, f); err != nil {
			return nil, err
		}
	}
	for _, i := range m.bases {
		if err := m.addBase(i, files); err != nil {
			return nil, err
		}
	}
	module, err := m.addRuns(files)
	if err != nil {
		return nil, err
	}
	m.profile.MIP = module
	m.profile.findings = append(m.profile.findings, mipFindings(module, m.merger.Differing)...)
	m.profile.Source = headerOnly{info: m.info(module)}
	return m.profile, nil
}

// mipOpener is an opener that joins Machine IR Profiles.
type mipOpener struct {
	opener
	merger   mip.Merger
	bases    []int               // indices of the maps and profiles
	runs     []int               // of the raw files
	programs map[int]*mipProgram // among bases
	mapName  string              // of the map
	first    string              // the first file of the family
}

// sort says what a file is for, and notes it as an input.
func (m *mipOpener) sort(i int, f File) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	is := Recognise(f.Name, f.Data)
	in := &m.profile.Inputs[i]
	*in = Input{Name: f.Name, Size: uint64(len(f.Data))}
	switch {
	case f.Weight > 1:
		return mipFault(f.Name, is.Format, "the runs of a Machine IR Profile cannot be weighted")
	case is.Empty:
		in.Info = emptyInfo()
		m.profile.findings = append(m.profile.findings, emptyFinding(f.Name))
		return nil
	case is.Err != nil:
		return is.Err
	case is.Families[0] != model.MIPFam:
		return mipFault(f.Name, is.Format, fmt.Sprintf("%s is %s, which cannot form one profile with %s", f.Name, is.Describe, m.first))
	case is.Format == model.MIPRaw:
		m.runs = append(m.runs, i)
	default:
		m.bases = append(m.bases, i)
	}
	if isProgram(is.Format) {
		return m.openProgram(i, f, is.Format)
	}
	var err error
	in.Info, err = mip.Peek(f.Name, f.Data)
	if is.Format == model.MIPRaw && model.KindOf(err) == model.KindTruncated {
		return nil // it may be left out
	}
	return inFile(f.Name, is.Format, err)
}

func mipFault(name string, format model.Format, msg string) error {
	return &fileError{format, &model.FormatError{Kind: model.KindIncompatible, File: name, Section: "header", Msg: msg}}
}

// recorder is one for a file when its sections are wanted.
func (m *mipOpener) recorder() *wire.Recorder {
	if !m.options.Record {
		return nil
	}
	return &wire.Recorder{}
}

// finished notes a file that was read.
func (m *mipOpener) finished(i int, rec *wire.Recorder) {
	if rec != nil {
		m.profile.Inputs[i].Sections = rec.Sections()
	}
	m.done += m.profile.Inputs[i].Size
	if m.options.Progress != nil {
		m.options.Progress(m.done, m.total)
	}
}

// addBase reads a map or a profile and adds it to those before. A second map
// has no place.
func (m *mipOpener) addBase(i int, files []File) error {
	f := files[i]
	if err := m.ctx.Err(); err != nil {
		return err
	}
	rec := m.recorder()
	format := model.MIPProfile
	var module *model.MIP
	var err error
	switch in := m.profile.Inputs[i].Info; {
	case m.programs[i] != nil:
		format = in.Format
		module, rec = m.pick(i, files), m.programs[i].rec
	case in != nil && in.Format == model.MIPMap:
		format = model.MIPMap
		module, err = mip.OpenMap(f.Data, 0, rec)
	default:
		module, err = mip.OpenProfile(f.Data, rec)
	}
	if err != nil {
		return inFile(f.Name, format, err)
	}
	if module.Form == model.MIPMap {
		if m.mapName != "" {
			return inFile(f.Name, format, &model.FormatError{Kind: model.KindMismatch, Section: "header", Field: "FileType", Offset: 6,
				Msg: fmt.Sprintf("%s and %s are both maps; a profile has one", m.mapName, f.Name), Expected: "a raw file", Found: "a map"})
		}
		m.mapName = f.Name
	}
	module.MapFile = f.Name
	if err := m.merger.Add(f.Name, module); err != nil {
		return inFile(f.Name, format, err)
	}
	m.finished(i, rec)
	return nil
}

// addRuns adds the raw files to what was read before.
func (m *mipOpener) addRuns(files []File) (*model.MIP, error) {
	module := m.merger.MIP()
	if module == nil {
		return m.onlyRuns(files)
	}
	joiner := mip.NewJoiner(module)
	var faults []error
	for _, i := range m.runs {
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		rec := m.recorder()
		err := joiner.Add(files[i].Name, files[i].Data, rec)
		m.finished(i, rec)
		if err == nil {
			continue
		}
		err = inFile(files[i].Name, model.MIPRaw, err)
		if kind := model.KindOf(err); kind != model.KindCorrupt && kind != model.KindTruncated {
			return nil, err
		}
		faults = append(faults, err)
	}
	if len(module.Runs) == 0 && len(faults) > 0 {
		return nil, faults[0]
	}
	for _, err := range faults {
		m.profile.findings = append(m.profile.findings, skippedRun(err))
	}
	return module, nil
}

// skippedRun is the finding about a damaged raw file among whole ones.
func skippedRun(err error) model.Finding {
	f := FindingOf("", err)
	f.Severity, f.Code = model.Warning, "mipraw."+string(model.MIPRawSkipped)
	f.Message = "the run was left out: " + f.Message
	return f
}

// onlyRuns is a profile of raw files alone: what their headers say.
func (m *mipOpener) onlyRuns(files []File) (*model.MIP, error) {
	var all *model.MIP
	for _, i := range m.runs {
		rec := m.recorder()
		raw, err := mip.OpenRaw(files[i].Data, rec)
		m.finished(i, rec)
		if err != nil {
			return nil, inFile(files[i].Name, model.MIPRaw, err)
		}
		raw.Runs[0].File = files[i].Name
		if all == nil {
			all = raw
			continue
		}
		if mip.ProgramKey(&all.Header) != mip.ProgramKey(&raw.Header) {
			return nil, inFile(files[i].Name, model.MIPRaw, &model.FormatError{Kind: model.KindMismatch, Section: "header",
				Msg:      fmt.Sprintf("%s and %s are not of one program", all.Runs[0].File, files[i].Name),
				Expected: headerWords(&all.Header), Found: headerWords(&raw.Header)})
		}
		all.Runs = append(all.Runs, raw.Runs[0])
	}
	return all, nil
}

// headerWords is what a header says of the program.
func headerWords(h *model.MIPHeader) string {
	words := append(h.FileType.Words(), h.ProfileType.Words()...)
	return fmt.Sprintf("%s, module 0x%08x", strings.Join(words, ", "), h.ModuleHash)
}

// info is what the profile is, as its first file says it.
func (m *mipOpener) info(module *model.MIP) *model.Info {
	info := &model.Info{Format: module.Form, Families: []model.Family{model.MIPFam}, Version: uint64(module.Header.Version),
		Records: uint64(len(module.Functions)), MIP: &module.Header}
	for _, i := range append(m.bases, m.runs...) {
		in := m.profile.Inputs[i].Info
		if in == nil {
			continue
		}
		if info.PointerSize == 0 {
			info.PointerSize = in.PointerSize
		}
		info.BinaryIDs = append(info.BinaryIDs, in.BinaryIDs...)
	}
	return info
}
