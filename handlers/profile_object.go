package handlers

import (
	"context"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/ingest"
	"proflens/store"
)

// profileObject is a profile in the API: what the catalog knows, and, where one
// profile is asked for, what its tables say.
type profileObject struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Kinds      []model.Family    `json:"kinds"`
	Status     store.State       `json:"status"`
	Pending    bool              `json:"pending"` // waits to be decoded, or is being decoded, for the first time or again
	Progress   *ingest.Progress  `json:"progress,omitempty"`
	Project    *string           `json:"project"`
	Labels     map[string]string `json:"labels"`
	Visibility store.Visibility  `json:"visibility"`
	Created    time.Time         `json:"created"`
	Updated    time.Time         `json:"updated"` // of the status
	Expires    *time.Time        `json:"expires"`

	Format    *model.Format `json:"format"`
	Version   *uint64       `json:"version"` // of the format; null for text
	Describe  string        `json:"describe"`
	Digest    string        `json:"digest"` // SHA-256 over the files' digests
	Size      int64         `json:"size"`   // bytes of all inputs
	Functions int           `json:"functions"`
	Total     *exact        `json:"total"`
	Inputs    []inputObject `json:"inputs"`
	Merged    *mergedObject `json:"merged"` // what it was merged from; null for an upload
	// Partial has the inputs that end too soon and of which only the readable
	// beginning was decoded; empty for a whole profile.
	Partial []model.Partial `json:"partial"`

	Findings []model.Finding   `json:"findings"`
	Links    map[string]string `json:"links"`

	*profileTables
}

// profileTables is what a profile's tables say of the whole: figures of the
// families that it has, and of no other.
type profileTables struct {
	Storing     bool     `json:"storing,omitempty"` // a preview: the tables are still being written
	Variant     []string `json:"variant"`           // flags in words, "IR" or "front end" first; empty for MIP and DCPI
	PointerSize int      `json:"pointer_size"`      // bytes; 0 where the format does not say
	ByteOrder   string   `json:"byte_order"`
	BinaryIDs   []string `json:"binary_ids"` // hex

	*instrTables                // of an instrumentation profile
	MemProf      *memprofObject `json:"memprof,omitempty"` // of a heap profile, alone or beside counters
	MIP          *mipObject     `json:"mip,omitempty"`     // of a Machine IR Profile
	DCPI         *dcpiObject    `json:"dcpi,omitempty"`    // of a database of samples
}

// instrTables is what the tables of an instrumentation profile say.
type instrTables struct {
	Counts       countsObject      `json:"counts"`
	Quality      qualityObject     `json:"quality"`
	Summary      summaryObject     `json:"summary"`
	CSSummary    *summaryObject    `json:"cs_summary"`
	Thresholds   thresholdsObject  `json:"thresholds"`
	CSThresholds *thresholdsObject `json:"cs_thresholds"`
	Histogram    []uint64          `json:"histogram"` // counters that are 0, then those in 2^(i-1) .. 2^i-1
	Curve        []curveObject     `json:"curve"`     // share of the total that the first n functions hold
	Hot90        int               `json:"hot90"`     // functions that hold 90 % of the total
	Hot99        int               `json:"hot99"`
}

type inputObject struct {
	Name     string         `json:"name"`
	SHA256   string         `json:"sha256"`
	Size     int64          `json:"size"` // bytes, unpacked
	Describe string         `json:"describe,omitempty"`
	Format   model.Format   `json:"format,omitempty"`
	Version  uint64         `json:"version,omitempty"`
	Finding  *model.Finding `json:"finding,omitempty"`
	Partial  *model.Partial `json:"partial,omitempty"` // what of it was read, when that is not all
}

type countsObject struct {
	Functions     int                   `json:"functions"` // records
	Names         int                   `json:"names"`     // distinct
	NeverExecuted int                   `json:"never_executed"`
	Classes       map[analyze.Class]int `json:"classes"`
	Counters      uint64                `json:"counters"`
	Zero          uint64                `json:"zero"`
	Total         exact                 `json:"total"`
	Max           exact                 `json:"max"`
	MaxFID        *string               `json:"max_fid"` // where the maximum is
	ValueSites    map[string]uint64     `json:"value_sites"`
	BitmapBytes   uint64                `json:"bitmap_bytes"`
	Traces        int                   `json:"traces"`
}

