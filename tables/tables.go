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

	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/store"
)

// Profile is an opened profile, with what the tables of each family read.
type Profile interface {
	Overview(ctx context.Context) (*store.Overview, error)
	instrProfile
	mipProfile
	heapProfile
	dcpiProfile
}

// Options are how values are written.
type Options struct {
	Demangle func(linkage string) string // the form of the columns "demangled"
	Quote    bool                        // counts are JSON strings, for JavaScript
}

// Entry is a table that profiles of a family have.
type Entry struct {
	Name  string // as -table and table= have it
	About string // in a few words
	// Family has the table.
	Family model.Family
	// Open makes the whole table in its default order.
	Open func(ctx context.Context, p Profile, o Options) (Table, error)
}

// registry is every table; the first one of a family is its default.
var registry = []Entry{
	{"functions", "function records, by total", instrprof.Family, openFunctions},
	{"values", "indirect-call sites with their targets", instrprof.Family, openValues(instrprof.IndirectCallTarget)},
	{"values-memop", "sizes of memory operations", instrprof.Family, openValues(instrprof.MemOPSize)},
	{"values-vtable", "vtables at virtual calls", instrprof.Family, openValues(instrprof.VTableTarget)},
	{"coverage", "source files with the functions that ran", instrprof.Family, openCoverage(store.ByPath)},
	{"coverage-namespace", "namespaces with the functions that ran", instrprof.Family, openCoverage(store.ByNamespace)},
	{"traces", "temporal traces, function by function", instrprof.Family, openTraces},
	{"order", "functions in the order in which they first ran", instrprof.Family, openOrder},
	{"bitmaps", "functions with an MC/DC bitmap, and how many of its bits are set", instrprof.Family, openBitmaps},
	{"binary-ids", "build ids of the profiled programs", instrprof.Family, openBinaryIDs},

	{"functions", "functions of machine IR, the largest first", mip.Family, openMIPFunctions(store.MIPQuery{})},
	{"dead", "functions that no run executed, the largest first", mip.Family, openMIPFunctions(Dead())},
	{"coverage", "source files with the bytes that were covered", mip.Family, openMIPCoverage(store.ByPath)},
	{"coverage-namespace", "namespaces with the bytes that were covered", mip.Family, openMIPCoverage(store.ByNamespace)},
	{"order", "functions in the order in which they first ran", mip.Family, openMIPOrder},
	{"runs", "raw files, and what each executed", mip.Family, openMIPRuns},

	{"allocations", "allocation contexts with their call stacks, by bytes", memprof.Family, openAllocations},
	{"sites", "functions that allocate, by bytes", memprof.Family, openSites(store.SitesByFunction)},
	{"sites-line", "calls that allocate, by bytes", memprof.Family, openSites(store.SitesByLine)},
	{"sites-file", "source files that allocate, by bytes", memprof.Family, openSites(store.SitesByFile)},
	{"modules", "segments of raw heap profiles, and the binaries that are wanted", memprof.Family, openModules},
	{"call-sites", "calls on the way to allocations", memprof.Family, openCallSites},
	{"data-access", "static data with the accesses to it", memprof.Family, openDataAccess},

	{"samples", "addresses with samples of DCPI, those with the most first", dcpi.Family, openSamples},
	{"procedures", "procedures, or ranges of addresses, by samples", dcpi.Family, openProcedures},
	{"images", "programs, libraries and kernels, by samples", dcpi.Family, openImages},
	{"epochs", "epochs, by time", dcpi.Family, openDCPITotals(store.OfEpoch)},
	{"platforms", "hosts, by name", dcpi.Family, openDCPITotals(store.OfPlatform)},
	{"diff", "procedures in every epoch, those that differ most first", dcpi.Family, openDiff},
	{"dcpi-profiles", "each event of each image in each epoch on each host, with its header", dcpi.Family, openDCPIProfiles},
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
