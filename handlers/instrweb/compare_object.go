package instrweb

import (
	"strconv"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// comparisonObject is what a comparison says of the two profiles as a whole:
// members of the envelope beside the list of pairs.
type comparisonObject struct {
	Base    comparedObject             `json:"base"`
	Test    comparedObject             `json:"test"`
	Overlap overlapObject              `json:"overlap"`
	States  map[string]pairStateObject `json:"states"`
	Hotter  int                        `json:"hotter"` // matched pairs by the sign of their change
	Colder  int                        `json:"colder"`
	Same    int                        `json:"same"`
	Warning string                     `json:"warning,omitempty"` // why the figures mean little
	Links   map[string]string          `json:"links"`
}

// comparedObject is one of the two profiles.
type comparedObject struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Describe  string            `json:"describe"`
	Digest    string            `json:"digest"`
	Functions int               `json:"functions"`
	Total     site.Exact        `json:"total"`
	Links     map[string]string `json:"links"`
}

// overlapObject is what llvm-profdata overlap computes. Parts are fractions of
// 1; that tool prints them in per cent.
type overlapObject struct {
	// Comparable is false where one profile has no counts: llvm-profdata then
	// prints nothing, and the parts are zero.
	Comparable bool `json:"comparable" doc:"True if both profiles have counts."`
	CS         bool `json:"context_sensitive"` // as with --cs
	// Score is the overlap of the counters of those records alone that the sums
	// are of; it never passes 1.
	Score     float64                `json:"score"`
	Renamed   float64                `json:"renamed" doc:"What functions add that a build renamed."`
	Functions overlapFunctions       `json:"functions"`
	Edge      overlapPart            `json:"edge"`
	Values    map[string]overlapPart `json:"values" doc:"By kind of value site."`
}

type overlapFunctions struct {
	Overlap  uint64 `json:"overlap"`
	Mismatch uint64 `json:"mismatch"`
	Unique   uint64 `json:"unique"` // only in the test profile
	Base     uint64 `json:"base"`
	Test     uint64 `json:"test"`
}

type overlapPart struct {
	Overlap  float64    `json:"overlap"`
	Mismatch float64    `json:"mismatch"`
	Unique   float64    `json:"unique"`
	Base     site.Exact `json:"base"` // sum of counts
	Test     site.Exact `json:"test"`
}

type pairStateObject struct {
	Pairs     int        `json:"pairs"`
	BaseTotal site.Exact `json:"base_total"`
	TestTotal site.Exact `json:"test_total"`
	BaseShare float64    `json:"base_share" is:"0.."`
	TestShare float64    `json:"test_share" is:"0.."`
}

func newComparisonObject(root string, both *site.Comparing, c *instrdb.Comparison, o *instrdb.Overlap, cs,
	quote bool) comparisonObject {
	f := c.Figures()
	object := comparisonObject{
		Base:    newComparedObject(root, both.Base.Entry, f.BaseTotal.String(), quote),
		Test:    newComparedObject(root, both.Test.Entry, f.TestTotal.String(), quote),
		Overlap: newOverlapObject(o, cs, quote), States: map[string]pairStateObject{},
		Hotter: f.Hotter, Colder: f.Colder, Same: f.Same, Warning: doubt(c),
		Links: map[string]string{"page": root + site.CompareURL(both.Base.ID, both.Test.ID)},
	}
	for bit, held := range f.States {
		object.States[table.States[bit].Word] = pairStateObject{
			Pairs: held.Pairs, BaseTotal: site.Exactly(quote)(held.Base.String()),
			TestTotal: site.Exactly(quote)(held.Test.String()),
			BaseShare: humanize.Part(held.Base.Float64(), f.BaseTotal.Float64()),
			TestShare: humanize.Part(held.Test.Float64(), f.TestTotal.Float64()),
		}
	}
	return object
}

func newComparedObject(root string, e *catalog.Entry, total string, quote bool) comparedObject {
	return comparedObject{ID: e.ID, Name: e.Name, Describe: e.Describe, Digest: e.Digest, Functions: e.Functions,
		Total: site.Exactly(quote)(total),
		Links: map[string]string{"self": root + site.APIOf(e.ID), "page": root + site.PageOf(e.ID)}}
}

func newOverlapObject(o *instrdb.Overlap, cs, quote bool) overlapObject {
	sum := func(f float64) site.Exact { return site.Exactly(quote)(strconv.FormatFloat(f, 'f', 0, 64)) }
	object := overlapObject{Comparable: o.Comparable(), CS: cs, Values: map[string]overlapPart{}}
	object.Edge = overlapPart{Base: sum(o.Base.Edge), Test: sum(o.Test.Edge)}
	object.Functions = overlapFunctions{Base: o.Base.Entries, Test: o.Test.Entries}
	if !object.Comparable {
		return object
	}
	object.Score, object.Renamed = o.Score, o.Renamed
	object.Functions.Overlap, object.Functions.Mismatch, object.Functions.Unique = o.Overlap.Overlap.Entries,
		o.Mismatch.Entries, o.Unique.Entries
	object.Edge.Overlap, object.Edge.Mismatch, object.Edge.Unique = o.Overlap.Overlap.Edge, o.Mismatch.Edge, o.Unique.Edge
	for kind := range o.Base.Values {
		if o.Base.Values[kind] < 1 && o.Test.Values[kind] < 1 {
			continue
		}
		object.Values[instrprof.ValueKind(kind).String()] = overlapPart{
			Overlap: o.Overlap.Overlap.Values[kind], Mismatch: o.Mismatch.Values[kind], Unique: o.Unique.Values[kind],
			Base: sum(o.Base.Values[kind]), Test: sum(o.Test.Values[kind]),
		}
	}
	return object
}
