package llvm

import (
	"context"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// heaps collects the heap profiles of the files.
type heaps struct {
	programs []*memprof.Program
	profiles []*memprof.Profile
	fault    error // of a damaged one beside a profile that is whole
}

// newMemProfs takes the executables among the files.
func newMemProfs(found map[int]*companion, files int) *heaps {
	h := &heaps{}
	var splits []*symbol.Image
	for i := range files {
		if c := found[i]; c != nil && c.image != nil && c.image.IsSplitDWARF() {
			splits = append(splits, c.image)
		}
	}
	for i := range files {
		if c := found[i]; c != nil && c.image != nil && c.image.Format == symbol.FormatELF && !c.image.IsSplitDWARF() {
			c.program = memprof.NewProgram(c.image, splits)
			h.programs = append(h.programs, c.program)
		}
	}
	return h
}

// open reads a file that is a heap profile and nothing else, and says what it is.
func (h *heaps) open(ctx context.Context, f format.File, rec *wire.Recorder) (model.Info, error) {
	p, err := h.read(ctx, f, rec)
	if err != nil {
		return model.Info{}, err
	}
	h.add(f.Name, p)
	return memprofInfo(p), nil
}

func (h *heaps) read(ctx context.Context, f format.File, rec *wire.Recorder) (*memprof.Profile, error) {
	switch {
	case f.Is.Is(memprof.FormatYAML):
		return memprof.OpenYAML(f.Data)
	case f.Is.Is(memprof.FormatReport):
		return memprof.OpenReport(f.Data)
	}
	raw, err := memprof.OpenRaw(f.Data, rec)
	if err != nil {
		return nil, err
	}
	return raw.Profile(ctx, h.programs)
}

// openSection reads the heap profile that stands in an indexed profile. A fault
// is a finding: what else is in the file is whole.
func (h *heaps) openSection(of format.File, info *instrprof.Info, rec *wire.Recorder) []model.Finding {
	if len(info.MemProf) == 0 {
		return nil
	}
	p, err := memprof.OpenIndexed(info.MemProf, info.MemProfSection.Offset, rec)
	if err != nil {
		h.fault = of.Is.Format.InFile(of.Name, err)
		f := format.FindingOf(of.Name, h.fault)
		f.Code = "memprof." + string(f.Kind)
		f.Message = "the heap profile cannot be read: " + f.Message
		return []model.Finding{f}
	}
	h.add(of.Name, p)
	return nil
}

// add keeps a heap profile, whose findings are of a file.
func (h *heaps) add(name string, p *memprof.Profile) {
	for i := range p.Findings {
		if p.Findings[i].File == "" {
			p.Findings[i].File = name
		}
	}
	h.profiles = append(h.profiles, p)
}

// memprofInfo is what a heap profile that stands alone says of itself.
func memprofInfo(p *memprof.Profile) model.Info {
	info := model.Info{Format: p.Format, Families: []model.Family{memprof.Family}, Version: p.Version, Profiles: p.Dumps,
		Describe: memprof.Describe(p.Format, p.Version), Words: []string{"MemProf"}}
	if p.Format == memprof.FormatRaw {
		info.PointerSize = 8
		if len(p.Modules) > 0 && len(p.Modules[0].BuildID) > 0 {
			info.BinaryIDs = [][]byte{p.Modules[0].BuildID}
		}
	}
	return info
}

// finish gives the profile what was collected.
func (h *heaps) finish(p *format.Profile) error {
	if len(h.profiles) == 0 {
		if h.fault != nil {
			p.Faults = map[model.Family]error{memprof.Family: h.fault}
		}
		return nil
	}
	merged, err := memprof.Merge(h.profiles)
	if err != nil {
		return err
	}
	p.Add(memprof.Family, merged)
	p.Find(merged.Findings...)
	return nil
}

// inspectMemProf reads a heap profile for its anatomy.
func inspectMemProf(a *model.Anatomy, f format.File, rec *wire.Recorder) error {
	h := &heaps{}
	info, err := h.open(context.Background(), f, rec)
	if err != nil {
		return err
	}
	a.Format = info.Describe
	a.Findings = append(a.Findings, h.profiles[0].Findings...)
	return nil
}

// outlineMemProf reads as much as the sections of a heap profile need.
func outlineMemProf(f format.File, rec *wire.Recorder) error {
	if !rawMemProf(f) {
		return nil // text has no sections
	}
	_, err := memprof.OpenRaw(f.Data, rec)
	return err
}
