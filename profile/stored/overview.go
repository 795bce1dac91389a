package stored

import (
	"encoding/json"

	"proflens/decode/model"
)

// Overview is what is known of a profile of any family.
type Overview struct {
	Info     model.Info // of the first input, with binary ids of all
	Inputs   []Input
	Findings []model.Finding
	// Storing is set on the preview of a profile whose tables are still being
	// written: it holds the first rows only.
	Storing bool
}

// Input is one file of a profile.
type Input struct {
	Name     string
	SHA256   string // hex
	Size     int64  // bytes, unpacked
	Describe string // as recognised
	Format   model.Format
	Version  uint64
	Sections []model.Section // for the file card: name, offset, size
	Partial  *model.Partial  // what of it was read; nil for a whole file
}

func (p *Profile) readOverview() (*Overview, error) {
	m := p.meta
	o := &Overview{Storing: p.Storing(), Info: model.Info{
		Format: model.Format(m.Word("format")), Version: m.Number("version"), PointerSize: m.Int("pointer_size"),
		BigEndian: m.Number("big_endian") != 0,
		Profiles:  m.Int("profiles"), Describe: m.Word("describe"), Words: m.Words("flag"),
	}}
	for _, family := range m.Words("family") {
		o.Info.Families = append(o.Info.Families, model.Family(family))
	}
	for _, text := range m.Words("partial") {
		var partial model.Partial
		if err := json.Unmarshal([]byte(text), &partial); err != nil {
			return nil, Damaged("partial: %v", err)
		}
		o.Info.Partial = append(o.Info.Partial, partial)
	}
	for _, read := range []func(*Overview) error{p.readFiles, p.readFindings, p.readBinaryIDs} {
		if err := read(o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Columns are those of the table file, in the schema's order.
func (i *Input) Columns() []any {
	return []any{&i.Name, &i.SHA256, &i.Size, &i.Describe, &i.Format, &i.Version}
}

// Section is a section of one of the files.
type Section struct {
	File int // from 1
	model.Section
}

// Columns are those of the table section, in the schema's order.
func (s *Section) Columns() []any { return []any{&s.File, &s.Name, &s.Offset, &s.Size, &s.Note} }

// FindingColumns are those of the table finding, in the schema's order.
func FindingColumns(f *model.Finding) []any {
	return []any{
		&f.Severity, &f.Code, &f.Kind, &f.File, &f.Section, &f.Field, &f.Offset, &f.Expected, &f.Found, &f.Message, &f.Cause,
		&f.Remedy, &f.Count,
	}
}

func (p *Profile) readFiles(o *Overview) (err error) {
	if o.Inputs, err = FillRows(p, "file", (*Input).Columns); err != nil {
		return err
	}
	return p.Walk("section", func(row *Row) {
		var s Section
		row.Fill(s.Columns()...)
		if i := s.File - 1; i >= 0 && i < len(o.Inputs) {
			o.Inputs[i].Sections = append(o.Inputs[i].Sections, s.Section)
		}
	})
}

func (p *Profile) readFindings(o *Overview) (err error) {
	o.Findings, err = FillRows(p, "finding", FindingColumns)
	return err
}

func (p *Profile) readBinaryIDs(o *Overview) error {
	return p.Walk("binary_id", func(row *Row) { o.Info.BinaryIDs = append(o.Info.BinaryIDs, row.Blob(1)) })
}
