package site

import (
	"context"
	"net/http"
	"slices"
	"time"

	"proflens/profile/table"
	"proflens/tables"
)

const (
	// maxSuggestions are offered while somebody types.
	maxSuggestions = 10
	// SuggestTime is how long names are looked at for that.
	SuggestTime = 150 * time.Millisecond
)

// SuggestKeys are the parameters of suggestions.
var SuggestKeys = slices.Concat([]string{"q"}, ListingKeys)

// Suggester finds what the words of a search may mean, at most so many; whole is unset
// where it had no time to look at everything.
type Suggester func(ctx context.Context, r *http.Request, text string, limit int) (list []tables.Suggestion,
	whole bool, err error)

// Suggest answers GET /profiles/{id}/suggest: names that have all words of q.
func (s *Site) Suggest(find Suggester) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := NewValues(r.URL.Query(), SuggestKeys)
		if err != nil {
			return err
		}
		p, text := v.Listing(), v.Words("q")
		if v.Err != nil {
			return v.Err
		}
		return s.ListTable(w, r, p, "-suggestions", func(ctx context.Context, o table.Options, _ bool) (table.Table, error) {
			if text == "" {
				return tables.Suggestions(nil, true, o), nil
			}
			others, err := s.found(ctx, r, text)
			if err != nil {
				return nil, err
			}
			list, whole, err := find(ctx, r, text, maxSuggestions-len(others))
			return tables.Suggestions(append(list, others...), whole, o), err
		})
	}
}

// found is what families other than the first find, a few of each.
func (s *Site) found(ctx context.Context, r *http.Request, text string) ([]tables.Suggestion, error) {
	const most = 3
	var list []tables.Suggestion
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
