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
	List func(ctx context.Context, p *format.Profile, o table.Options) (table.Table, error)
}

// registry is every table; the first one of a family is its default.
var registry = []Entry{
	{"functions", "function records, by total", instrprof.Family,
		of(instrdb.Of, declared(instrdb.Functions, all((*instrdb.Profile).FindFunctions))), listFunctions},
	{
		"values", "indirect-call sites with their targets", instrprof.Family,
		of(instrdb.Of, openValues(instrprof.IndirectCallTarget)), nil,
	},
	{"values-memop", "sizes of memory operations", instrprof.Family, of(instrdb.Of, openValues(instrprof.MemOPSize)), nil},
	{
		"values-vtable", "vtables at virtual calls", instrprof.Family, of(instrdb.Of, openValues(instrprof.VTableTarget)),
		nil,
	},
	{
		"vtables", "classes with a vtable: its addresses, and the virtual calls that recorded it", instrprof.Family,
		of(instrdb.Of, declared(instrdb.VTables, (*instrdb.Profile).FindVTables)), nil,
	},
	{
		"vtable-sites", "virtual calls that recorded a vtable, vtable by vtable", instrprof.Family,
		of(instrdb.Of, declared(instrdb.VTableSites, (*instrdb.Profile).FindAllVTableSites)), nil,
	},
	{
		"coverage", "source files with the functions that ran", instrprof.Family, of(instrdb.Of, openCoverage(query.ByPath)),
		nil,
	},
	{
		"coverage-namespace", "namespaces with the functions that ran", instrprof.Family,
		of(instrdb.Of, openCoverage(query.ByNamespace)), nil,
	},
	{
		"function-lines", "source lines with the functions that are declared there", instrprof.Family,
		of(instrdb.Of, openLines((*instrdb.Profile).Lines)), nil,
	},
	{
		"traces", "temporal traces, function by function", instrprof.Family,
		of(instrdb.Of, declared(instrdb.Traced, (*instrdb.Profile).FindTraced)), nil,
	},
	{
		"order", "functions in order of first run", instrprof.Family,
		of(instrdb.Of, declared(instrdb.Order, (*instrdb.Profile).FindPlaced)), nil,
	},
	{
		"bitmaps", "functions with an MC/DC bitmap, and how many of its bits are set", instrprof.Family,
		of(instrdb.Of, declared(instrdb.Bitmaps, (*instrdb.Profile).FindBitmaps)), nil,
	},
	{
		"binary-ids", "build IDs of the profiled programs", instrprof.Family, declared(BinaryIDs, FindBinaryIDs), nil,
	},

	{
		"functions", "machine IR functions, largest first", mip.Family,
		of(mipdb.Of, declared(mipdb.Functions, all((*mipdb.Profile).Find))), nil,
	},
	{
		"dead", "functions that no run executed, largest first", mip.Family,
		of(mipdb.Of, declared(mipdb.Functions, func(p *mipdb.Profile, _ context.Context) (table.Find, error) {
			return p.Find(mipdb.Dead()), nil
		})), nil,
	},
	{
		"coverage", "source files with the bytes that were covered", mip.Family, of(mipdb.Of, openMIPCoverage(query.ByPath)),
		nil,
	},
	{
		"coverage-namespace", "namespaces with the bytes that were covered", mip.Family,
		of(mipdb.Of, openMIPCoverage(query.ByNamespace)), nil,
	},
	{
		"order", "functions in order of first run", mip.Family,
		of(mipdb.Of, declared(mipdb.Order, byDefault((*mipdb.Profile).FindOrder))), nil,
	},
	{
		"runs", "raw files, and what each executed", mip.Family,
		of(mipdb.Of, declared(mipdb.RawFiles, (*mipdb.Profile).FindRuns)), nil,
	},

	{
		"allocations", "allocation contexts with their call stacks, by bytes", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.Allocations, all((*memprofdb.Profile).FindContexts))), nil,
	},
	{
		"sites", "functions that allocate, by bytes", memprof.Family, of(memprofdb.Of, openSites(memprofdb.SitesByFunction)),
		nil,
	},
	{
		"sites-line", "calls that allocate, by bytes", memprof.Family, of(memprofdb.Of, openSites(memprofdb.SitesByLine)),
		nil,
	},
	{
		"sites-file", "source files that allocate, by bytes", memprof.Family,
		of(memprofdb.Of, openSites(memprofdb.SitesByFile)), nil,
	},
	{"sites-blame", "functions to blame for allocations, by bytes", memprof.Family, of(memprofdb.Of, openBlame), nil},
	{"calls", "calls that lead to allocations, with what they reach, by bytes", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.Calls, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
			return p.FindCalls(ctx, analyze.MemProfThresholds{}, nil)
		})), nil},
	{
		"cloning", "allocation sites that need cloning, by cold bytes", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.Cloning, byDefault((*memprofdb.Profile).FindCloning))), nil,
	},
	{"pruned-contexts", "MIBs of allocation sites after the compiler's pruning", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.MIBs, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
			return p.FindMIBs(ctx, analyze.MemProfThresholds{}, nil)
		})), nil},
	{
		"heap-lines", "source lines with the bytes allocated on them and through them", memprof.Family,
		of(memprofdb.Of, openLines((*memprofdb.Profile).Lines)), nil,
	},
	{
		"modules", "segments of raw heap profiles, and the binaries needed for names", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.Segments, (*memprofdb.Profile).FindModules)), nil,
	},
	{
		"call-sites", "calls that lead to allocations, as an indexed profile lists them", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.RecordedCalls, (*memprofdb.Profile).FindCallSites)), nil,
	},
	{
		"data-access", "static data with the accesses to it", memprof.Family,
		of(memprofdb.Of, declared(memprofdb.DataAccess, (*memprofdb.Profile).FindData)), nil,
	},

	{"samples", "addresses with DCPI samples, most samples first", dcpi.Family,
		of(dcpidb.Of, varied(func(ctx context.Context, p *dcpidb.Profile) (*table.Declaration, table.Find, error) {
			return p.FindAddresses(ctx, dcpidb.Selection{}, 0, 0)
		})), nil},
	{
		"sample-lines", "source lines with the samples of the code on them", dcpi.Family,
		of(dcpidb.Of, openLines((*dcpidb.Profile).SourceLines)), nil,
	},
	{"procedures", "procedures, or ranges of addresses, by samples", dcpi.Family,
		of(dcpidb.Of, varied(func(ctx context.Context, p *dcpidb.Profile) (*table.Declaration, table.Find, error) {
			return p.FindProcedures(ctx, dcpidb.Selection{}, 0)
		})), nil},
	{"images", "programs, libraries and kernels, by samples", dcpi.Family, of(dcpidb.Of, totals(dcpidb.OfImage)), nil},
	{"epochs", "epochs, by time", dcpi.Family, of(dcpidb.Of, totals(dcpidb.OfEpoch)), nil},
	{"platforms", "hosts, by name", dcpi.Family, of(dcpidb.Of, totals(dcpidb.OfPlatform)), nil},
	{
		"diff", "procedures in every epoch, largest difference first", dcpi.Family,
		of(dcpidb.Of, declared(dcpidb.Differences, byDefault((*dcpidb.Profile).FindDiff))), nil,
	},
	{
		"dcpi-profiles", "one row per event, image, epoch and host, with its header", dcpi.Family,
		of(dcpidb.Of, declared(dcpidb.Headers, (*dcpidb.Profile).FindHeaders)), nil,
	},

	{
		"functions", "functions of a sample profile, by total", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Functions, byDefault((*sampledb.Profile).FindFunctions))), nil,
	},
	{
		"hot", "what llvm-profdata show --hot-func-list lists, by total", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.EntryRows,
			func(p *sampledb.Profile, ctx context.Context) (table.Find, error) { return p.FindEntries(ctx, 0, true) })), nil,
	},
	{"contexts", "functions or, with calling contexts, each context of one, by total", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.EntryRows, func(p *sampledb.Profile, ctx context.Context) (table.Find, error) {
			return p.FindEntries(ctx, 0, false)
		})), nil},
	{
		"records", "counts of functions and of what is inlined into them, place by place", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Records, byDefault((*sampledb.Profile).FindRecords))), nil,
	},
	{
		"targets", "functions that a place calls without having them inlined", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Targets, byDefault((*sampledb.Profile).FindTargets))), nil,
	},
	{
		"edges", "callers with their callees, inlined or not, heaviest first", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Edges,
			func(p *sampledb.Profile, ctx context.Context) (table.Find, error) { return p.FindEdges(ctx, 0, 0) })), nil,
	},
	{
		"sample-lines", "source lines with the samples on them, and the calls", sampleprof.Family,
		of(sampledb.Of, openLines((*sampledb.Profile).Lines)), nil,
	},
	{
		"symbols", "symbols of the profiled program with their samples", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Symbols, (*sampledb.Profile).FindSymbols)), nil,
	},
	{
		"summary", "the counts that make up each share of all samples", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Cutoffs, (*sampledb.Profile).FindCutoffs)), nil,
	},
	{
		"sections", "sections of an extensible sample profile", sampleprof.Family,
		of(sampledb.Of, declared(sampledb.Sections, (*sampledb.Profile).FindSections)), nil,
	},

	{
		"coverage-files", "source files with their coverage, most missing lines first", covmap.Family,
		of(covdb.Of, declared(covdb.Files, all((*covdb.Profile).FindFiles))), nil,
	},
	{
		"coverage-functions", "functions with their coverage, most missing lines first", covmap.Family,
		of(covdb.Of, declared(covdb.Functions, all((*covdb.Profile).FindFunctions))), nil,
	},
	{
		"coverage-lines", "lines of source with their counts", covmap.Family,
		of(covdb.Of, declared(covdb.Lines, all((*covdb.Profile).FindLines))), nil,
	},
	{
		"coverage-branches", "conditions with how often each side was taken", covmap.Family,
		of(covdb.Of, declared(covdb.Branches, all((*covdb.Profile).FindBranches))), nil,
	},
	{
		"coverage-mcdc", "decisions of MC/DC with their conditions and vectors", covmap.Family,
		of(covdb.Of, declared(covdb.Decisions, byDefault((*covdb.Profile).FindDecisions))), nil,
	},
	{
		"coverage-misfits", "functions that mapping and profile do not agree on", covmap.Family,
		of(covdb.Of, declared(covdb.Misfits, byDefault((*covdb.Profile).FindMisfits))), nil,
	},
}

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