type summaryObject struct {
	NumFunctions     uint64         `json:"num_functions"`
	NumCounts        uint64         `json:"num_counts"`
	MaxFunctionCount exact          `json:"max_function_count"`
	MaxCount         exact          `json:"max_count"`
	MaxInternalCount exact          `json:"max_internal_count"`
	TotalCount       exact          `json:"total_count"` // modulo 2^64, as LLVM's is
	Detailed         []cutoffObject `json:"detailed"`
}

type cutoffObject struct {
	Cutoff    uint64 `json:"cutoff"` // parts per million
	MinCount  exact  `json:"min_count"`
	NumCounts uint64 `json:"num_counts"`
}

type thresholdsObject struct {
	Hot    exact  `json:"hot"`
	Cold   exact  `json:"cold"`
	NumHot uint64 `json:"num_hot"` // counters that reach the hot threshold
}

type curveObject struct {
	N     int     `json:"n"`
	Share float64 `json:"share"`
}

// pageOf is the page of a profile; links in objects are paths of this server.
func pageOf(id string) string { return "/p/" + id }

func apiOf(id string) string { return "/api/v1/profiles/" + id }

// profileObject makes the object of a catalog entry.
func (s *server) profileObject(e *store.Entry, quote bool) profileObject {
	p := profileObject{
		ID: e.ID, Name: e.Name, Kinds: e.Families, Status: e.State,
		Pending: e.Pending || e.State == store.Received || e.State == store.Decoding,
		Labels:  e.Labels, Visibility: e.Visibility, Created: e.Created.UTC(), Updated: e.Updated.UTC(),
		Describe: e.Describe, Digest: e.Digest, Size: e.Size, Functions: e.Functions,
		Inputs: make([]inputObject, len(e.Files)), Merged: newMergedObject(e.Merged, quote), Findings: []model.Finding{}, Links: s.links(e),
	}
	if p.Kinds == nil {
		p.Kinds = []model.Family{}
	}
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	if e.Project != "" {
		p.Project = &e.Project
	}
	if !e.Expires.IsZero() {
		at := e.Expires.UTC()
		p.Expires = &at
	}
	if e.Format != "" {
		p.Format = &e.Format
		if e.Version > 0 {
			p.Version = &e.Version
		}
	}
	if e.Total != "" {
		total := exactly(quote)(e.Total)
		p.Total = &total
	}
	p.Partial = append([]model.Partial{}, e.Partial()...)
	for i, f := range e.Files {
		p.Inputs[i] = inputObject{Name: f.Name, SHA256: f.SHA256, Size: f.Size, Finding: f.Finding, Partial: f.Partial}
	}
	if e.Finding != nil {
		p.Findings = append(p.Findings, *e.Finding)
	}
	if p.Pending {
		at := s.Ingest.Progress(e.ID)
		p.Progress = &at
	}
	return p
}

// links are paths of what a profile of its families has.
func (s *server) links(e *store.Entry) map[string]string {
	api := apiOf(e.ID)
	links := map[string]string{
		"self": api, "page": pageOf(e.ID), "anatomy": api + "/anatomy", "diagnostics": api + "/diagnostics", "original": api + "/original",
	}
	if e.State == store.Failed {
		return links
	}
	links["csv"], links["sqlite"] = api+"/export/csv", api+"/export/sqlite"
	for _, family := range e.Families {
		for _, path := range familyLinks[family] {
			links[path[strings.LastIndex(path, "/")+1:]] = api + "/" + path
		}
	}
	return links
}

// familyLinks are what profiles of a family have, below their path.
var familyLinks = map[model.Family][]string{
	instrprof.Family: {"functions", "export/proftext", "export/profdata"},
	memprof.Family:   {"allocations", "sites", "flamegraph", "export/pprof", "export/folded"},
	mip.Family:       {"functions", "export/mip-json", "export/mip"},
	dcpi.Family:      {"procedures", "samples", "images", "epochs", "export/pprof", "export/folded"},
}

// wholeProfile adds what the profile's tables say, where it has them.
func (s *server) wholeProfile(ctx context.Context, e *store.Entry, quote bool) (*profileObject, error) {
	p := s.profileObject(e, quote)
	if e.State == store.Failed {
		p.Findings = entryFindings(e)
		return &p, nil
	}
	opened, err := s.Store.OpenProfile(ctx, e.ID)
	if errors.Is(err, store.ErrNotFound) && e.State != store.Ready {
		return &p, nil
	}
	if errors.Is(err, store.ErrRebuilding) {
		if e, err = s.Store.Entry(ctx, e.ID); err == nil {
			p = s.profileObject(e, quote)
			return &p, nil
		}
	}
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	o, err := opened.Overview(ctx)
	if err != nil {
		return nil, err
	}
	p.describe(o, quote)
	if o.MemProf != nil {
		modules, err := opened.HeapModules(ctx)
		if err != nil {
			return nil, err
		}
		p.MemProf = newMemProfObject(o.MemProf, modules, quote)
	}
	p.Findings = readyFindings(e, o)
	return &p, nil
}

