// Package tables is the tables of a profile as scripts read them: their names,
// their columns, how their rows are read step by step from an opened profile,
// and how rows are written as JSON, CSV, NDJSON and text. The API and the command
// line's exports share it.
//
// A table is a line in the registry; how its rows are declared is package table's.
package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/covmap"
	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/profile/covdb"
	"proflens/profile/dcpidb"
	"proflens/profile/instrdb"
	"proflens/profile/memprofdb"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Entry is a table that profiles of a family have.
type Entry struct {
	Name  string // as -table and table= have it
	About string // in a few words
	// Family has the table.
	Family model.Family
	// Open makes the whole table in its default order.
	Open func(ctx context.Context, p *stored.Profile, o table.Options) (table.Table, error)
	// List makes the same table of a decoded profile that nobody stores: nil for one that
	// must be stored for that. A table without List always must.
	List lister
}

// registry is every table; the first one of a family is its default.
var registry = slices.Concat(
	entries(instrprof.Family, instrdb.Of, listFunctions, []opened[*instrdb.Profile]{
		{"functions", "function records, by total", declared(instrdb.Functions, all((*instrdb.Profile).FindFunctions))},
		{"values", "indirect-call sites with their targets", openValues(instrprof.IndirectCallTarget)},
		{"values-memop", "sizes of memory operations", openValues(instrprof.MemOPSize)},
		{"values-vtable", "vtables at virtual calls", openValues(instrprof.VTableTarget)},
		{
			"vtables", "classes with a vtable: its addresses, and the virtual calls that recorded it",
			declared(instrdb.VTables, (*instrdb.Profile).FindVTables),
		},
		{
			"vtable-sites", "virtual calls that recorded a vtable, vtable by vtable",
			declared(instrdb.VTableSites, (*instrdb.Profile).FindAllVTableSites),
		},
		{"coverage", "source files with the functions that ran", openCoverage(query.ByPath)},
		{"coverage-namespace", "namespaces with the functions that ran", openCoverage(query.ByNamespace)},
		{
			"function-lines", "source lines with the functions that are declared there",
			openLines((*instrdb.Profile).Lines),
		},
		{"traces", "temporal traces, function by function", declared(instrdb.Traced, (*instrdb.Profile).FindTraced)},
		{"order", "functions in order of first run", declared(instrdb.Order, (*instrdb.Profile).FindPlaced)},
		{
			"bitmaps", "functions with an MC/DC bitmap, and how many of its bits are set",
			declared(instrdb.Bitmaps, (*instrdb.Profile).FindBitmaps),
		},
	}),
	entries(instrprof.Family, self, nil, []opened[*stored.Profile]{
		{"binary-ids", "build IDs of the profiled programs", declared(BinaryIDs, FindBinaryIDs)},
	}),
	entries(mip.Family, mipdb.Of, nil, []opened[*mipdb.Profile]{
		{"functions", "machine IR functions, largest first", declared(mipdb.Functions, all((*mipdb.Profile).Find))},
		{
			"dead", "functions that no run executed, largest first",
			declared(mipdb.Functions, func(p *mipdb.Profile, _ context.Context) (table.Find, error) {
				return p.Find(mipdb.Dead()), nil
			}),
		},
		{"coverage", "source files with the bytes that were covered", openMIPCoverage(query.ByPath)},
		{"coverage-namespace", "namespaces with the bytes that were covered", openMIPCoverage(query.ByNamespace)},
		{"order", "functions in order of first run", declared(mipdb.Order, byDefault((*mipdb.Profile).FindOrder))},
		{"runs", "raw files, and what each executed", declared(mipdb.RawFiles, (*mipdb.Profile).FindRuns)},
	}),
	entries(memprof.Family, memprofdb.Of, nil, []opened[*memprofdb.Profile]{
		{
			"allocations", "allocation contexts with their call stacks, by bytes",
			declared(memprofdb.Allocations, all((*memprofdb.Profile).FindContexts)),
		},
		{"sites", "functions that allocate, by bytes", openSites(memprofdb.SitesByFunction)},
		{"sites-line", "calls that allocate, by bytes", openSites(memprofdb.SitesByLine)},
		{"sites-file", "source files that allocate, by bytes", openSites(memprofdb.SitesByFile)},
		{"sites-blame", "functions to blame for allocations, by bytes", openBlame},
		{
			"calls", "calls that lead to allocations, with what they reach, by bytes",
			declared(memprofdb.Calls, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
				return p.FindCalls(ctx, analyze.MemProfThresholds{}, nil)
			}),
		},
		{
			"cloning", "allocation sites that need cloning, by cold bytes",
			declared(memprofdb.Cloning, byDefault((*memprofdb.Profile).FindCloning)),
		},
		{
			"pruned-contexts", "MIBs of allocation sites after the compiler's pruning",
			declared(memprofdb.MIBs, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
				return p.FindMIBs(ctx, analyze.MemProfThresholds{}, nil)
			}),
		},
		{
			"heap-lines", "source lines with the bytes allocated on them and through them",
			openLines((*memprofdb.Profile).Lines),
		},
		{
			"modules", "segments of raw heap profiles, and the binaries needed for names",
			declared(memprofdb.Segments, (*memprofdb.Profile).FindModules),
		},
		{
			"call-sites", "calls that lead to allocations, as an indexed profile lists them",
			declared(memprofdb.RecordedCalls, (*memprofdb.Profile).FindCallSites),
		},
		{
			"data-access", "static data with the accesses to it",
			declared(memprofdb.DataAccess, (*memprofdb.Profile).FindData),
		},
	}),
	entries(dcpi.Family, dcpidb.Of, nil, []opened[*dcpidb.Profile]{
		{
			"samples", "addresses with DCPI samples, most samples first",
			varied(func(ctx context.Context, p *dcpidb.Profile) (*table.Declaration, table.Find, error) {
				return p.FindAddresses(ctx, dcpidb.Selection{}, 0, 0)
			}),
		},
		{"sample-lines", "source lines with the samples of the code on them", openLines((*dcpidb.Profile).SourceLines)},
		{
			"procedures", "procedures, or ranges of addresses, by samples",
			varied(func(ctx context.Context, p *dcpidb.Profile) (*table.Declaration, table.Find, error) {
				return p.FindProcedures(ctx, dcpidb.Selection{}, 0)
			}),
		},
		{"images", "programs, libraries and kernels, by samples", totals(dcpidb.OfImage)},
		{"epochs", "epochs, by time", totals(dcpidb.OfEpoch)},
		{"platforms", "hosts, by name", totals(dcpidb.OfPlatform)},
		{
			"diff", "procedures in every epoch, largest difference first",
			declared(dcpidb.Differences, byDefault((*dcpidb.Profile).FindDiff)),
		},
		{
			"dcpi-profiles", "one row per event, image, epoch and host, with its header",
			declared(dcpidb.Headers, (*dcpidb.Profile).FindHeaders),
		},
	}),
	entries(sampleprof.Family, sampledb.Of, nil, []opened[*sampledb.Profile]{
		{
			"functions", "functions of a sample profile, by total",
			declared(sampledb.Functions, byDefault((*sampledb.Profile).FindFunctions)),
		},
		{
			"hot", "what llvm-profdata show --hot-func-list lists, by total",
			declared(sampledb.EntryRows,
				func(p *sampledb.Profile, ctx context.Context) (table.Find, error) { return p.FindEntries(ctx, 0, true) }),
		},
		{
			"contexts", "functions or, with calling contexts, each context of one, by total",
			declared(sampledb.EntryRows, func(p *sampledb.Profile, ctx context.Context) (table.Find, error) {
				return p.FindEntries(ctx, 0, false)
			}),
		},
		{
			"records", "counts of functions and of what is inlined into them, place by place",
			declared(sampledb.Records, byDefault((*sampledb.Profile).FindRecords)),
		},
		{
			"targets", "functions that a place calls without having them inlined",
			declared(sampledb.Targets, byDefault((*sampledb.Profile).FindTargets)),
		},
		{
			"edges", "callers with their callees, inlined or not, heaviest first",
			declared(sampledb.Edges,
				func(p *sampledb.Profile, ctx context.Context) (table.Find, error) { return p.FindEdges(ctx, 0, 0) }),
		},
		{"sample-lines", "source lines with the samples on them, and the calls", openLines((*sampledb.Profile).Lines)},
		{
			"symbols", "symbols of the profiled program with their samples",
			declared(sampledb.Symbols, (*sampledb.Profile).FindSymbols),
		},
		{
			"summary", "the counts that make up each share of all samples",
			declared(sampledb.Cutoffs, (*sampledb.Profile).FindCutoffs),
		},
		{
			"sections", "sections of an extensible sample profile",
			declared(sampledb.Sections, (*sampledb.Profile).FindSections),
		},
	}),
	entries(covmap.Family, covdb.Of, nil, []opened[*covdb.Profile]{
		{
			"coverage-files", "source files with their coverage, most missing lines first",
			declared(covdb.Files, all((*covdb.Profile).FindFiles)),
		},
		{
			"coverage-functions", "functions with their coverage, most missing lines first",
			declared(covdb.Functions, all((*covdb.Profile).FindFunctions)),
		},
		{"coverage-lines", "lines of source with their counts", declared(covdb.Lines, all((*covdb.Profile).FindLines))},
		{
			"coverage-branches", "conditions with how often each side was taken",
			declared(covdb.Branches, all((*covdb.Profile).FindBranches)),
		},
		{
			"coverage-mcdc", "decisions of MC/DC with their conditions and vectors",
			declared(covdb.Decisions, byDefault((*covdb.Profile).FindDecisions)),
		},
		{
			"coverage-misfits", "functions that mapping and profile do not agree on",
			declared(covdb.Misfits, byDefault((*covdb.Profile).FindMisfits)),
		},
	}),
)

