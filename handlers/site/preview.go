package site

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/views/page"
	"proflens/views/picture"
)

// pictureName is the picture of a profile or a comparison, below its address.
const pictureName = "/card.png"

// preview is what a link to a page of the request's profile shows.
func (s *Site) preview(r *http.Request, title string) *page.Preview {
	e := s.Entry(r)
	_, facts := s.mainFacts(r)
	return newPreview(r, title, PageOf(e.ID)+pictureName, previewSays(s.kindOf(e), facts))
}

// ComparePreview is what a link to a comparison shows; says is its sentence.
func (s *Site) ComparePreview(r *http.Request, c *Comparing, title, says string) *page.Preview {
	return newPreview(r, title, c.At(pictureName).String(), says)
}

func newPreview(r *http.Request, title, picture, says string) *page.Preview {
	origin := Origin(r)
	return &page.Preview{
		URL: origin + r.URL.RequestURI(), Image: origin + picture, Title: title,
		Says: strings.ReplaceAll(says, humanize.NumberSpace, " "),
		Seen: strings.ReplaceAll(title+". "+says, humanize.NumberSpace, " "),
	}
}

// mainFacts are the figures of the opened profile, of the first of its families that
// can be read; none before it has tables.
func (s *Site) mainFacts(r *http.Request) (*Family, page.Facts) {
	if p, _ := r.Context().Value(ProfileKey).(*stored.Profile); p != nil {
		for _, f := range s.leading(s.Entry(r)) {
			if facts, err := f.facts(r.Context(), p); err == nil {
				return f, facts
			}
		}
	}
	return nil, nil
}

// leading are a profile's families, those that lead first.
func (s *Site) leading(e *catalog.Entry) []*Family { return leadFirst(s.familiesIn(e.Families)) }

func leadFirst(list []*Family) []*Family {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Family) int {
		switch {
		case a.Leads == b.Leads:
			return 0
		case a.Leads:
			return -1
		}
		return 1
	})
	return list
}

// previewSays puts figures into a sentence.
func previewSays(kind string, facts page.Facts) string {
	var list []string
	for _, f := range facts {
		list = append(list, humanize.Things(f.Value, cmp.Or(f.One, lowerFirst(f.Term)), lowerFirst(f.Term)))
	}
	if list == nil {
		return kind + "."
	}
	return kind + ": " + strings.Join(list, ", ") + "."
}

// lowerFirst is a label within a sentence.
func lowerFirst(label string) string {
	if label == "" {
		return ""
	}
	return strings.ToLower(label[:1]) + label[1:]
}

// kindOf is what a profile measures, and its format.
func (s *Site) kindOf(e *catalog.Entry) string {
	format, variant := formatWords(e.Describe)
	var list []string
	if families := s.leading(e); len(families) > 0 {
		list = append(list, families[0].Measures)
	}
	for _, word := range []string{format, variant} {
		if word != "" {
			list = append(list, humanize.Printable(word))
		}
	}
	if list == nil {
		return "A profile"
	}
	return strings.Join(list, " · ")
}

// Card is the picture of the request's profile, as far as it is known.
func (s *Site) Card(r *http.Request) (picture.Card, error) {
	e := s.Entry(r)
	c := picture.Card{Title: humanize.Printable(e.Name), Kind: s.kindOf(e), Says: cardSays(e)}
	f, facts := s.mainFacts(r)
	if f == nil {
		return c, nil
	}
	if c.Facts = facts; f.Chart == nil {
		return c, nil
	}
	ctx := s.RequestContext(r)
	chart, err := f.Chart(ctx, s.Profile(r))
	c.Chart = chart
	return c, err
}

// cardSays is what its owner says of a profile, or why it cannot be read.
func cardSays(e *catalog.Entry) string {
	if e.State != catalog.Ready {
		return stateTag(e).Text
	}
	var list []string
	if e.Project != "" {
		list = append(list, e.Project)
	}
	for _, key := range SortedKeys(e.Labels) {
		list = append(list, key+"="+e.Labels[key])
	}
	return strings.Join(list, " · ")
}
