package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	// Others are the files that are of no kind that is read, and came along.
	Others []File
	// Declared is where functions are declared, by the debug info of the programs among
	// the files; nil without any.
	Declared model.Declarations
	// Embedded reads the sources whose text the programs among the files hold; it may be nil.
	Embedded func() []model.SourceText
	// Kept is what the suite keeps for those who write the profile in its formats.
	Kept any

	spared error // see Spared
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
	all := append(slices.Clip(p.Found), p.others()...)
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
	p.Others = append(p.Others, f)
	return NewInput(f)
}

// Place takes the sources of the profile out of what it is without: those of which is
// says so, by their names.
func (p *Profile) Place(is func(name string) bool) {
	p.Others = slices.DeleteFunc(p.Others, func(f File) bool { return is(f.Name) })
}

// maxOthers is how many files that came along are named each in a finding of its own, and
// maxNamed how many of the others one finding names.
const (
	maxOthers = 10
	maxNamed  = 20
)

// others are the findings about the files that came along.
func (p *Profile) others() (found []model.Finding) {
	rest := p.Others
	for len(rest) > 0 && (len(found) < maxOthers-1 || len(rest) == 1) {
		found, rest = append(found, LeftOut(rest[0])), rest[1:]
	}
	if len(rest) == 0 {
		return found
	}
	names := make([]string, 0, maxNamed)
	for _, f := range rest[:min(len(rest), maxNamed)] {
		names = append(names, f.Name)
	}
	message := fmt.Sprintf("left out: %d more files that are no profiles: %s", len(rest), strings.Join(names, ", "))
	if more := len(rest) - len(names); more > 0 {
		message += fmt.Sprintf(", and %d more", more)
	}
	return append(found, model.Finding{Severity: model.Note, Code: "input.left_out", Kind: model.KindUnrecognizedFormat,
		File:    rest[0].Name,
		Message: message, Count: uint64(len(rest))})
}

// LeftOut is the finding about a file that came along with others and is no profile.
func LeftOut(f File) model.Finding {
	message := fmt.Sprintf("left out: this is %s, not a profile", f.Is.Describe)
	if f.Is.Describe == UnknownWord {
		message = "left out: it is in no format that Proflens reads"
	}
	return model.Finding{
		Severity: model.Note, Code: "input.left_out", Kind: model.KindUnrecognizedFormat, File: f.Name, Message: message,
	}
}

// LeftOutFor is the finding about an input that is left out for a fault.
func LeftOutFor(name string, err error) model.Finding {
	f := FindingOf(name, err)
	f.Severity, f.Code, f.Message = model.Warning, "merge.left_out", "left out: "+f.Message
	return f
}

// Spare leaves one of some files out for a fault, with a finding, where the profile can do
// without: it came along, and another is a profile. Else it returns the fault.
func (p *Profile) Spare(files []File, at int, err error) error {
	_, fault := model.FaultIn(err)
	another := func(f File) bool { return f.Is != files[at].Is && f.Is.IsProfile() }
	if !fault || !files[at].Optional || !slices.ContainsFunc(files, another) {
		return err
	}
	p.spared = cmp.Or(p.spared, err)
	p.Find(LeftOutFor(files[at].Name, err))
	return nil
}

// Spared is the first fault for which a file was left out: that of the whole where nothing
// is left to open.
func (p *Profile) Spared() error { return p.spared }

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
	f := FindingOf(name, &fileError{
		&Format{Prefix: "raw"}, &model.FormatError{Kind: model.KindEmpty, File: name,
			Msg: "the file is empty; it adds nothing"},
	})
	f.Severity = model.Warning
	return f
}
