package covweb

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/covdb"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/tables"
)

// api are the routes of source coverage, below /api/v1/profiles/{id}/coverage.
func (s *room) api() []site.Route {
	var routes []site.Route
	for name, read := range listings {
		routes = append(routes, site.Route{Path: "/coverage/" + name, Keys: read.keys, Says: read.says,
			Answer: site.With(s.Site, covdb.Of, func(w http.ResponseWriter, r *http.Request) error {
				list, open, err := read.of(r.URL.Query(), s.coverage(r))
				if err != nil {
					return err
				}
				return s.ListTable(w, r, list, "-"+name,
					func(_ context.Context, o table.Options, _ bool) (table.Table, error) { return open(o), nil })
			})})
	}
	t := misfits.Export(s.Site)
	routes = append(routes, site.At(s.Site, covdb.Of)("/coverage/misfits", s.Listed("-misfits", t)).Lists(t, `coverage listCoverageMisfits: The functions that mapping and profile do not agree on
		mismatched: the profile has other hashes only, of another build. short: the record has too few counters.
		no_bitmap: the record has no MC/DC bitmap. lost: a record of the profile whose mapping the linker dropped.
		hidden: llvm-cov shows zeros for it. dummy: a unit saw it and did not emit it.
		?kind mismatched|short|no_bitmap|lost|hidden|dummy: only of this kind
		>200 CoverageMisfitList table`))
	slices.SortFunc(routes, func(a, b site.Route) int { return strings.Compare(a.Path, b.Path) })
	return routes
}

// exports are the same tables as downloads.
func (s *room) exports() map[string]site.TableExport {
	all := map[string]site.TableExport{"coverage-misfits": misfits.Export(s.Site)}
	for name, read := range listings {
		all["coverage-"+name] = site.TableExport{Keys: read.keys,
			Read: func(r *http.Request, q url.Values) (site.Listing, site.Opener, error) {
				p, err := covdb.Of(s.Profile(r))
				if err != nil {
					return site.Listing{}, nil, err
				}
				list, open, err := read.of(q, p)
				return list, func(_ context.Context, o table.Options, _ bool) (table.Table, error) { return open(o), nil }, err
			}}
	}
	return all
}

// tableReader reads the request for a table. Errors are *site.ParamError, or say that there
// is no such file.
type tableReader struct {
	keys []string
	says string // as site.Said has it
	read func(v *site.Values, p *covdb.Profile) func(o table.Options) table.Table
}

func (t *tableReader) of(q url.Values, p *covdb.Profile) (site.Listing, func(table.Options) table.Table, error) {
	v, err := site.NewValues(q, t.keys)
	if err != nil {
		return site.Listing{}, nil, err
	}
	l, open := v.Listing(), t.read(v, p)
	return l, open, v.Err
}

func keys(own ...string) []string { return slices.Concat(own, site.ListingKeys) }

// params say what the family's parameters are.
const params = `
	?file: one file: its path without what all names begin with, its recorded name, or the end of the only path that
	ends so
	?path: a directory, without what all names begin with: files in it and below
	?instances boolean: a row for each instance`