// opened is a table and how it is opened in a part of a profile.
type opened[P any] struct {
	name, about string
	open        opener[P]
}

// opener opens a table, and finder finds the rows of one, in a part of a profile.
type (
	opener[P any] func(ctx context.Context, records P, o table.Options) (table.Table, error)
	finder[P any] func(records P, ctx context.Context) (table.Find, error)
)

// lister makes a whole table; see List of Entry.
type lister func(ctx context.Context, p *format.Profile, o table.Options) (table.Table, error)

// entries are the tables of a part of profiles; list is List of the first.
func entries[P any](family model.Family, part func(*stored.Profile) (P, error), list lister,
	tables []opened[P]) []Entry {
	all := make([]Entry, len(tables))
	for i, t := range tables {
		all[i] = Entry{Name: t.name, About: t.about, Family: family}
		all[i].Open = func(ctx context.Context, p *stored.Profile, o table.Options) (table.Table, error) {
			records, err := part(p)
			if err != nil {
				return nil, err
			}
			return t.open(ctx, records, o)
		}
	}
	all[0].List = list
	return all
}

// self is the part that a table of the whole profile is of.
func self(p *stored.Profile) (*stored.Profile, error) { return p, nil }

// listFunctions is the whole function table of a profile that is not stored.
func listFunctions(ctx context.Context, p *format.Profile, o table.Options) (table.Table, error) {
	if !instrdb.CanList(p) {
		return nil, nil
	}
	all, err := instrdb.List(ctx, p)
	if err != nil {
		return nil, err
	}
	return instrdb.Functions.Open(all.Find, table.Query{}, o, true), nil
}

