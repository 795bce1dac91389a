package mipdb

import (
	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profile/figure"
)

// Overview is what the overview says of a Machine IR Profile (mip.md). Removed blocks are in
// no figure but their own.
type Overview struct {
	ProfileType mip.ProfileType `api:"profile_types"`
	FileType    mip.FileType    `api:"file_types"`
	ModuleHash  uint32          `api:"module_hash,hex" is:"/^0x[0-9a-f]{8}$/"`
	Measured    mip.ProfileType // what there is of what the header names
	Layout      mip.Layout      `api:"layout" doc:"Layout of a .mip; empty for other files."`
	RawAddress  *uint64         // link-time address of the raw section; nil where no program was given
	Underscore  bool            // names have the underscore of Mach-O in front
	MapFile     string          // the file that the functions come from

	analyze.MIPTotals // of all functions
	// RemovedBlocks are gone from the program.
	RemovedBlocks uint64 `api:"removed_blocks,exact,after=covered_blocks"`
	Saturated     int    `api:"saturated" doc:"Functions whose call count is a lower bound."`
	Unnamed       int    `api:"unnamed,after=executed"`          // functions without a name
	Runs          int    `api:"runs" doc:"Number of raw files."` // raw files
	// RunsAtLeast is the largest merge count, all that is known of a .mip's runs.
	RunsAtLeast uint64 `api:"runs_at_least,exact"`
}

// Tells implements [figure.Teller].
func (o *Overview) Tells(field string) bool {
	switch field {
	case "Calls":
		return o.HasCalls()
	case "CoveredBlocks", "RemovedBlocks":
		return o.HasBlocks()
	case "Runs":
		return o.Runs > 0
	case "RunsAtLeast":
		return o.Runs == 0
	}
	return true
}

// Figures are those of a Machine IR Profile.
var Figures = figure.Declare(figure.List{
	Object:    "mip",
	Overview:  figure.Overview(Of),
	Tiles:     "functions bytes blocks? removed? dead calls? runs?",
	Text:      "functions bytes blocks? removed? dead calls? runs?",
	Card:      "coverage ran dead",
	Functions: `one:"function" many:"functions"`,
	Head:      `figure:"bytes" says:"of bytes"`,
	Total:     `one:"call" many:"calls" unit:"count" none:"no calls were counted"`,
	Figures: []string{
		`label:"Functions" of:"Functions" measure:"functions"
			counts:"functions"`,
		`name:"functions" label:"Functions executed" of:"Executed" whole:"Functions" url:"/functions"
			how:"mip-executed the number executed" measure:"functions_run" measured:"Functions that ran" better:"more"
			counts:"part of the functions that ran"`,
		`name:"bytes" label:"Bytes covered" of:"CoveredBytes" whole:"Bytes" unit:"bytes" url:"/tree"
			how:"mip-coverage coverage in bytes" measure:"coverage" better:"more"
			counts:"part of the [bytes that ran](#mip-coverage)"`,
		`name:"blocks" label:"Blocks covered" of:"CoveredBlocks" whole:"Blocks" how:"mip-blocks a block's state"
			measure:"blocks_run?" measured:"Blocks that ran" better:"more"
			counts:"part of the blocks that ran; only with block coverage"`,
		`name:"removed" label:"Removed blocks" of:"RemovedBlocks" note:"not in percentages"
			text:"blocks removed" how:"mip-blocks a block's state"
			title:"removed from the program after instrumentation: they can never run"`,
		`name:"dead" label:"Never executed" of:"Bytes-ExecutedBytes" unit:"bytes" url:"/dead"
			how:"mip-executed the number executed" note:"{Functions-Executed|# function|# functions}" text:"bytes never executed"
			text-note:"in {Functions-Executed|# function|# functions}"`,
		`name:"calls" label:"Calls" of:"Calls" unit:"count" url:"/calls{Saturated??saturated=true}"
			how:"mip-calls a call count" note:"{Saturated|none|# function|# functions} saturated"
			text-note:"{Saturated|# function|# functions} saturated" measure:"calls?" better:"more"
			counts:"calls; only where they were counted"`,
		`name:"runs" label:"Runs" of:"Runs" note:"raw files" url:"/runs" how:"mip-runs a run's figure"`,
		`name:"runs" label:"Runs" of:"RunsAtLeast" unit:"least" note:"the largest merge count"
			text-note:"or more: the largest merge count" how:"mip-runs a run's figure"`,
		`name:"coverage" label:"Of the bytes covered" of:"CoveredBytes" whole:"Bytes" unit:"share"`,
		`name:"ran" label:"Of {Functions|# function|# functions} ran" of:"Executed"`,
	},
})

// HasTimestamps reports whether first-call positions were recorded.
func (o *Overview) HasTimestamps() bool { return o.Measured.Has(mip.Timestamp) }

// HasCalls reports whether calls were counted.
func (o *Overview) HasCalls() bool { return o.Measured.Has(mip.CallCount) }

// HasBlocks reports whether blocks other than the entries were counted.
func (o *Overview) HasBlocks() bool { return o.Measured.Has(mip.BlockCoverage) }

// columns are those of mip_module, in the schema's order.
func (o *Overview) columns() []any {
	return []any{
		&o.FileType, &o.ProfileType, &o.ModuleHash, &o.Layout, &o.RawAddress, &o.Underscore, &o.MapFile, &o.Functions,
		&o.Executed, &o.Bytes, &o.ExecutedBytes, &o.CoveredBytes, &o.Blocks, &o.CoveredBlocks, &o.RemovedBlocks, &o.Calls,
		&o.Saturated, &o.Unnamed, &o.Runs, &o.RunsAtLeast, &o.Measured,
	}
}
