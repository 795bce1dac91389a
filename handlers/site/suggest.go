package site

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/table"
)

const (
	// maxSuggestions are offered while somebody types.
	maxSuggestions = 10
	// SuggestTime is how long names are looked at for that.
	SuggestTime = 150 * time.Millisecond
)

// SuggestKeys are the parameters of suggestions.
var SuggestKeys = slices.Concat([]string{"q"}, ListingKeys)

// Suggestion is a name that a search may mean, and where it leads.
type Suggestion struct {
	FID     string      `col:"fid" width:"16" help:"empty where functions have none"`
	Measure string      `col:"measure" width:"8" as:"counts|bytes|size|samples|lines" help:"what the total is of"`
	Total   analyze.Sum `col:"total" width:"20"`
	Share   float64     `col:"share" width:"8" is:"part"`
	Path    string      `col:"path" width:"28" help:"of its page, below the profile's"`
	Name    string      `col:"demangled"`
	// PGO is the function's PGO name, which is shown demangled where there is no Name. Where there is no Path, it is
	// that of the page of a function.
	PGO []byte
}

// Suggestions are what rows are suggested as.
func Suggestions[R any](rows []R, of func(row *R) Suggestion) []Suggestion {
	list := make([]Suggestion, len(rows))
	for i := range rows {
		list[i] = of(&rows[i])
	}
	return list
}

// whole is what stands around them.
type whole struct {
	Complete bool `col:"complete"` // every name was looked at
}

var suggestions = table.Declare[Suggestion](table.Declaration{
	Around: (*whole)(nil), About: "A name and its page.", Noun: "name",
})

// Suggester finds what the words of a search may mean, at most so many; whole is unset
// where it had no time to look at everything.
type Suggester func(ctx context.Context, r *http.Request, text string, limit int) (list []Suggestion, whole bool,
	err error)

// Suggest answers GET /profiles/{id}/suggest: names that have all words of q.
func (s *Site) Suggest(find Suggester) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v := NewValues(r.URL.Query(), SuggestKeys)
		p, text := v.Listing(), v.Words("q")
		if v.Err != nil {
			return v.Err
		}
		return s.ListTable(w, r, p, "-suggestions", func(ctx context.Context, o table.Options, _ bool) (table.Table, error) {
			var list []Suggestion
			around := whole{true}
			if text != "" {
				others, err := s.found(ctx, r, text)
				if err != nil {
					return nil, err
				}
				if list, around.Complete, err = find(ctx, r, text, maxSuggestions-len(others)); err != nil {
					return nil, err
				}
				list = append(list, others...)
				for i := range list {
					f := &list[i]
					_, linkage := names.Split(f.PGO)
					f.Name = cmp.Or(f.Name, s.Names.Demangle(linkage, names.Full))
					f.Path = cmp.Or(f.Path, "/functions/"+f.FID)
				}
			}
			within := suggestions.Within(table.Set{Rows: list, Around: &around})
			return suggestions.Open(func(ctx context.Context, q table.Query) (table.Page, error) {
				page, err := within(ctx, q)
				if !around.Complete {
					page.Searched = &table.Progress{}
				}
				return page, err
			}, table.Query{}, o, false), nil
		})
	}
}

// found is what families other than the first find, a few of each.
func (s *Site) found(ctx context.Context, r *http.Request, text string) ([]Suggestion, error) {
	const most = 3
	var list []Suggestion
	p := s.Profile(r)
	for _, f := range s.familiesOf(p.Overview.Info.Families) {
		if f.Finds == nil {
			continue
		}
		more, err := f.Finds(ctx, p, text, most)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}
