package covweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/covdb"
	"proflens/profile/table"
)

// api are the routes of source coverage, below /api/v1/profiles/{id}/coverage.
func (s *handler) api() []site.Route {
	var routes []site.Route
	at := site.At(s.Site, covdb.Of)
	for _, l := range declared {
		t := l.Export(s.Site)
		routes = append(routes, at(l.API, s.Listed("-"+l.ID, t)).Lists(t, l.says))
	}
	return routes
}

// exports are the same tables as downloads.
func (s *handler) exports() map[string]site.TableExport {
	all := map[string]site.TableExport{}
	for _, l := range declared {
		all["coverage-"+l.ID] = l.Export(s.Site)
	}
	return all
}

// declared are the tables of source coverage by their declarations, with what the API's
// document says of each.
var declared = []struct {
	lists.Declared
	says string
}{
	{files, `coverage listCoverageFiles: The source files with their coverage
		The numbers are llvm-cov's: instances of a template count as the largest does in each number. union_ counts
		what ran in any instance.
		?q: words of the path, and thresholds such as lines<80, of lines, regions, branches, functions,
		instantiations, mcdc with <, <=, >, >=
		?inst best|union =best: how lines, regions and branches are counted by thresholds and orders
		>200 CoverageFileList table`},
	{functions, `coverage listCoverageFunctions: The functions with their coverage
		Functions that begin at one place, as instances of a template do, are one row with the largest of each number,
		unless instances=true.
		?q: words of the name, mangled or demangled, in any order, and thresholds such as lines<80
		?state never|partly|whole|ran: never ran, partly or whole; ran is both
		>200 CoverageFunctionList table`},
	{ofFile(covdb.Lines, "lines", (*covdb.Profile).FindLines), `
		coverage listCoverageLines: The lines of source files with their counts
		The lines with code of a file, or of all files. A line is partly covered when it ran, and a region that begins
		in it or a side of a condition never did.
		>200 CoverageLineList table`},
	{ofFile(covdb.Branches, "branches", (*covdb.Profile).FindBranches), `
		coverage listCoverageBranches: The conditions of source files
		How often each side of each condition was taken, those of all functions added up by place; null for a side
		that the compiler knows in every function.
		>200 CoverageBranchList table`},
	{decisions, `
		coverage listCoverageDecisions: The decisions of MC/DC
		Conditions that form one decision, with the vectors that were seen: a letter a condition, T, F or - for not
		evaluated, and the result. pair is two vectors, counted from 1, that show that a condition matters. Of the
		instances of a template the one of which most was shown stands for all, unless instances=true.
		?missing boolean: only decisions with conditions that were not shown to matter
		>200 CoverageDecisionList table`},
	{misfits, `coverage listCoverageMisfits: The functions that mapping and profile do not agree on
		mismatched: the profile has other hashes only, of another build. short: the record has too few counters.
		no_bitmap: the record has no MC/DC bitmap. lost: a record of the profile whose mapping the linker dropped.
		hidden: llvm-cov shows zeros for it. dummy: a unit saw it and did not emit it.
		?kind mismatched|short|no_bitmap|lost|hidden|dummy: only of this kind
		>200 CoverageMisfitList table`},
}

// files is the table of source files.
var files = lists.Declared{
	Declaration: covdb.Files, ID: "files", API: "/coverage/files", Own: []string{"path", "without", "inst"},
	Find: func(v *site.Values) lists.Finder {
		q := covdb.FileQuery{
			Dir: v.One("path"), Union: site.Choice(v, "inst", instBest, instUnion) == instUnion, Thresholds: thresholdsOf(v),
			Without: withoutOf(v),
		}
		return lists.Of(covdb.Of, func(_ context.Context, p *covdb.Profile) (table.Find, error) {
			return p.FindFiles(q),
				nil
		})
	},
}

// ofFile is a table of what is in a file, or in all files.
func ofFile(d *table.Declaration, id string, find func(*covdb.Profile, *covdb.File) table.Find) lists.Declared {
	return lists.Declared{Declaration: d, ID: id, API: "/coverage/" + id, Own: []string{"file"},
		Find: func(v *site.Values) lists.Finder {
			name := v.One("file")
			return lists.Of(covdb.Of, func(_ context.Context, p *covdb.Profile) (table.Find, error) {
				f, err := namedFile(p, name)
				return find(p, f), err
			})
		}}
}

// params say what the family's parameters are.
const params = `
	?file: one file: its path without what all names begin with, its recorded name, or the end of the only path that
	ends so
	?path: a directory, without what all names begin with: files in it and below
	?without: kinds of files that are left out, separated by commas: tests, dependencies, generated, as their paths
	say; - is none
	?instances boolean: a row for each instance`