// of opens a table of a profile's part.
func of[P any](part func(*stored.Profile) (P, error),
	open func(context.Context, P, table.Options) (table.Table, error)) func(context.Context, *stored.Profile,
	table.Options) (table.Table, error) {
	return func(ctx context.Context, p *stored.Profile, o table.Options) (table.Table, error) {
		records, err := part(p)
		if err != nil {
			return nil, err
		}
		return open(ctx, records, o)
	}
}

// declared opens a declared table whole.
func declared[P any](d *table.Declaration, find func(P, context.Context) (table.Find, error)) func(context.Context, P,
	table.Options) (table.Table, error) {
	return func(ctx context.Context, p P, o table.Options) (table.Table, error) {
		f, err := find(p, ctx)
		return d.Open(f, table.Query{}, o, true), err
	}
}

// openValues opens the value sites of a kind.
func openValues(kind instrprof.ValueKind) func(context.Context, *instrdb.Profile, table.Options) (table.Table, error) {
	return declared(instrdb.ValueSites, func(p *instrdb.Profile, ctx context.Context) (table.Find, error) {
		return p.FindValues(ctx, kind, 0, "")
	})
}

// varied opens whole a table whose columns depend on the profile.
func varied[P any](find func(context.Context, P) (*table.Declaration, table.Find, error)) func(context.Context, P,
	table.Options) (table.Table, error) {
	return func(ctx context.Context, p P, o table.Options) (table.Table, error) {
		d, f, err := find(ctx, p)
		if err != nil {
			return nil, err
		}
		return d.Open(f, table.Query{}, o, true), nil
	}
}

