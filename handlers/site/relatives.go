package site

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"proflens/analyze"
	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
)

const (
	maxRelatives = 24
	// A page of one profile waits so long for what others have to say.
	findTime = 2 * time.Second
)

// Relatives are the profiles of the same program as that of the address, the closest
// first. Without them a page is whole all the same, so a fault of the catalog is noted
// and no more.
func (s *Site) Relatives(r *http.Request) []catalog.Relative {
	q := RequestOf(r)
	if q.relatives == nil {
		list, err := s.Store.Relatives(r.Context(), s.Entry(r), maxRelatives)
		if err != nil {
			s.Log.Warn("profiles of the same program", "error", err)
		}
		q.relatives = &list
	}
	return *q.relatives
}

// Occurrence is a function as another profile of the same program has it.
type Occurrence struct {
	Profile  string         `col:"profile" width:"26" help:"its id"`
	Family   string         `col:"family" width:"8"`
	Relation string         `col:"relation" width:"8" as:"build|commit|project|name" help:"what the profiles share"`
	FID      string         `col:"fid" width:"16"`
	_        table.Computed `col:"func_hash" width:"16"`
	Measure  string         `col:"measure" width:"8"`
	_        struct{}       `as:"counts|bytes|covered|samples"`
	_        struct{}       `help:"what the total is of: counts, bytes, calls or samples"`
	Total    analyze.Sum    `col:"total" width:"20"`
	Share    float64        `col:"share" width:"8" is:"part" help:"of its profile"`
	Rank     int            `col:"rank" width:"8" is:"omitzero" as:"integer 1.." help:"by total, from 1"`
	First    *float64       `col:"first" width:"8" is:"part" help:"position in the order of the first run, from 0"`
	Name     string         `col:"profile_name"`
	// FuncHashes are of its records, that of func_hash first; none where families have none.
	FuncHashes []uint64

	// What a page shows of it: a figure, what it is, and where more stands.
	Figure humanize.Number
	Says   string
	URL    string
	Own    any // what the family's own pages know beside
}

// occurrences are listed with the closest profile first.
var occurrences = table.Declare[Occurrence](table.Declaration{
	About: "A function in another profile of the same program.", Noun: "profile",
})

// Cell implements [table.Celler].
func (s *Occurrence) Cell(string, *table.Options) table.Cell {
	if len(s.FuncHashes) == 0 {
		return table.Null
	}
	return table.Hex(s.FuncHashes[0])
}

// FoundFunction is a function in a profile of the same program.
type FoundFunction struct {
	catalog.Relative
	*Family
	*Occurrence
}

// Occurrences looks a function up, by its PGO name, in the profiles of the same
// program. whole is unset where the time did not suffice for all of them.
func (s *Site) Occurrences(r *http.Request, pgo []byte) (list []FoundFunction, whole bool, err error) {
	if len(pgo) == 0 {
		return nil, true, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), findTime)
	defer cancel()
	for _, other := range s.Relatives(r) {
		seen, err := s.occurrences(ctx, other, pgo)
		if errors.Is(err, context.DeadlineExceeded) {
			return list, false, r.Context().Err()
		}
		if err != nil && !gone(err) {
			return nil, false, err
		}
		list = append(list, seen...)
	}
	return list, true, nil
}

// gone reports whether a profile cannot be asked just now: it is no fault of the one
// whose page this is.
func gone(err error) bool {
	_, deleted := errors.AsType[*catalog.GoneError](err)
	return deleted || errors.Is(err, catalog.ErrNotFound) || errors.Is(err, catalog.ErrRebuilding) ||
		errors.Is(err, stored.ErrDamaged)
}

func (s *Site) occurrences(ctx context.Context, other catalog.Relative, pgo []byte) ([]FoundFunction, error) {
	p, err := s.Store.Open(ctx, &other.Entry)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var list []FoundFunction
	for _, f := range s.familiesOf(other.Families) {
		if f.FindFunction == nil {
			continue
		}
		seen, err := f.FindFunction(ctx, p, PageOf(other.ID), pgo)
		if err != nil && !errors.Is(err, stored.ErrNoPart) {
			return nil, err
		}
		if err == nil && seen != nil {
			seen.Profile, seen.Name, seen.Family, seen.Relation = other.ID, other.Name, string(f.Name), string(other.Relation)
			list = append(list, FoundFunction{other, f, seen})
		}
	}
	return list, nil
}

// AroundFunction is what the page of a function, by its PGO name, has of profiles of the same program
// beside its own: the frame of the page, and where else the function is. hash is the FuncHash
// shown, nil where functions have none.
func (s *Site) AroundFunction(w http.ResponseWriter, r *http.Request, title string, pgo []byte,
	hash *uint64) (page.Shell, *page.Elsewhere, []FoundFunction, error) {
	list, whole, err := s.Occurrences(r, pgo)
	if err != nil {
		return page.Shell{}, nil, nil, err
	}
	if !whole {
		Unsettled(w)
	}
	shell := s.ProfileShell(r, FunctionsView, title)
	shell.Builds, shell.Keys = s.builds(r, list), functionKeyLines
	return shell, s.elsewhere(r, list, whole, hash), list, nil
}

