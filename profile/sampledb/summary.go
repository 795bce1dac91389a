package sampledb

import (
	"context"

	"proflens/profile/table"
)

// Section is a section of an extensible file.
type Section struct {
	Type   uint64 `col:"type" width:"6" is:"sort,up"`
	Offset uint64 `col:"offset" width:"10" is:"sort,up,range" help:"in the file"`
	Size   uint64 `col:"size" width:"10" is:"sort,range,bytes"`
	Flags  string `col:"flags" width:"24"`
	Name   string `col:"name" is:"sort,up,words"`
}

// Sections is the table of sections, in the order of the file's own.
var Sections = table.Declare[Section](table.Declaration{
	About: "A section of an extensible sample profile.", Noun: "section",
	Show: "name offset size flags",
})

// FindSections finds sections.
func (p *Profile) FindSections(context.Context) (table.Find, error) {
	return Sections.Within(table.Set{Rows: p.Overview.Sections}), nil
}

// Cutoff is a share of all samples, and the counts that make it up.
type Cutoff struct {
	Cutoff   uint64 `col:"cutoff" width:"8" is:"plain,sort,up" help:"millionths of all samples"`
	MinCount uint64 `col:"min_count" width:"20" is:"sort,range" help:"the least of the largest counts that make it up"`
	Counts   uint64 `col:"counts" width:"12" is:"sort" help:"so many of them"`
}

// Cutoffs is the table of the detailed summary.
var Cutoffs = table.Declare[Cutoff](table.Declaration{
	Around: (*summed)(nil),
	About:  "A share of all samples, and the counts that make it up.", Noun: "cutoff",
	Show: "cutoff min_count counts",
})

// summed is the rest of the summary.
type summed struct {
	Functions   uint64 `col:"functions"`
	MaxFunction uint64 `col:"max_function"`
	MaxCount    uint64 `col:"max_count"`
	Counts      uint64 `col:"num_counts"`
	Total       uint64 `col:"total_count"`
	InFile      bool   `col:"in_file"`
}

// FindCutoffs finds the rows of the detailed summary.
func (p *Profile) FindCutoffs(context.Context) (table.Find, error) {
	s := &p.Overview.Summary
	rows := make([]Cutoff, len(s.Entries))
	for i, e := range s.Entries {
		rows[i] = Cutoff(e)
	}
	return Cutoffs.Within(table.Set{Rows: rows,
		Around: &summed{s.Functions, s.MaxFunction, s.MaxCount, s.Counts, s.Total, p.Overview.OwnSummary}}), nil
}
