package decode

import (
	"errors"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Inspect reads a file's anatomy: its sections and header fields, as far as
// they can be read. It never fails; what stopped the reading, in the headers
// or in any record, is the last finding.
func Inspect(f File) *model.Anatomy {
	is := Recognise(f.Name, f.Data)
	a := &model.Anatomy{
		File: f.Name, Size: uint64(len(f.Data)), Format: is.Describe,
		Sections: []model.Section{}, Findings: []model.Finding{},
	}
	switch {
	case is.Empty:
		a.Findings = append(a.Findings, emptyFinding(f.Name))
		return a
	case is.Err != nil:
		a.Findings = append(a.Findings, FindingOf(f.Name, is.Err))
		return a
	}
	rec := &wire.Recorder{}
	var err error
	switch is.Format {
	case model.DCPISamples, model.DCPICat:
		err = inspectDCPI(a, is.Format, f, rec)
	case model.MIPMap, model.MIPRaw, model.MIPProfile, model.ELF, model.MachO:
		err = inspectMIP(a, is.Format, f, rec)
	case model.MemProfRaw, model.MemProfYAML, model.MemProfReport:
		err = inspectHeap(a, is.Format, f, rec)
	default:
		err = inspectInstr(a, is.Format, f, rec)
	}
	a.Sections = rec.Sections()
	if err != nil {
		a.Findings = append(a.Findings, FindingOf(f.Name, inFile(f.Name, is.Format, err)))
	}
	for i := range a.Findings {
		if a.Findings[i].File == "" {
			a.Findings[i].File = f.Name
		}
	}
	return a
}

func inspectInstr(a *model.Anatomy, format model.Format, f File, rec *wire.Recorder) error {
	src, err := openFormat(format, f.Data, nil, rec, false)
	if err == nil {
		a.Format = src.Info().Describe()
		a.Findings = append(a.Findings, new(heaps).openSection(f.Name, src.Info(), rec)...)
		err = readAll(src)
		a.Findings = append(a.Findings, src.Findings()...)
	}
	err = cutShort(f.Data, err)
	if c, ok := errors.AsType[cut](err); ok {
		*rec = wire.Recorder{}
		_, _ = instrprof.SalvageRaw(f.Data, nil, rec) // the sections after the fault too, and what there is of the one it is in
		if c.partial.Records > 0 {
			a.Salvage = &c.partial
		}
	}
	return err
}

// readAll reads every record and returns the first fault.
func readAll(src model.Source) error {
	for _, err := range src.Functions() {
		if err != nil {
			return err
		}
	}
	for _, err := range src.Traces() {
		if err != nil {
			return err
		}
	}
	return nil
}