// elsewhere is what profiles of the same program have of a function, as its page shows it.
func (s *Site) elsewhere(r *http.Request, list []FoundFunction, whole bool, hash *uint64) *page.Elsewhere {
	if len(list) == 0 && whole {
		return nil
	}
	m := &page.Elsewhere{
		Partial: !whole, JSON: APIOf(s.Entry(r).ID) + r.URL.Path[len(s.Base(r)):] + "/elsewhere",
	}
	for _, seen := range list {
		row := page.ElsewhereRow{
			Measures: seen.Measures, Name: humanize.Printable(seen.Occurrence.Name), URL: seen.URL, Figure: seen.Figure,
			Note: seen.Says,
			Why:  relationWords[seen.Relative.Relation],
		}
		if hash != nil && len(seen.FuncHashes) > 0 {
			row.Code = "other code"
			if slices.Contains(seen.FuncHashes, *hash) {
				row.Code = "same code"
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

var relationWords = map[catalog.Relation]string{
	catalog.SameBuild: "same build", catalog.SameCommit: "same commit", catalog.SameProject: "same project",
	catalog.SameName: "same name",
}

// Named gives the PGO name of the function that a request is about.
type Named func(ctx context.Context, r *http.Request) (pgo []byte, err error)

// Elsewhere is GET /profiles/{id}/functions/{fid}/elsewhere: the function in other profiles of the
// same program.
func (s *Site) Elsewhere(named Named) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v := NewValues(r.URL.Query(), ListingKeys)
		p := v.Listing()
		if v.Err != nil {
			return v.Err
		}
		ctx := s.RequestContext(r)
		pgo, err := named(ctx, r)
		if err != nil {
			return err
		}
		s.Relatives(r)
		return s.ListTable(w, r, p, "-elsewhere", func(ctx context.Context, o table.Options, _ bool) (table.Table, error) {
			list, whole, err := s.Occurrences(r.WithContext(ctx), pgo)
			if err != nil {
				return nil, err
			}
			if !whole {
				Unsettled(w)
			}
			rows := make([]*Occurrence, len(list))
			for i := range list {
				rows[i] = list[i].Occurrence
			}
			return occurrences.Whole(table.Set{Rows: rows}, o), nil
		})
	}
}

// builds are the switch between the families of one build: the closest profile of each
// other family. seen are those of a function that the page is about, to stay with it.
func (s *Site) builds(r *http.Request, seen []FoundFunction) []page.Tab {
	e := s.Entry(r)
	var own []page.Tab
	for _, f := range s.familiesOf(e.Families) {
		own = append(own, page.Tab{Label: f.Measures, URL: PageOf(e.ID), Current: true})
	}
	var others []page.Tab
	have := slices.Clone(e.Families)
	for _, other := range s.Relatives(r) {
		if other.Relation != catalog.SameBuild && other.Relation != catalog.SameCommit {
			continue
		}
		for _, f := range s.familiesIn(other.Families) {
			if slices.Contains(have, f.Name) {
				continue
			}
			have = append(have, f.Name)
			others = append(others, page.Tab{
				Label: f.Measures, URL: s.kept(r, f, &other.Entry, seen),
				Title: humanize.Printable(other.Name) + ", " + relationWords[other.Relation],
			})
		}
	}
	if others == nil {
		return nil
	}
	return append(own, others...)
}

// kept is where the switch leads to in another profile: to the function or the file of
// the page where that is known there, to a list with the same search, else to the overview.
func (s *Site) kept(r *http.Request, f *Family, other *catalog.Entry, seen []FoundFunction) string {
	for _, one := range seen {
		if one.ID == other.ID && one.Family == f {
			return one.URL
		}
	}
	base, q := PageOf(other.ID), r.URL.Query()
	file := fileShown(r, s.Base(r))
	if to := s.fileIn(r.Context(), f, other, file); to != "" {
		return to
	}
	for _, text := range []string{q.Get("q"), file} {
		if text != "" && f.Search != nil {
			search := f.Search(base)
			to := NewAddress(search.Action).With("q", text)
			for _, k := range search.Keep {
				to = to.With(k.Name, k.Value)
			}
			return to.String()
		}
	}
	return base
}

// fileShown is the file, or the directory, that a page of a profile is about; empty for
// none.
func fileShown(r *http.Request, base string) string {
	if file, ok := strings.CutPrefix(r.URL.Path, base+"/files/"); ok {
		return file
	}
	q := r.URL.Query()
	return cmp.Or(q.Get("file"), q.Get("path"))
}

// fileIn is the page of a file in another profile; empty where its lines are of no such
// file, or nobody can say just now.
func (s *Site) fileIn(ctx context.Context, f *Family, other *catalog.Entry, file string) string {
	if file == "" || f.Sources == nil {
		return ""
	}
	p, err := s.Store.Open(ctx, other)
	if err != nil {
		return ""
	}
	defer p.Close()
	files, err := f.Sources(ctx, p)
	if err != nil {
		return ""
	}
	at := sources.NewNames(files).Find(file)
	if at < 0 {
		return ""
	}
	return NewAddress(PageOf(other.ID)+"/files").With("file", files[at]).String()
}
