package decode

import (
	"context"
	"fmt"
	"strings"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// heapFamilies are the families of a heap profile that stands alone.
func heapFamilies() []model.Family { return []model.Family{model.MemProfFam} }

// isHeap reports whether files of a format are heap profiles and nothing else.
func isHeap(format model.Format) bool {
	return format == model.MemProfRaw || format == model.MemProfYAML || format == model.MemProfReport
}

// recogniseHeap tells heap profiles, raw and in text.
func recogniseHeap(data []byte) (Recognised, bool) {
	info := model.Info{Families: heapFamilies()}
	r := Recognised{Families: info.Families}
	switch {
	case memprof.IsRaw(data):
		peek, _ := memprof.PeekRaw(data)
		info.Format, info.Version = model.MemProfRaw, peek.Version
		r.Heap, r.ProgramKey = &peek, peek.ProgramKey
	case memprof.IsYAML(data):
		info.Format = model.MemProfYAML
	case memprof.IsReport(data):
		info.Format = model.MemProfReport
	default:
		return r, false
	}
	r.Format, r.Describe = info.Format, info.Describe()
	return r, true
}

// recordedHeap reports whether a file is a raw heap profile, which wants its
// executable.
func recordedHeap(f File) bool { return memprof.IsRaw(f.Data) }

// heaps collects the heap profiles of the files.
type heaps struct {
	programs []*memprof.Program
	profiles []*model.HeapProfile
	fault    error // of a damaged one beside a profile that is whole
}

// newHeaps takes the executables among the files.
func newHeaps(found map[int]*companion, files int) *heaps {
	h := &heaps{}
	var splits []*symbol.Image
	for i := range files {
		if c := found[i]; c != nil && c.image.IsSplitDWARF() {
			splits = append(splits, c.image)
		}
	}
	for i := range files {
		if c := found[i]; c != nil && !c.image.IsSplitDWARF() {
			c.program = memprof.NewProgram(c.image, splits)
			h.programs = append(h.programs, c.program)
		}
	}
	return h
}

// open reads a heap profile and says what it is.
func (h *heaps) open(ctx context.Context, format model.Format, f File, rec *wire.Recorder) (*model.Info, error) {
	var p *model.HeapProfile
	var err error
	switch format {
	case model.MemProfYAML:
		p, err = memprof.OpenYAML(f.Data)
	case model.MemProfReport:
		p, err = memprof.OpenReport(f.Data)
	default:
		var raw *memprof.Raw
		if raw, err = memprof.OpenRaw(f.Data, rec); err == nil {
			p, err = raw.Profile(ctx, h.programs)
		}
	}
	if err != nil {
		return nil, err
	}
	h.add(f.Name, p)
	return heapInfo(p), nil
}

// openSection reads the heap profile that stands in an indexed profile. A fault
// is a finding: what else is in the file is whole.
func (h *heaps) openSection(name string, info *model.Info, rec *wire.Recorder) []model.Finding {
	if len(info.MemProf) == 0 {
		return nil
	}
	p, err := memprof.OpenIndexed(info.MemProf, info.MemProfSection.Offset, rec)
	if err != nil {
		h.fault = inFile(name, model.LLVMIndexed, err)
		f := FindingOf(name, h.fault)
		f.Code = "memprof." + string(f.Kind)
		f.Message = "the heap profile cannot be read: " + f.Message
		return []model.Finding{f}
	}
	h.add(name, p)
	return nil
}

// add keeps a heap profile, whose findings are of a file.
func (h *heaps) add(name string, p *model.HeapProfile) {
	for i := range p.Findings {
		if p.Findings[i].File == "" {
			p.Findings[i].File = name
		}
	}
	h.profiles = append(h.profiles, p)
}

// heapInfo is what a heap profile that stands alone says of itself.
func heapInfo(p *model.HeapProfile) *model.Info {
	info := &model.Info{Format: p.Format, Families: heapFamilies(), Version: p.Version, Variant: model.MemProf, Profiles: p.Dumps}
	if p.Format == model.MemProfRaw {
		info.PointerSize = 8
		if len(p.Modules) > 0 && len(p.Modules[0].BuildID) > 0 {
			info.BinaryIDs = [][]byte{p.Modules[0].BuildID}
		}
	}
	return info
}

// finish gives the profile what was collected. Findings of a single heap
// profile, or of several, become the profile's.
func (h *heaps) finish(p *Profile) error {
	if len(h.profiles) == 0 {
		p.heapFault = h.fault
		return nil
	}
	merged, err := memprof.Merge(h.profiles)
	if err != nil {
		return err
	}
	p.MemProf = merged
	p.findings = append(p.findings, merged.Findings...)
	return nil
}

// inHeap gives the information on a profile the family of heap profiles.
func inHeap(info *model.Info) {
	info.Variant |= model.MemProf
	if !info.Has(model.MemProfFam) {
		info.Families = append(info.Families, model.MemProfFam)
	}
}

// HeapProfile is the profile's heap profile, or the error for one that has none
// or that cannot be read.
func (p *Profile) HeapProfile() (*model.HeapProfile, error) {
	switch {
	case p.MemProf != nil:
		return p.MemProf, nil
	case p.heapFault != nil:
		return nil, p.heapFault
	}
	return nil, &model.FormatError{Kind: model.KindIncompatible, Section: "header", Msg: "the profile has no heap profile",
		Expected: "a MemProf profile, raw, indexed or in text"}
}

// Fault is why nothing of the profile can be shown though it was opened: its
// heap profile cannot be read, and it has nothing else. Else it is nil.
func (p *Profile) Fault() error {
	if p.MemProf == nil && !p.Info().Has(model.Instr) {
		return p.heapFault
	}
	return nil
}

// strangerTo is the error for an executable that none of the raw heap profiles
// was recorded with; it names the build ids.
func strangerTo(f File, image *symbol.Image, files []File) *model.FormatError {
	fault := &model.FormatError{Kind: model.KindIncompatible, File: f.Name, Section: "header",
		Msg: fmt.Sprintf("%s is the program of none of the profiles that it came with", f.Name)}
	for _, other := range files {
		if !recordedHeap(other) {
			continue
		}
		peek, _ := memprof.PeekRaw(other.Data)
		var ids []string
		for _, m := range peek.Modules {
			if len(m.BuildID) > 0 && len(ids) < 3 {
				ids = append(ids, fmt.Sprintf("%x", m.BuildID))
			}
		}
		if len(ids) == 0 {
			continue
		}
		fault.Msg = fmt.Sprintf("%s is not the program that %s was recorded with, nor a library of it: nothing that was loaded has its build id", f.Name, other.Name)
		fault.Expected, fault.Found = "build id "+ids[0], "no build id"
		if len(ids) > 1 {
			fault.Expected += ", or of a library " + strings.Join(ids[1:], " or ")
		}
		if id := image.BuildID(); len(id) > 0 {
			fault.Found = fmt.Sprintf("build id %x", id)
		}
		break
	}
	return fault
}

// inspectHeap reads a heap profile for its anatomy.
func inspectHeap(a *model.Anatomy, format model.Format, f File, rec *wire.Recorder) error {
	h := &heaps{}
	info, err := h.open(context.Background(), format, f, rec)
	if err != nil {
		return err
	}
	a.Format = info.Describe()
	a.Findings = append(a.Findings, h.profiles[0].Findings...)
	return nil
}