// declared opens a declared table whole.
func declared[P any](d *table.Declaration, find finder[P]) opener[P] {
	return func(ctx context.Context, p P, o table.Options) (table.Table, error) {
		f, err := find(p, ctx)
		return d.Open(f, table.Query{}, o, true), err
	}
}

// openValues opens the value sites of a kind.
func openValues(kind instrprof.ValueKind) opener[*instrdb.Profile] {
	return declared(instrdb.ValueSites, func(p *instrdb.Profile, ctx context.Context) (table.Find, error) {
		return p.FindValues(ctx, kind, 0, "")
	})
}

// varied opens whole a table whose columns depend on the profile.
func varied[P any](find func(context.Context, P) (*table.Declaration, table.Find, error)) opener[P] {
	return func(ctx context.Context, p P, o table.Options) (table.Table, error) {
		d, f, err := find(ctx, p)
		if err != nil {
			return nil, err
		}
		return d.Open(f, table.Query{}, o, true), nil
	}
}

// byDefault asks for a table with nothing selected, and by the compiler's thresholds.
func byDefault[P, Q any](find func(P, context.Context, Q) (table.Find, error)) finder[P] {
	return func(p P, ctx context.Context) (table.Find, error) { return find(p, ctx, *new(Q)) }
}

// all is byDefault of what cannot fail.
func all[P, Q any](find func(P, Q) table.Find) finder[P] {
	return func(p P, _ context.Context) (table.Find, error) { return find(p, *new(Q)), nil }
}

// openCoverage is the files or namespaces that have functions, each with its own alone.
func openCoverage(by query.TreeBy) opener[*instrdb.Profile] {
	return func(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
		t, err := p.WholeTree(ctx, by, nil)
		if err != nil {
			return nil, err
		}
		return instrdb.TableOf(t, t.Root(), table.Leaves(t.Children, t.Root(), nil), o), nil
	}
}

func openMIPCoverage(by query.TreeBy) opener[*mipdb.Profile] {
	return func(ctx context.Context, p *mipdb.Profile, o table.Options) (table.Table, error) {
		t, err := p.Tree(ctx, by)
		if err != nil {
			return nil, err
		}
		return mipdb.TableOf(t, t.Root(), table.Leaves(t.Children, t.Root(), nil), o), nil
	}
}

// totals is the images, epochs or hosts of samples.
func totals(by dcpidb.TotalOf) opener[*dcpidb.Profile] {
	return varied(func(ctx context.Context, p *dcpidb.Profile) (*table.Declaration, table.Find, error) {
		return p.FindTotals(ctx, dcpidb.Selection{}, by)
	})
}

// Of are the tables of a profile with these families; the first is the default.
func Of(families []model.Family) []Entry {
	var list []Entry
	for _, e := range registry {
		if slices.Contains(families, e.Family) {
			list = append(list, e)
		}
	}
	return list
}

// Find is the table of a name, the default with an empty one. The error is a
// *[UnknownError].
func Find(families []model.Family, name string) (Entry, error) {
	list := Of(families)
	var known []string
	for _, e := range list {
		if e.Name == name || name == "" {
			return e, nil
		}
		known = append(known, e.Name)
	}
	return Entry{}, &UnknownError{name, known}
}

// UnknownError says that a profile has no such table.
type UnknownError struct {
	Name  string
	Known []string // tables of the profile
}

// Error is a sentence with the known tables.
func (e *UnknownError) Error() string {
	if len(e.Known) == 0 {
		return "profiles of this kind have no tables"
	}
	return fmt.Sprintf("there is no table %q in this profile; its tables: %s", e.Name, strings.Join(e.Known, ", "))
}
