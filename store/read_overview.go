package store

import (
	"context"
	"fmt"
	"math"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/store/btree"
)

// walk calls visit for every row of a table of the schema.
func walk(r *btree.Reader, table string, visit func(row *rowReader)) error {
	t, err := r.Table(table)
	if err != nil {
		return err
	}
	c := t.Cursor()
	rr := rowReader{}
	for ok := c.Find(math.MinInt64); ok; ok = c.Next() {
		if rr.Row, err = c.Row(); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		if visit(&rr); rr.err != nil {
			return fmt.Errorf("%s: %w", table, rr.err)
		}
	}
	if c.Err() != nil {
		return fmt.Errorf("%s: %w", table, c.Err())
	}
	return nil
}

// rowReader reads columns and keeps the first error.
type rowReader struct {
	*btree.Row
	err error
}

func (r *rowReader) bytes(column int) []byte {
	b, err := r.Bytes(column)
	if err != nil && r.err == nil {
		r.err = err
	}
	return append([]byte(nil), b...)
}

func (r *rowReader) text(column int) string { return string(r.bytes(column)) }

// meta is the meta table.
type meta struct {
	numbers map[string]uint64
	words   map[string][]string
}

func readMeta(r *btree.Reader) (*meta, error) {
	m := &meta{map[string]uint64{}, map[string][]string{}}
	return m, walk(r, "meta", func(row *rowReader) {
		key := row.text(0)
		m.numbers[key] = row.Uint(1)
		m.words[key] = append(m.words[key], row.text(1))
	})
}

func (m *meta) number(key string) uint64 { return m.numbers[key] }

// int is a number that is a count of things in memory; -1 when it cannot be.
func (m *meta) int(key string) int {
	if n := m.numbers[key]; n <= math.MaxInt32 {
		return int(n)
	}
	return -1
}

func (m *meta) word(key string) string {
	if w := m.words[key]; len(w) > 0 {
		return w[0]
	}
	return ""
}

// storedSummary is a row of the summary table with its entries.
type storedSummary struct {
	origin string
	cs     bool
	instrprof.Summary
}

func readSummaries(r *btree.Reader) ([]storedSummary, error) {
	var all []storedSummary
	err := walk(r, "summary", func(row *rowReader) {
		all = append(all, storedSummary{row.text(1), row.Int(2) != 0, instrprof.Summary{
			NumFunctions: row.Uint(3), NumCounts: row.Uint(4), MaxFunctionCount: row.Uint(5),
			MaxCount: row.Uint(6), MaxInternalCount: row.Uint(7), TotalCount: row.Uint(8),
		}})
	})
	if err != nil {
		return nil, err
	}
	return all, walk(r, "summary_entry", func(row *rowReader) {
		if i := row.Int(1) - 1; i >= 0 && i < int64(len(all)) {
			all[i].Detailed = append(all[i].Detailed, instrprof.SummaryEntry{Cutoff: row.Uint(2), MinCount: row.Uint(3), NumCounts: row.Uint(4)})
		}
	})
}

// Overview returns everything about the profile that is not a row of a table.
// It is shared: do not change it.
func (p *Profile) Overview(context.Context) (*Overview, error) {
	p.overview.mu.Lock()
	defer p.overview.mu.Unlock()
	if p.overview.Overview != nil {
		return p.overview.Overview, nil
	}
	o, err := p.readOverview()
	if err != nil {
		return nil, fmt.Errorf("profile file: %w", err)
	}
	p.overview.Overview = o
	return o, nil
}