// listings are the tables of source coverage by name.
var listings = map[string]*tableReader{
	"files": {keys("path", "q", "sort", "inst"), `coverage listCoverageFiles: The source files with their coverage
		The numbers are llvm-cov's: instances of a template count as the largest does in each number. union_ counts
		what ran in any instance.
		?q: words of the path, and thresholds such as lines<80, of lines, regions, branches, functions,
		instantiations, mcdc with <, <=, >, >=
		?sort: columns separated by commas, - in front to descend: name, missing, lines, total, regions, branches,
		functions, instantiations, mcdc. Default: -missing
		?inst best|union =best: how lines, regions and branches are counted by thresholds and orders
		>200 CoverageFileList table`, func(v *site.Values, p *covdb.Profile) func(table.Options) table.Table {
		q := covdb.FileQuery{
			Dir: v.One("path"), Union: site.Choice(v, "inst", instBest, instUnion) == instUnion,
			Sort: v.Sort("sort", covdb.FileColumns),
		}
		q.Text, q.Thresholds = filterOf(v, v.Words("q"))
		return func(o table.Options) table.Table { return tables.CoverageFiles(p, q, o) }
	}},
	"functions": {keys("path", "file", "q", "re", "state", "instances", "sort"), `
		coverage listCoverageFunctions: The functions with their coverage
		Functions that begin at one place, as instances of a template do, are one row with the largest of each number,
		unless instances=true.
		?q: words of the name, mangled or demangled, in any order, and thresholds such as lines<80
		?re: regular expression over the name, RE2
		?state never|partly|whole|ran: never ran, partly or whole; ran is both
		?sort: columns separated by commas, - in front to descend: name, missing, lines, total, regions, branches,
		mcdc, count, file, index, instances. Default: -missing
		>200 CoverageFunctionList table`, func(v *site.Values, p *covdb.Profile) func(table.Options) table.Table {
		q := covdb.FunctionQuery{
			Regexp: v.Pattern("re"), Files: namedFiles(v, p),
			State:     site.Choice(v, "state", append([]covdb.State{""}, covdb.States...)...),
			Instances: v.Yes("instances"), Sort: v.Sort("sort", covdb.FunctionColumns),
		}
		q.Text, q.Thresholds = filterOf(v, v.Words("q"))
		return func(o table.Options) table.Table { return tables.CoverageFunctions(p, q, o) }
	}},
	"lines": {keys("file"), `coverage listCoverageLines: The lines of source files with their counts
		The lines with code of a file, or of all files. A line is partly covered when it ran, and a region that begins
		in it or a side of a condition never did.
		>200 CoverageLineList table`, func(v *site.Values, p *covdb.Profile) func(table.Options) table.Table {
		file := namedFile(v, p)
		return func(o table.Options) table.Table { return tables.CoverageLines(p, file, o) }
	}},
	"branches": {keys("file"), `coverage listCoverageBranches: The conditions of source files
		How often each side of each condition was taken, those of all functions added up by place; null for a side
		that the compiler knows in every function.
		>200 CoverageBranchList table`, func(v *site.Values, p *covdb.Profile) func(table.Options) table.Table {
		file := namedFile(v, p)
		return func(o table.Options) table.Table { return tables.CoverageBranches(p, file, o) }
	}},
	"mcdc": {keys("path", "file", "missing", "instances", "sort"), `
		coverage listCoverageDecisions: The decisions of MC/DC
		Conditions that form one decision, with the vectors that were seen: a letter a condition, T, F or - for not
		evaluated, and the result. pair is two vectors, counted from 1, that show that a condition matters. Of the
		instances of a template the one of which most was shown stands for all, unless instances=true.
		?missing boolean: only decisions with conditions that were not shown to matter
		?sort: columns separated by commas, - in front to descend: file, mcdc, missing. Default: file
		>200 CoverageDecisionList table`, func(v *site.Values, p *covdb.Profile) func(table.Options) table.Table {
		q := covdb.DecisionQuery{
			Files: namedFiles(v, p), Missing: v.Yes("missing"), Instances: v.Yes("instances"),
			Sort: v.Sort("sort", covdb.DecisionColumns),
		}
		return func(o table.Options) table.Table { return tables.CoverageDecisions(p, q, o) }
	}},
}

// namedFile is the file that a request names by path or by recorded name; nil where it
// names none.
func namedFile(v *site.Values, p *covdb.Profile) *covdb.File {
	name := v.One("file")
	if name == "" {
		return nil
	}
	f, err := p.FileOf(name)
	if errors.Is(err, stored.ErrNoPart) && v.Err == nil {
		v.Err = &site.Problem{
			Status: http.StatusNotFound, Kind: "not_found", Title: "No such file",
			Detail: "the coverage mapping has no file " + say.Printable(name),
		}
	}
	return f
}

// namedFiles are the files that a request is about, by file or by directory; nil for all.
func namedFiles(v *site.Values, p *covdb.Profile) []int {
	if f := namedFile(v, p); f != nil {
		return []int{f.Index}
	}
	dir := strings.Trim(v.One("path"), "/")
	if dir == "" || v.Err != nil {
		return nil
	}
	list, err := below(p, dir)
	if err != nil {
		v.Err = err
	}
	return list
}
