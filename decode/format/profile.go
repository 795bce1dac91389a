package format

import (
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Profile is what files were decoded to: facts about the whole, and a part for
// each family that they have something of.
type Profile struct {
	Suite  *Suite
	Info   model.Info
	Inputs []Input
	Parts  []Part // at most one of a family
	// Faults are why a part is missing though a file has one, by family.
	Faults map[model.Family]error
	Found  []model.Finding // of the files; parts may have more, see Findings
	// Declared is where functions are declared, by the debug info of the programs among
	// the files; nil without any.
	Declared model.Declarations
	// Kept is what the suite keeps for those who write the profile in its formats.
	Kept any
}

// Part is what a profile holds of one family: records, in the family's own type.
type Part struct {
	Family  model.Family
	Records any
}

// Input is what is known of one of a profile's files.
type Input struct {
	Name     string
	Size     uint64
	Info     model.Info
	Sections []model.Section // only with Options.Record
}

// NewInput is what is known of a file before it was read.
func NewInput(f File) Input {
	in := Input{Name: f.Name, Size: uint64(len(f.Data))}
	if f.Is != nil {
		in.Info.Describe = f.Is.Describe
		if f.Is.Format != nil {
			in.Info.Format = f.Is.Format.Name
		}
	}
	return in
}

// Keep keeps the sections that a recorder heard of; nil keeps none.
func (in *Input) Keep(rec *wire.Recorder) {
	if rec.Records() {
		in.Sections = rec.Sections()
	}
}

// Find adds findings of the files.
func (p *Profile) Find(findings ...model.Finding) { p.Found = append(p.Found, findings...) }

// Findings are those of the files and of the records. They grow while a part
// is read whose records come in a stream, and are complete once that has ended.
func (p *Profile) Findings() []model.Finding {
	all := slices.Clip(p.Found)
	for _, part := range p.Parts {
		if more, ok := part.Records.(interface{ Findings() []model.Finding }); ok {
			all = append(all, more.Findings()...)
		}
	}
	return all
}

// Add adds the part of a family, or puts it in the place of another.
func (p *Profile) Add(family model.Family, records any) {
	p.Without(family)
	p.Parts = append(p.Parts, Part{family, records})
}

// Without takes the part of a family out.
func (p *Profile) Without(family model.Family) {
	p.Parts = slices.DeleteFunc(p.Parts, func(part Part) bool { return part.Family == family })
}

// Families are those that the profile has a part of.
func (p *Profile) Families() []model.Family {
	list := make([]model.Family, len(p.Parts))
	for i, part := range p.Parts {
		list[i] = part.Family
	}
	return list
}

// Fault is why nothing of the profile can be shown though it was opened: it has
// no part that could be read. Else it is nil.
func (p *Profile) Fault() error {
	if len(p.Parts) > 0 {
		return nil
	}
	for _, err := range p.Faults {
		return err
	}
	return nil
}

// PartOf is the part of a profile whose records are a T.
func PartOf[T any](p *Profile) (T, bool) {
	for _, part := range p.Parts {
		if records, ok := part.Records.(T); ok {
			return records, true
		}
	}
	var none T
	return none, false
}

// Need is the part of a family, or the error for a profile that has none, which
// is called so: "no heap profile". A damaged part's error is its fault.
func Need[T any](p *Profile, family model.Family, called string) (T, error) {
	records, ok := PartOf[T](p)
	if ok {
		return records, nil
	}
	if fault := p.Faults[family]; fault != nil {
		return records, fault
	}
	return records, &model.FormatError{Kind: model.KindIncompatible, Section: "header",
		Msg: "the profile has " + called, Found: p.Info.Describe}
}

// LeaveOut is the input for a file of no kind that is read, which came along with
// others: the profile is without it, and a finding says so.
func (p *Profile) LeaveOut(f File) Input {
	p.Find(LeftOut(f))
	return NewInput(f)
}

// LeftOut is the finding about a file that came along with others and is no profile.
func LeftOut(f File) model.Finding {
	return model.Finding{Severity: model.Note, Code: "input.left_out", Kind: model.KindUnrecognizedFormat, File: f.Name,
		Message: fmt.Sprintf("left out: this is %s, not a profile", f.Is.Describe)}
}

// AddNothing is the input for a file without bytes, which llvm-profdata takes for
// a raw profile that has not been written yet.
func (p *Profile) AddNothing(f File) Input {
	in := NewInput(f)
	in.Info.Families, in.Info.Describe = f.Is.Families, "empty LLVM raw"
	p.Find(NothingIn(f.Name))
	return in
}

// NothingIn is the finding about a file without bytes.
func NothingIn(name string) model.Finding {
	f := FindingOf(name, &fileError{&Format{Prefix: "raw"}, &model.FormatError{Kind: model.KindEmpty, File: name, Msg: "the file is empty; it adds nothing"}})
	f.Severity = model.Warning
	return f
}
