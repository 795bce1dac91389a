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

func (p *Profile) readFiles(o *Overview) error {
	err := p.Walk("file", func(row *Row) {
		o.Inputs = append(o.Inputs, Input{
			Name: row.String(1), SHA256: row.String(2), Size: row.Int(3),
			Describe: row.String(4), Format: model.Format(row.String(5)), Version: row.Uint(6),
		})
	})
	if err != nil {
		return err
	}
	return p.Walk("section", func(row *Row) {
		if i := row.Int(1) - 1; i >= 0 && i < int64(len(o.Inputs)) {
			o.Inputs[i].Sections = append(o.Inputs[i].Sections, model.Section{
				Name: row.String(2), Offset: row.Uint(3), Size: row.Uint(4), Note: row.String(5),
			})
		}
	})
}

func (p *Profile) readFindings(o *Overview) error {
	return p.Walk("finding", func(row *Row) {
		o.Findings = append(o.Findings, model.Finding{
			Severity: model.Severity(row.String(1)), Code: row.String(2), Kind: model.Kind(row.String(3)),
			File: row.String(4), Section: row.String(5), Field: row.String(6), Offset: row.Uint(7),
			Expected: row.String(8), Found: row.String(9), Message: row.String(10), Cause: row.String(11),
			Remedy: row.String(12),
			Count:  row.Uint(13),
		})
	})
}

func (p *Profile) readBinaryIDs(o *Overview) error {
	return p.Walk("binary_id", func(row *Row) { o.Info.BinaryIDs = append(o.Info.BinaryIDs, row.Blob(1)) })
}
