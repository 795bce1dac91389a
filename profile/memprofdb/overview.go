package memprofdb

import (
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// Overview is what the overview says of a heap profile (memprof.md).
type Overview struct {
	Format     model.Format      `api:"format" doc:"Empty if merged from several formats."`
	Version    uint64            `api:"version" doc:"Version of the heap profile; 0 for text."`
	Schema     memprof.MIBSchema `api:"schema" doc:"Fields that at least one context has."`
	Symbolized bool              `api:"symbolized"` // frames have functions, else addresses or names alone
	Dumps      int               `api:"dumps" doc:"Number of raw profiles added up."`

	analyze.MemProfTotals // of all contexts, each a distinct call stack

	Longest  uint32  `api:"max_lifetime,optional" doc:"Milliseconds."` // the largest MaxLifetime, milliseconds
	Classes  Classes `api:"classes"`                                   // by the compiler's defaults
	Recorded int     `api:"recorded,after=contexts" doc:"Contexts in the file."`
	Sites    int     `api:"sites"` // places that allocate
	// of which some contexts are cold and others not: they need cloning
	MixedSites int                `api:"mixed_sites" doc:"Sites that need cloning."`
	Owners     int                `api:"allocating_functions"`
	Functions  int                `api:"functions" doc:"Functions in call stacks."` // in stacks
	Frames     int                `api:"frames"`                                    // distinct places in functions
	Stacks     int                // nodes of the tree of calls
	Deepest    uint32             `api:"max_depth" doc:"Largest number of frames in a stack."`
	CallSites  int                `api:"call_sites"`  // calls on the way to an allocation, as recorded
	DataAccess bool               `api:"data_access"` // there is a data access profile
	Shared     analyze.StackSizes `api:"call_stacks"`
	Modules    int                `api:"segments" doc:"Number of modules."` // of raw profiles
	// Summary is the one stored in the file (indexed version 4); nil elsewhere.
	Summary *memprof.Summary
}

// ClassTotals is what the contexts of a class come to.
type ClassTotals struct {
	Contexts uint64      `col:"contexts" width:"9" api:"contexts"`
	Bytes    analyze.Sum `col:"bytes" width:"14" is:"sort,bytes" api:"bytes"`
}

// Classes are the classes' totals in the order of analyze.MemProfClasses.
type Classes [len(analyze.MemProfClasses)]ClassTotals

// API implements [figure.Presenter].
func (c Classes) API() any {
	words := map[string]ClassTotals{}
	for i, class := range analyze.MemProfClasses {
		words[strings.ReplaceAll(string(class), " ", "")] = c[i]
	}
	return words
}

// measured are the fields of memory info blocks that figures are sums of.
var measured = map[string]memprof.MIBField{
	"Bytes": memprof.TotalSize, "Allocations": memprof.AllocCount, "Accesses": memprof.TotalAccessCount,
	"Lifetime": memprof.TotalLifetime, "Longest": memprof.MaxLifetime,
}

// Tells implements [figure.Teller].
func (o *Overview) Tells(field string) bool {
	of, ok := measured[field]
	class, isClass := strings.CutPrefix(field, "Classes.")
	switch {
	case ok:
		return o.Schema.Has(of)
	case class == "0.Bytes" || class == "2.Bytes": // cold, hot
		return o.Classes[3].Contexts < o.Contexts
	case isClass:
		return o.Classes[class[0]-'0'].Contexts > 0
	}
	return true
}

// Figures are those of a heap profile.
var Figures = figure.Declare(figure.List{
	Object:   "memprof",
	Overview: figure.Overview(Of),
	Tiles:    "bytes allocations contexts lifetime? cold hot unknown? mixed",
	Text: "contexts bytes? allocations? accesses? lifetimes? lifetime? " +
		"cold-contexts? warm-contexts? hot-contexts? unknown-contexts? mixed",
	Card:      "requested allocations different",
	Functions: `one:"function" many:"functions" exact:"function that allocates|functions that allocate"`,
	Total:     `unit:"bytes"`,
	Figures: []string{
		`name:"bytes" label:"Bytes" of:"Bytes" unit:"bytes" note:"requested, of all objects"
			text-note:"requested" measure:"allocated_bytes" measured:"Bytes allocated" better:"less"
			counts:"bytes requested, of the whole run"`,
		`name:"allocations" label:"Allocations" one:"allocation" of:"Allocations" unit:"count" note:"objects"
			measure:"allocations" better:"less"
			counts:"objects, of the whole run"`,
		`name:"contexts" label:"Contexts" of:"Contexts" unit:"count" url:"/sites" how:"memprof-contexts an allocation context"
			note:"of {Sites|# site|# sites}"
			text-note:"of {Sites|# site|# sites} in {Owners|# function|# functions}" measure:"contexts"
			measured:"Allocation contexts"
			counts:"allocation contexts"`,
		`name:"accesses" label:"Accesses" of:"Accesses"`,
		`name:"lifetimes" label:"Lifetime" of:"Lifetime" note:"ms, of all objects"`,
		`name:"lifetime" label:"Longest lifetime" of:"Longest" unit:"ms" how:"memprof-lifetime the mean lifetime"
			note:"of one object" text-note:"ms"`,
		`name:"cold" label:"Cold" of:"Classes.0.Bytes" unit:"bytes" how:"memprof-class the class of a context"
			note:"{Classes.0.Contexts|# context|# contexts}" url:"{Classes.0.Contexts?/sites?class=cold}"
			measure:"cold_bytes?" measured:"Cold bytes"
			counts:"bytes of cold contexts ([class](#memprof-class)), by the compiler's default thresholds"`,
		`name:"hot" label:"Hot" of:"Classes.2.Bytes" unit:"bytes" how:"memprof-class the class of a context"
			note:"{Classes.2.Contexts|# context|# contexts}{Classes.2.Contexts? with hints}"
			url:"{Classes.2.Contexts?/sites?class=hot}"
			title:"by default the compiler treats them as not cold" measure:"hot_bytes?"
			measured:"Hot bytes"
			counts:"bytes of hot contexts, by the same"`,
		`name:"unknown" label:"Class unknown" of:"Classes.3.Bytes" unit:"bytes" how:"memprof-class the class of a context"
			note:"{Classes.3.Contexts|# context|# contexts}" url:"/sites?class=unknown"`,
		`label:"Bytes that live 200 ms or more" unit:"bytes" measure:"long_lived_bytes" better:"less"
			counts:"bytes of contexts whose objects live 200 ms or more on average: what holds memory at the peak.
			MemProf does not record the peak itself"`,
		`name:"cold-contexts" label:"Cold" of:"Classes.0.Contexts"
			note:"contexts, {Classes.0.Bytes|# byte|# bytes}"`,
		`name:"warm-contexts" label:"Not cold" of:"Classes.1.Contexts"
			note:"contexts, {Classes.1.Bytes|# byte|# bytes}"`,
		`name:"hot-contexts" label:"Hot" of:"Classes.2.Contexts"
			note:"contexts, {Classes.2.Bytes|# byte|# bytes}"`,
		`name:"unknown-contexts" label:"Of unknown class" of:"Classes.3.Contexts"
			note:"contexts, {Classes.3.Bytes|# byte|# bytes}"`,
		`name:"mixed" label:"Mixed sites" of:"MixedSites" url:"{MixedSites?/sites?by=line&mixed=true}"
			how:"memprof-mixed a site that needs cloning" note:"{MixedSites?need cloning|none needs cloning}"
			text-note:"{MixedSites?of cold contexts and others: they need cloning|none needs cloning}"`,
		`name:"requested" label:"Requested" of:"Bytes" unit:"bytes"`,
		`name:"different" label:"Contexts" one:"context" of:"Contexts"`,
	},
})

// maxRows is how many rows a table can have: ids are 31 bits.
const maxRows = 1<<31 - 1

// columns are those of heap, in the schema's order.
func (o *Overview) columns() []any {
	list := []any{
		&o.Format, &o.Version, &o.Schema, &o.Symbolized, &o.Dumps, &o.Recorded, &o.Sites, &o.MixedSites, &o.Owners,
		&o.CallSites, &o.Deepest, &o.Longest,
	}
	for i := range o.Classes {
		list = append(list, &o.Classes[i].Contexts, &o.Classes[i].Bytes)
	}
	t, s := &o.MemProfTotals, &o.Shared
	return append(list,
		&t.Contexts, &t.Bytes, &t.Allocations, &t.Accesses, &t.Lifetime, &t.ByteMS, &t.Density,
		&o.Functions, &o.Frames, &o.Stacks, &o.Modules, &o.DataAccess,
		&s.Stacks, &s.Frames, &s.Refs, &s.Nodes, &s.Roots)
}

// summaryColumns are those of heap_summary.
func summaryColumns(s *memprof.Summary) []any {
	return []any{
		&s.NumContexts, &s.NumColdContexts, &s.NumHotContexts, &s.MaxColdTotalSize, &s.MaxWarmTotalSize,
		&s.MaxHotTotalSize,
	}
}

func readOverview(p *stored.Profile) (*Overview, error) {
	o, err := stored.FillOne(p, "heap", (*Overview).columns)
	if err != nil {
		return nil, err
	}
	// negative ones too
	if o.Contexts > maxRows || max(uint64(o.Stacks), uint64(o.Frames), uint64(o.Functions)) > maxRows {
		return nil, stored.Damaged("%d contexts of %d stacks", o.Contexts, o.Stacks)
	}
	summaries, err := stored.FillRows(p, "heap_summary", summaryColumns)
	for i := range summaries {
		o.Summary = &summaries[i]
	}
	return o, err
}
