package decode

import (
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Inspect reads a file's anatomy: its sections and header fields, as far as
// they can be read. It never fails; what stopped the reading, in the headers
// or in any record, is the last finding.
func Inspect(f format.File) *model.Anatomy {
	f = recognised([]format.File{f})[0]
	a := &model.Anatomy{
		File: f.Name, Size: uint64(len(f.Data)), Format: f.Is.Describe,
		Sections: []model.Section{}, Findings: []model.Finding{},
	}
	switch {
	case f.Is.Empty:
		a.Findings = append(a.Findings, format.NothingIn(f.Name))
		return a
	case f.Is.Err != nil:
		a.Findings = append(a.Findings, format.FindingOf(f.Name, f.Is.Err))
		return a
	}
	a.Locates = f.Is.Format.Locate != nil
	rec := &wire.Recorder{Allowance: allowanceFor([]format.File{f})}
	err := f.Is.Format.Inspect(a, f, rec)
	a.Sections = rec.Sections()
	if err != nil {
		a.Findings = append(a.Findings, format.FindingOf(f.Name, f.Is.Format.InFile(f.Name, err)))
	}
	for i := range a.Findings {
		if a.Findings[i].File == "" {
			a.Findings[i].File = f.Name
		}
	}
	return a
}

// Fields reads what stands in one section of a file from field number from on,
// as many as an anatomy lists of a section: the records and counters that
// [Inspect] leaves out. A name that several sections have is that of each; from
// counts in each. A file without the section gives none, or the error that ended
// the reading before it.
//
// With words they are those whose name or value has all of them, and numbered among
// these alone.
//
// The file is looked at only as far as finding the section needs.
func Fields(f format.File, section string, from uint64, words string) ([]model.Section, error) {
	f = recognised([]format.File{f})[0]
	if f.Is.Err != nil {
		return nil, f.Is.Err
	}
	rec := wire.NewWindow(section, from, words)
	var err error
	if !f.Is.Empty {
		err = f.Is.Format.Outline(f, rec)
	}
	var found []model.Section
	for _, s := range rec.Sections() {
		if s.Name == section {
			found = append(found, s)
		}
	}
	if len(found) == 0 && err != nil {
		return nil, f.Is.Format.InFile(f.Name, err)
	}
	return found, nil
}
