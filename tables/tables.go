// Package tables is the tables of a profile as scripts read them: their names,
// their columns, how their rows are read step by step from an opened profile,
// and how rows are written as JSON, CSV, NDJSON and text. The API and the command
// line's exports share it.
//
// A table is a [List] in a file of its own and a line in the registry.
package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/covmap"
	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/profiledb/covdb"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/profiledb/sampledb"
	"proflens/profiledb/stored"
	"proflens/sources"
)

// Options are how values are written.
type Options struct {
	Demangle func(linkage string) string // the form of the columns "demangled"
	Quote    bool                        // counts are JSON strings, for JavaScript
	Sources  *sources.Links              // of the profile; nil for none
}

// Entry is a table that profiles of a family have.
type Entry struct {
	Name  string // as -table and table= have it
	About string // in a few words
	// Family has the table.
	Family model.Family
	// Open makes the whole table in its default order.
	Open func(ctx context.Context, p *stored.Profile, o Options) (Table, error)
	// List makes the same table of a decoded profile that nobody stores: nil for one that
	// must be stored for that. A table without List always must.
	List func(ctx context.Context, p *format.Profile, o Options) (Table, error)
}

// registry is every table; the first one of a family is its default.
var registry = []Entry{
	{"functions", "function records, by total", instrprof.Family, of(instrdb.Of, openFunctions), listFunctions},
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
		of(instrdb.Of, openVTables), nil,
	},
	{
		"vtable-sites", "virtual calls that recorded a vtable, vtable by vtable", instrprof.Family,
		of(instrdb.Of, openVTableSites), nil,
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
	{"traces", "temporal traces, function by function", instrprof.Family, of(instrdb.Of, openTraces), nil},
	{"order", "functions in order of first run", instrprof.Family, of(instrdb.Of, openOrder), nil},
	{
		"bitmaps", "functions with an MC/DC bitmap, and how many of its bits are set", instrprof.Family,
		of(instrdb.Of, openBitmaps), nil,
	},
	{"binary-ids", "build IDs of the profiled programs", instrprof.Family, openBinaryIDs, nil},

	{"functions", "machine IR functions, largest first", mip.Family, of(mipdb.Of, openMIPFunctions(mipdb.Query{})), nil},
	{"dead", "functions that no run executed, largest first", mip.Family, of(mipdb.Of, openMIPFunctions(Dead())), nil},
	{
		"coverage", "source files with the bytes that were covered", mip.Family, of(mipdb.Of, openMIPCoverage(query.ByPath)),
		nil,
	},
	{
		"coverage-namespace", "namespaces with the bytes that were covered", mip.Family,
		of(mipdb.Of, openMIPCoverage(query.ByNamespace)), nil,
	},
	{"order", "functions in order of first run", mip.Family, of(mipdb.Of, openMIPOrder), nil},
	{"runs", "raw files, and what each executed", mip.Family, of(mipdb.Of, openMIPRuns), nil},

	{
		"allocations", "allocation contexts with their call stacks, by bytes", memprof.Family,
		of(memprofdb.Of, openAllocations), nil,
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
	{
		"calls", "calls that lead to allocations, with what they reach, by bytes", memprof.Family,
		of(memprofdb.Of, openCalls), nil,
	},
	{"cloning", "allocation sites that need cloning, by cold bytes", memprof.Family, of(memprofdb.Of, openCloning), nil},
	{
		"pruned-contexts", "MIBs of allocation sites after the compiler's pruning", memprof.Family,
		of(memprofdb.Of, openPruned), nil,
	},
	{
		"heap-lines", "source lines with the bytes allocated on them and through them", memprof.Family,
		of(memprofdb.Of, openLines((*memprofdb.Profile).Lines)), nil,
	},
	{
		"modules", "segments of raw heap profiles, and the binaries needed for names", memprof.Family,
		of(memprofdb.Of, openModules), nil,
	},
	{
		"call-sites", "calls that lead to allocations, as an indexed profile lists them", memprof.Family,
		of(memprofdb.Of, openCallSites), nil,
	},
	{"data-access", "static data with the accesses to it", memprof.Family, of(memprofdb.Of, openDataAccess), nil},

	{"samples", "addresses with DCPI samples, most samples first", dcpi.Family, of(dcpidb.Of, openSamples), nil},
	{
		"sample-lines", "source lines with the samples of the code on them", dcpi.Family,
		of(dcpidb.Of, openLines((*dcpidb.Profile).SourceLines)), nil,
	},
	{"procedures", "procedures, or ranges of addresses, by samples", dcpi.Family, of(dcpidb.Of, openProcedures), nil},
	{"images", "programs, libraries and kernels, by samples", dcpi.Family, of(dcpidb.Of, openImages), nil},
	{"epochs", "epochs, by time", dcpi.Family, of(dcpidb.Of, openDCPITotals(dcpidb.OfEpoch)), nil},
	{"platforms", "hosts, by name", dcpi.Family, of(dcpidb.Of, openDCPITotals(dcpidb.OfPlatform)), nil},
	{"diff", "procedures in every epoch, largest difference first", dcpi.Family, of(dcpidb.Of, openDiff), nil},
	{
		"dcpi-profiles", "one row per event, image, epoch and host, with its header", dcpi.Family,
		of(dcpidb.Of, openDCPIProfiles), nil,
	},

	{"functions", "functions of a sample profile, by total", sampleprof.Family, of(sampledb.Of, openSampleFunctions), nil},
	{
		"hot", "what llvm-profdata show --hot-func-list lists, by total", sampleprof.Family,
		of(sampledb.Of, openSampleEntries(true)), nil,
	},
	{
		"contexts", "functions or, with calling contexts, each context of one, by total", sampleprof.Family,
		of(sampledb.Of, openSampleEntries(false)), nil,
	},
	{
		"records", "counts of functions and of what is inlined into them, place by place", sampleprof.Family,
		of(sampledb.Of, openSampleRecords), nil,
	},
	{
		"targets", "functions that a place calls without having them inlined", sampleprof.Family,
		of(sampledb.Of, openSampleTargets), nil,
	},
	{
		"edges", "callers with their callees, inlined or not, heaviest first", sampleprof.Family,
		of(sampledb.Of, openSampleEdges), nil,
	},
	{
		"sample-lines", "source lines with the samples on them, and the calls", sampleprof.Family,
		of(sampledb.Of, openLines((*sampledb.Profile).Lines)), nil,
	},
	{
		"symbols", "symbols of the profiled program with their samples", sampleprof.Family,
		of(sampledb.Of, openSampleSymbols), nil,
	},
	{
		"summary", "the counts that make up each share of all samples", sampleprof.Family,
		of(sampledb.Of, openSampleSummary), nil,
	},
	{"sections", "sections of an extensible sample profile", sampleprof.Family, of(sampledb.Of, openSampleSections), nil},

	{
		"coverage-files", "source files with their coverage, most missing lines first", covmap.Family,
		of(covdb.Of, openCoverageFiles), nil,
	},
	{
		"coverage-functions", "functions with their coverage, most missing lines first", covmap.Family,
		of(covdb.Of, openCoverageFunctions), nil,
	},
	{"coverage-lines", "lines of source with their counts", covmap.Family, of(covdb.Of, openCoverageLines), nil},
	{
		"coverage-branches", "conditions with how often each side was taken", covmap.Family,
		of(covdb.Of, openCoverageBranches), nil,
	},
	{
		"coverage-mcdc", "decisions of MC/DC with their conditions and vectors", covmap.Family,
		of(covdb.Of, openCoverageDecisions), nil,
	},
	{
		"coverage-misfits", "functions that mapping and profile do not agree on", covmap.Family, of(covdb.Of, openMisfits),
		nil,
	},
}

// of opens a table of a profile's part.
func of[P any](part func(*stored.Profile) (P, error),
	open func(context.Context, P, Options) (Table, error)) func(context.Context, *stored.Profile, Options) (Table, error) {
	return func(ctx context.Context, p *stored.Profile, o Options) (Table, error) {
		records, err := part(p)
		if err != nil {
			return nil, err
		}
		return open(ctx, records, o)
	}
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
