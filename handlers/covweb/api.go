package covweb

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/covdb"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/tables"
)

// api are the routes of source coverage, below /api/v1/profiles/{id}/coverage.
func (s *room) api() []site.Route {
	var routes []site.Route
	for name, read := range listings {
		routes = append(routes, site.Route{Path: "/coverage/" + name,
			Answer: site.With(s.Site, covdb.Of, func(w http.ResponseWriter, r *http.Request) error {
				list, open, err := read.of(r.URL.Query(), s.coverage(r))
				if err != nil {
					return err
				}
				return s.ListTable(w, r, list, "-"+name,
					func(_ context.Context, o tables.Options, _ bool) (tables.Table, error) { return open(o), nil })
			})})
	}
	slices.SortFunc(routes, func(a, b site.Route) int { return strings.Compare(a.Path, b.Path) })
	return routes
}

// exports are the same tables as downloads.
func (s *room) exports() map[string]site.TableExport {
	all := map[string]site.TableExport{}
	for name, read := range listings {
		all["coverage-"+name] = site.TableExport{Keys: read.keys,
			Read: func(r *http.Request, q url.Values) (site.Listing, site.Opener, error) {
				p, err := covdb.Of(s.Profile(r))
				if err != nil {
					return site.Listing{}, nil, err
				}
				list, open, err := read.of(q, p)
				return list, func(_ context.Context, o tables.Options, _ bool) (tables.Table, error) { return open(o), nil }, err
			}}
	}
	return all
}

// tableReader reads the request for a table. Errors are *site.ParamError, or say that there
// is no such file.
type tableReader struct {
	keys []string
	read func(v *site.Values, p *covdb.Profile) func(o tables.Options) tables.Table
}

func (t *tableReader) of(q url.Values, p *covdb.Profile) (site.Listing, func(tables.Options) tables.Table, error) {
	v, err := site.NewValues(q, t.keys)
	if err != nil {
		return site.Listing{}, nil, err
	}
	l, open := v.Listing(), t.read(v, p)
	return l, open, v.Err
}

func keys(own ...string) []string { return slices.Concat(own, site.ListingKeys) }

// listings are the tables of source coverage by name.
var listings = map[string]*tableReader{
	"files": {keys("path", "q", "sort", "inst"), func(v *site.Values, p *covdb.Profile) func(tables.Options) tables.Table {
		q := covdb.FileQuery{
			Dir: v.One("path"), Union: site.Choice(v, "inst", instBest, instUnion) == instUnion,
			Sort: v.Sort("sort", covdb.FileColumns),
		}
		q.Text, q.Thresholds = filterOf(v, v.Words("q"))
		return func(o tables.Options) tables.Table { return tables.CoverageFiles(p, q, o) }
	}},
	"functions": {keys("path", "file", "q", "re", "state", "instances", "sort"),
		func(v *site.Values, p *covdb.Profile) func(tables.Options) tables.Table {
			q := covdb.FunctionQuery{
				Regexp: v.Pattern("re"), Files: namedFiles(v, p),
				State:     site.Choice(v, "state", append([]covdb.State{""}, covdb.States...)...),
				Instances: v.Yes("instances"), Sort: v.Sort("sort", covdb.FunctionColumns),
			}
			q.Text, q.Thresholds = filterOf(v, v.Words("q"))
			return func(o tables.Options) tables.Table { return tables.CoverageFunctions(p, q, o) }
		}},
	"lines": {keys("file"), func(v *site.Values, p *covdb.Profile) func(tables.Options) tables.Table {
		file := namedFile(v, p)
		return func(o tables.Options) tables.Table { return tables.CoverageLines(p, file, o) }
	}},
	"branches": {keys("file"), func(v *site.Values, p *covdb.Profile) func(tables.Options) tables.Table {
		file := namedFile(v, p)
		return func(o tables.Options) tables.Table { return tables.CoverageBranches(p, file, o) }
	}},
	"mcdc": {keys("path", "file", "missing", "instances", "sort"),
		func(v *site.Values, p *covdb.Profile) func(tables.Options) tables.Table {
			q := covdb.DecisionQuery{
				Files: namedFiles(v, p), Missing: v.Yes("missing"), Instances: v.Yes("instances"),
				Sort: v.Sort("sort", covdb.DecisionColumns),
			}
			return func(o tables.Options) tables.Table { return tables.CoverageDecisions(p, q, o) }
		}},
	"misfits": {keys("kind"), func(v *site.Values, p *covdb.Profile) func(tables.Options) tables.Table {
		kind := site.Choice(v, "kind", append([]covdb.MisfitKind{""}, covdb.MisfitKinds...)...)
		return func(o tables.Options) tables.Table { return tables.Misfits(p, kind, o) }
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