func (p *Profile) readOverview() (*Overview, error) {
	m, err := readMeta(p.r)
	if err != nil {
		return nil, err
	}
	o := &Overview{
		Describe:  m.word("describe"),
		Functions: m.int("functions"), Names: m.int("names"), NeverRan: m.int("never_ran"),
		Classes:  map[analyze.Class]int{},
		Counters: m.number("counters"), Zero: m.number("zero"), Total: p.total, Max: m.number("max"),
		BitmapBytes: m.number("bitmap_bytes"), Traces: m.int("traces"),
		Hot90: m.int("hot90"), Hot99: m.int("hot99"),
		Storing: p.storing,
	}
	for _, class := range []analyze.Class{analyze.Hot, analyze.Warm, analyze.Cold, analyze.Never, analyze.NoClass} {
		if n := m.int("class_" + string(class)); n > 0 {
			o.Classes[class] = n
		}
	}
	for _, f := range qualityMeta(&o.Quality) {
		*f.value = m.number("quality_" + f.key)
	}
	for kind := range o.Sites {
		o.Sites[kind] = m.number("sites_" + string(rune('0'+kind)))
	}
	o.Info = instrprof.Info{Info: model.Info{Format: model.Format(m.word("format")), Version: m.number("version"), PointerSize: m.int("pointer_size"), BigEndian: m.number("big_endian") != 0, Profiles: m.int("profiles")}, Variant: instrprof.Variant(m.number("variant")), ExplicitFE: m.number("explicit_fe") != 0, Records: m.number("records"), TraceStreamSize: m.number("trace_stream_size"), MemProfSection: model.Section{Name: m.word("memprof_section"), Offset: m.number("memprof_offset"), Size: m.number("memprof_size")}}
	o.Info.Describe, o.Info.Words = o.Describe, m.words["flag"]
	for _, family := range m.words["family"] {
		o.Info.Families = append(o.Info.Families, model.Family(family))
	}
	for _, text := range m.words["partial"] {
		partial, err := readPartial(text)
		if err != nil || partial == nil {
			return nil, fmt.Errorf("partial: %w", err)
		}
		o.Info.Partial = append(o.Info.Partial, *partial)
	}
	for _, read := range []func(*Overview) error{p.readSummariesOf, p.readFiles, p.readFindings, p.readDistributions, p.readIDs} {
		if err := read(o); err != nil {
			return nil, err
		}
	}
	if o.MIP, err = p.readMIPOverview(); err != nil {
		return nil, err
	}
	if o.MemProf, err = p.readHeapOverview(); err != nil {
		return nil, err
	}
	if o.DCPI, err = p.readDCPIOverview(); err != nil {
		return nil, err
	}
	if rank := m.int("max_at"); rank > 0 {
		row, err := find(p.function.Cursor(), rank)
		if err != nil {
			return nil, err
		}
		f, _, err := p.functionRow(row, nil)
		if err != nil {
			return nil, err
		}
		o.MaxAt = &f
	}
	return o, nil
}

func (p *Profile) readSummariesOf(o *Overview) error {
	all, err := readSummaries(p.r)
	for i := range all {
		s := &all[i]
		t := analyze.ThresholdsOf(&s.Summary)
		switch {
		case s.origin == "records" && !s.cs:
			o.Summary, o.Thresholds = s.Summary, t
		case s.origin == "records":
			o.CSSummary, o.CSThresholds = &s.Summary, &t
		case !s.cs:
			o.Info.Summary = &s.Summary
		default:
			o.Info.CSSummary = &s.Summary
		}
	}
	return err
}

func (p *Profile) readFiles(o *Overview) error {
	err := walk(p.r, "file", func(row *rowReader) {
		o.Inputs = append(o.Inputs, InputInfo{
			Name: row.text(1), SHA256: row.text(2), Size: row.Int(3),
			Describe: row.text(4), Format: model.Format(row.text(5)), Version: row.Uint(6),
		})
	})
	if err != nil {
		return err
	}
	return walk(p.r, "section", func(row *rowReader) {
		if i := row.Int(1) - 1; i >= 0 && i < int64(len(o.Inputs)) {
			o.Inputs[i].Sections = append(o.Inputs[i].Sections, model.Section{
				Name: row.text(2), Offset: row.Uint(3), Size: row.Uint(4), Note: row.text(5),
			})
		}
	})
}

func (p *Profile) readFindings(o *Overview) error {
	return walk(p.r, "finding", func(row *rowReader) {
		o.Findings = append(o.Findings, model.Finding{
			Severity: model.Severity(row.text(1)), Code: row.text(2), Kind: model.Kind(row.text(3)),
			File: row.text(4), Section: row.text(5), Field: row.text(6), Offset: row.Uint(7),
			Expected: row.text(8), Found: row.text(9), Message: row.text(10), Cause: row.text(11), Remedy: row.text(12),
			Count: row.Uint(13),
		})
	})
}

func (p *Profile) readDistributions(o *Overview) error {
	err := walk(p.r, "histogram", func(row *rowReader) {
		if row.ID >= 0 && row.ID < int64(len(o.Histogram)) {
			o.Histogram[row.ID] = row.Uint(1)
		}
	})
	if err != nil {
		return err
	}
	return walk(p.r, "curve", func(row *rowReader) {
		o.Curve = append(o.Curve, CurvePoint{N: int(row.ID), Share: row.Real(1)})
	})
}

func (p *Profile) readIDs(o *Overview) error {
	err := walk(p.r, "binary_id", func(row *rowReader) { o.Info.BinaryIDs = append(o.Info.BinaryIDs, row.bytes(1)) })
	if err != nil {
		return err
	}
	return walk(p.r, "vtable", func(row *rowReader) { o.Info.VTableNames = append(o.Info.VTableNames, row.bytes(1)) })
}
