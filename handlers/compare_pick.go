package handlers

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
)

// pickLimit is how many profiles a picker offers of the same program, and of others.
const pickLimit = 200

var relationWords = map[catalog.Relation]string{
	catalog.SameBuild: "same build", catalog.SameCommit: "same commit", catalog.SameProject: "same project",
	catalog.SameName: "same name",
}

// choosePage is GET /compare?base=&test=, both ids or links: it leads to the
// comparison, or asks for what is missing. With id=&id=, as the list of profiles sends
// what was chosen in it, the older one is A.
func (s *server) choosePage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"base", "test", "id"})
	if v.Err != nil {
		return v.Err
	}
	if ids := v.List("id"); len(ids) > 0 {
		return s.compareChosen(w, r, ids)
	}
	sides := [2]page.Picker{
		{Letter: "A", Field: "base", Given: v.One("base")}, {Letter: "B", Field: "test", Given: v.One("test")},
	}
	if v.Err != nil {
		return v.Err
	}
	var chosen [2]*catalog.Entry
	fault := false
	for i := range sides {
		if sides[i].Given == "" {
			continue
		}
		id, err := comparedID(sides[i].Given)
		if err != nil {
			sides[i].Fault, fault = site.Sentence(humanize.Printable(err.Error())), true
			continue
		}
		if chosen[i], err = s.Store.Entry(r.Context(), id); err != nil {
			return err
		}
	}
	if chosen[0] != nil && chosen[1] != nil {
		return site.SeeOther(w, r, site.CompareURL(chosen[0].ID, chosen[1].ID))
	}
	list, err := s.Store.List(r.Context(), catalog.ListQuery{Limit: pickLimit})
	if err != nil {
		return err
	}
	for i := range sides {
		s.chosen(&sides[i], chosen[i])
		err := s.groups(r.Context(), &sides[i], chosen[i], chosen[1-i], list, func(id string) string {
			a := site.NewAddress("/compare")
			if other := chosen[1-i]; other != nil {
				ids := [2]string{id, id}
				ids[1-i] = other.ID
				return site.CompareURL(ids[0], ids[1])
			}
			return a.With(sides[i].Field, id).String()
		})
		if err != nil {
			return err
		}
		if other := chosen[1-i]; other != nil {
			sides[i].Other, sides[i].Keep = other.ID, []page.Hidden{{Name: sides[1-i].Field, Value: other.ID}}
		}
	}
	status := http.StatusOK
	if fault {
		status = http.StatusBadRequest
	}
	site.NoStore(w) // lists what is there just now
	return s.RenderStatus(w, r, status, views.ChoosePage(s.Shell(r, "Compare"), sides[0], sides[1]))
}

// compareChosen leads to the comparison of two profiles; the answers to any other
// number and to such as have nothing in common say why.
func (s *server) compareChosen(w http.ResponseWriter, r *http.Request, ids []string) error {
	if len(ids) != 2 {
		return &site.ParamError{
			Param: "id", Msg: humanize.Say("choose two profiles to compare; {is|are} chosen", len(ids)),
		}
	}
	var sides [2]*catalog.Entry
	for i, id := range ids {
		var err error
		if sides[i], err = s.Store.Entry(r.Context(), id); err != nil {
			return err
		}
	}
	if sides[0].Created.After(sides[1].Created) {
		sides[0], sides[1] = sides[1], sides[0]
	}
	return site.SeeOther(w, r, site.CompareURL(sides[0].ID, sides[1].ID))
}

// pickers are both sides of a comparison, each with what can take its place.
func (s *server) pickers(ctx context.Context, c *site.Comparing) (a, b page.Picker, err error) {
	list, err := s.Store.List(ctx, catalog.ListQuery{Limit: pickLimit})
	if err != nil {
		return a, b, err
	}
	a = page.Picker{
		Letter: "A", Key: "a", Field: "base", Other: c.Test.ID, Keep: []page.Hidden{{Name: "test", Value: c.Test.ID}},
	}
	b = page.Picker{
		Letter: "B", Key: "b", Field: "test", Other: c.Base.ID, Keep: []page.Hidden{{Name: "base", Value: c.Base.ID}},
	}
	s.chosen(&a, c.Base.Entry)
	s.chosen(&b, c.Test.Entry)
	err = s.groups(ctx, &a, c.Base.Entry, c.Test.Entry, list, func(id string) string {
		return c.At("").Moved(site.CompareURL(id, c.Test.ID))
	})
	if err == nil {
		err = s.groups(ctx, &b, c.Test.Entry, c.Base.Entry, list, func(id string) string {
			return c.At("").Moved(site.CompareURL(c.Base.ID, id))
		})
	}
	return a, b, err
}

// chosen is the profile of a side.
func (s *server) chosen(p *page.Picker, e *catalog.Entry) {
	if e == nil {
		return
	}
	p.ID, p.Name, p.URL, p.Describe, p.Digest, p.Says = e.ID, humanize.Printable(e.Name), site.PageOf(e.ID),
		humanize.Printable(e.Describe), site.ShortDigest(e.Digest), comparedSays(s, e)
}

// groups are the listed profiles for a side, those of the same program as the other
// side first. Only those that can be compared with it are among them.
func (s *server) groups(ctx context.Context, p *page.Picker, current, other *catalog.Entry, list catalog.ListPage,
	link func(id string) string) error {
	p.More = list.NextCursor != ""
	now := time.Now()
	add := func(g *page.PickGroup, e *catalog.Entry, relation string) {
		fits := s.CanCompare(e)
		if other != nil {
			fits = e.ID != other.ID && len(s.ComparedFamilies(e, other)) > 0
		}
		if e.State != catalog.Ready || !fits {
			p.Apart += e.ID + " "
			return
		}
		row := page.Pick{
			Name: cmp.Or(humanize.Printable(e.Name), e.ID), URL: link(e.ID), Says: comparedSays(s, e),
			Digest: site.ShortDigest(e.Digest),
			Added:  humanize.Ago(e.Created, now), Current: current != nil && e.ID == current.ID,
		}
		if relation != "" {
			row.Says += ", " + relation
		}
		g.Rows = append(g.Rows, row)
	}
	same, rest := page.PickGroup{Label: "Same program"}, page.PickGroup{Label: "Others"}
	near := map[string]bool{}
	if other == nil {
		rest.Label = "Profiles"
	} else {
		relatives, err := s.Store.Relatives(ctx, other, pickLimit)
		if err != nil {
			return err
		}
		for i := range relatives {
			near[relatives[i].ID] = true
			add(&same, &relatives[i].Entry, relationWords[relatives[i].Relation])
		}
	}
	for i := range list.Items {
		if e := &list.Items[i]; !near[e.ID] {
			add(&rest, e, "")
		}
	}
	for _, g := range []page.PickGroup{same, rest} {
		if len(g.Rows) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	return nil
}

// comparedID reads what names a profile: its id, or a link to it, however long.
func comparedID(text string) (string, error) {
	text = strings.TrimSpace(text)
	id := text
	if u, err := url.Parse(text); err == nil && strings.Contains(text, "/") {
		id = ""
		for _, before := range []string{"/p/", "/api/v1/profiles/"} {
			if _, rest, found := strings.Cut(u.Path, before); found {
				id, _, _ = strings.Cut(rest, "/")
				break
			}
		}
	}
	if id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return "", fmt.Errorf("%q is neither a profile's ID nor a link to one", text)
	}
	return id, nil
}