// describe fills in what an overview knows.
func (p *profileObject) describe(o *store.Overview, quote bool) {
	if len(o.Inputs) > 0 {
		known := p.Inputs
		p.Inputs = make([]inputObject, len(o.Inputs))
		for i, in := range o.Inputs {
			p.Inputs[i] = inputObject{Name: in.Name, SHA256: in.SHA256, Size: in.Size, Describe: in.Describe, Format: in.Format, Version: in.Version}
			if i < len(known) {
				p.Inputs[i].Partial = known[i].Partial
			}
		}
	}
	p.profileTables = tablesObject(o, quote)
}

// tablesObject is what an overview says of each family but of heap profiles,
// whose modules are a table of their own.
func tablesObject(o *store.Overview, quote bool) *profileTables {
	t := &profileTables{
		Storing: o.Storing, Variant: []string{}, PointerSize: o.Info.PointerSize, ByteOrder: "little-endian",
		BinaryIDs: make([]string, len(o.Info.BinaryIDs)),
	}
	t.Variant = append(t.Variant, o.Info.Words...)
	if o.Info.BigEndian {
		t.ByteOrder = "big-endian"
	}
	for i, id := range o.Info.BinaryIDs {
		t.BinaryIDs[i] = hex.EncodeToString(id)
	}
	if o.Info.Has(instrprof.Family) {
		t.instrTables = newInstrTables(o, quote)
	}
	if o.MIP != nil {
		t.MIP = newMIPObject(o.MIP, quote)
	}
	if o.DCPI != nil {
		t.DCPI = newDCPIObject(o.DCPI, quote)
	}
	return t
}

func newInstrTables(o *store.Overview, quote bool) *instrTables {
	count := func(n uint64) exact { return exactly(quote)(strconv.FormatUint(n, 10)) }
	t := &instrTables{
		Counts: countsObject{
			Functions: o.Functions, Names: o.Names, NeverExecuted: o.NeverRan, Classes: map[analyze.Class]int{},
			Counters: o.Counters, Zero: o.Zero, Total: exactly(quote)(o.Total.String()), Max: count(o.Max),
			ValueSites: map[string]uint64{}, BitmapBytes: o.BitmapBytes, Traces: o.Traces,
		},
		Quality: newQualityObject(o),
		Summary: summaryOf(&o.Summary, count), Thresholds: thresholdsOf(o.Thresholds, count),
		Histogram: o.Histogram[:], Curve: make([]curveObject, len(o.Curve)), Hot90: o.Hot90, Hot99: o.Hot99,
	}
	for class, n := range o.Classes {
		if class == analyze.NoClass {
			class = "none"
		}
		t.Counts.Classes[class] = n
	}
	for kind, n := range o.Sites {
		t.Counts.ValueSites[instrprof.ValueKind(kind).String()] = n
	}
	if o.MaxAt != nil {
		at := fid(o.MaxAt.NameRef)
		t.Counts.MaxFID = &at
	}
	if o.CSSummary != nil {
		cs := summaryOf(o.CSSummary, count)
		t.CSSummary = &cs
	}
	if o.CSThresholds != nil {
		cs := thresholdsOf(*o.CSThresholds, count)
		t.CSThresholds = &cs
	}
	for i, point := range o.Curve {
		t.Curve[i] = curveObject(point)
	}
	return t
}

func summaryOf(s *instrprof.Summary, count func(uint64) exact) summaryObject {
	object := summaryObject{
		NumFunctions: s.NumFunctions, NumCounts: s.NumCounts,
		MaxFunctionCount: count(s.MaxFunctionCount), MaxCount: count(s.MaxCount),
		MaxInternalCount: count(s.MaxInternalCount), TotalCount: count(s.TotalCount),
		Detailed: make([]cutoffObject, len(s.Detailed)),
	}
	for i, e := range s.Detailed {
		object.Detailed[i] = cutoffObject{Cutoff: e.Cutoff, MinCount: count(e.MinCount), NumCounts: e.NumCounts}
	}
	return object
}

func thresholdsOf(t analyze.Thresholds, count func(uint64) exact) thresholdsObject {
	return thresholdsObject{Hot: count(t.Hot), Cold: count(t.Cold), NumHot: t.NumHot}
}