// byDefault asks for a table with nothing selected, and by the compiler's thresholds.
func byDefault[P, Q any](find func(P, context.Context, Q) (table.Find, error)) func(P,
	context.Context) (table.Find, error) {
	return func(p P, ctx context.Context) (table.Find, error) { return find(p, ctx, *new(Q)) }
}

// all is byDefault of what cannot fail.
func all[P, Q any](find func(P, Q) table.Find) func(P, context.Context) (table.Find, error) {
	return func(p P, _ context.Context) (table.Find, error) { return find(p, *new(Q)), nil }
}

// openCoverage is the files or namespaces that have functions, each with its own alone.
func openCoverage(by query.TreeBy) func(context.Context, *instrdb.Profile, table.Options) (table.Table, error) {
	return func(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
		t, err := p.WholeTree(ctx, by, nil)
		if err != nil {
			return nil, err
		}
		return instrdb.TableOf(t, t.Root(), table.Leaves(t.Children, t.Root(), nil), o), nil
	}
}

func openMIPCoverage(by query.TreeBy) func(context.Context, *mipdb.Profile, table.Options) (table.Table, error) {
	return func(ctx context.Context, p *mipdb.Profile, o table.Options) (table.Table, error) {
		t, err := p.Tree(ctx, by)
		if err != nil {
			return nil, err
		}
		return mipdb.TableOf(t, t.Root(), table.Leaves(t.Children, t.Root(), nil), o), nil
	}
}

// totals is the images, epochs or hosts of samples.
func totals(by dcpidb.TotalOf) func(context.Context, *dcpidb.Profile, table.Options) (table.Table, error) {
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
