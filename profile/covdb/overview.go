package covdb

import (
	"reflect"
	"strings"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/profile/figure"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Sums are the numbers of a file, a directory or the whole: as llvm-cov counts, where
// the instances of a template count as the largest does in each number; and with all
// instances laid on one another.
type Sums struct {
	coverage.Summary
	Union  coverage.Union `api:"union" col:"union_"`
	Partly int            `api:"lines_partly,after=lines" col:"lines_partly" width:"8" is:"sort,range"`
	_      column         `help:"that ran, and not all on them"`
	_      column         `col:"missing" is:"sort,range,number,page" help:"lines that did not run"`
	_      column         `col:"total" head:"of lines" is:"sort,range,number,page" help:"lines with code"`
	_      column         `col:"union_missing" is:"sort,range,number,page" help:"lines that no instance ran"`
	_      column         `col:"union_total" head:"of lines, union" is:"sort,range,number,page" help:"lines with code"`
}

// sums are their columns.
var sums = table.Declare[Sums](table.Declaration{})

// Cell implements [table.Celler].
func (s *Sums) Cell(column string, _ *table.Options) table.Cell {
	of := s.Lines
	if strings.HasPrefix(column, "union_") {
		of = s.Union.Lines
	}
	if strings.HasSuffix(column, "missing") {
		return table.Int(of.Missed())
	}
	return table.Int(of.Total)
}

// counted is a column by the way of counting.
func counted(c query.Column, union bool) query.Column {
	if union && sums.Field("union_"+string(c)) != nil {
		return "union_" + c
	}
	return c
}

// metricOf finds the metric that a column is the share of; nil for other columns.
func metricOf(c query.Column, union bool) func(*Sums) *coverage.Metric {
	f := sums.Field(string(counted(c, union)))
	if f == nil {
		return nil
	}
	if t, _ := f.Type(); t != reflect.TypeFor[coverage.Metric]() {
		return nil
	}
	return func(s *Sums) *coverage.Metric { return f.Value(reflect.ValueOf(s).Elem()).(*coverage.Metric) }
}

// Add adds others up.
func (s *Sums) Add(o *Sums) {
	s.Summary.Add(o.Summary)
	s.Union.Add(o.Union)
	s.Partly += o.Partly
}

// Of are lines, regions and branches by the way of counting.
func (s *Sums) Of(union bool) coverage.Union {
	if union {
		return s.Union
	}
	return coverage.Union{Lines: s.Lines, Regions: s.Regions, Branches: s.Branches}
}

// Overview is what is known of the whole.
type Overview struct {
	Files      int                `api:"files"`
	Totals     Sums               `api:",inline"`
	Instances  int                // functions, a template's instances one by one
	Joined     int                // of them, those that the profile has a record of
	Records    int                // of the profile
	SingleByte bool               `api:"single_byte" doc:"counts say whether something ran, not how often"`
	Objects    Objects            `api:"objects" is:"list ..100"`
	Prefix     string             // what all file names begin with, which File.Path leaves out
	Misfits    map[MisfitKind]int `api:"misfits" is:"1.." doc:"functions by why they do not fit"`
	Foreign    int                `api:"unmapped_records" doc:"records with names that no given program has"`
	// Kinds are how many files there are of each kind but one's own.
	Kinds map[sources.Kind]int
	// LeftOut says what Totals are without; empty for nothing.
	LeftOut string `api:"left_out,omitempty" doc:"what the totals are without"`
}

// Figures are those of source coverage. Of is the sums of llvm-cov's report.
var Figures = figure.Declare(figure.List{
	Object:    "source_coverage",
	Overview:  figure.Overview(Of),
	Text:      "lines regions branches? functions mcdc?",
	Card:      "lines branches? functions",
	Functions: `one:"function" many:"functions"`,
	Head:      `figure:"lines" says:"of lines"`,
	Figures: []string{
		`name:"lines" label:"Lines" of:"Totals.Lines.Covered" whole:"Totals.Lines.Total" unit:"share"
			text:"lines covered" measure:"coverage" measured:"Lines covered" better:"more"
			counts:"part of the lines that ran, as llvm-cov report counts"`,
		`name:"branches" label:"Branches" of:"Totals.Branches.Covered" whole:"Totals.Branches.Total" unit:"share"
			note:"{Totals.Branches.Total-Totals.Branches.Covered||# side never taken|# sides never taken}"
			text:"branches covered" measure:"branch_coverage" measured:"Branches covered" better:"more"
			counts:"the same of branches"`,
		`name:"functions" label:"Functions" of:"Totals.Functions.Covered" whole:"Totals.Functions.Total" unit:"share"
			note:"{Totals.Functions.Total-Totals.Functions.Covered||# never ran|# never ran}"
			text:"functions covered" measure:"function_coverage" measured:"Functions covered" better:"more"
			counts:"the same of functions"`,
		`name:"regions" label:"Regions" of:"Totals.Regions.Covered" whole:"Totals.Regions.Total" unit:"share"
			note:"{Totals.Regions.Total-Totals.Regions.Covered||# not covered|# not covered}"
			text:"regions covered" measure:"region_coverage" measured:"Regions covered" better:"more"
			counts:"the same of regions"`,
		`label:"Instantiations covered" of:"Totals.Instantiations.Covered" whole:"Totals.Instantiations.Total"
			measure:"instantiation_coverage" better:"more"
			counts:"the same of instantiations"`,
		`name:"mcdc" label:"MC/DC conditions" of:"Totals.MCDC.Covered" whole:"Totals.MCDC.Total" unit:"share"
			note:"{Totals.MCDC.Total-Totals.MCDC.Covered||# without a pair|# without a pair}"
			text:"MC/DC conditions" measure:"mcdc_coverage" measured:"MC/DC conditions covered" better:"more"
			counts:"the same of conditions of MC/DC"`,
	},
})

// Without says what the figures are without; empty for nothing.
func (o *Overview) Without() string { return o.LeftOut }

// Tells implements [figure.Teller].
func (o *Overview) Tells(field string) bool {
	switch field {
	case "Totals.MCDC.Covered":
		return o.Totals.MCDC.Total > 0
	case "Totals.Branches.Covered":
		return o.Totals.Branches.Total > 0
	}
	return true
}

// Objects are programs, libraries and object files.
type Objects []Object

// maxObjects is how many of a large archive's members the API lists.
const maxObjects = 100

// API implements [figure.Presenter].
func (o Objects) API() any { return []Object(o[:min(len(o), maxObjects)]) }

// Object is a program, a library, an object file, or a member of an archive.
type Object struct {
	Name      string `api:"name"`
	Version   int    `api:"mapping_version"` // 1 to 7
	BuildID   []byte `api:"build_id,omitempty"`
	Functions int    `api:"functions"` // function records
	Damaged   int    `api:"damaged"`   // records that could not be read
}

// columns are those of coverage, in the schema's order, and of coverage_object.
func (o *Overview) columns() []any {
	return []any{&o.SingleByte, &o.Foreign, &o.Records, &o.Joined, &o.Prefix}
}

func (o *Object) columns() []any {
	return []any{&o.Name, &o.Version, &o.BuildID, &o.Functions, &o.Damaged}
}

// open reads what is kept of a profile as long as it is open.
func (p *Profile) open() error {
	o, err := stored.FillOne(p.Profile, "coverage", (*Overview).columns)
	if err != nil {
		return err
	}
	p.Overview, o.Misfits = o, map[MisfitKind]int{}
	if o.Objects, err = stored.FillRows(p.Profile, "coverage_object", (*Object).columns); err != nil {
		return err
	}
	if err := p.readFiles(); err != nil {
		return err
	}
	o.Files = len(p.files)
	for i := range p.files {
		o.Totals.Add(&p.files[i].Sums)
	}
	o.Instances, err = p.count("coverage_function")
	if err != nil {
		return err
	}
	return p.Walk("coverage_misfit", func(row *stored.Row) { o.Misfits[MisfitKind(row.String(1))]++ })
}

// count is how many rows a table has whose ids count from 1.
func (p *Profile) count(table string) (n int, err error) {
	err = p.Walk(table, func(row *stored.Row) {
		if n++; row.ID != int64(n) {
			row.Fail(stored.Damaged("row %d of %s where %d was expected", row.ID, table, n))
		}
	})
	return n, err
}
