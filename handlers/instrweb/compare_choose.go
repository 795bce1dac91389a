package instrweb

import (
	"net/http"
	"time"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/say"
	"proflens/views/instrview"
)

// choosePage is GET /compare?base=&test=, both ids or links: it leads to the
// comparison, or asks for what is missing.
func (s *room) choosePage(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), []string{"base", "test"})
	if err != nil {
		return err
	}
	given := instrview.Choose{Base: v.One("base"), Test: v.One("test")}
	if v.Err != nil {
		return v.Err
	}
	ids := map[string]string{}
	for _, text := range []string{given.Base, given.Test} {
		if text == "" {
			continue
		}
		if ids[text], err = comparedID(text); err != nil {
			given.Fault = site.Sentence(say.Printable(err.Error())) + "."
		}
	}
	base, test := ids[given.Base], ids[given.Test]
	if base != "" && test != "" {
		http.Redirect(w, r, compareURL(base, test), http.StatusSeeOther)
		return nil
	}
	if given.BaseID = base; base != "" {
		if err := s.choices(r, &given); err != nil {
			return err
		}
	}
	status := http.StatusOK
	if given.Fault != "" {
		status = http.StatusBadRequest
	}
	w.Header().Set("Cache-Control", "no-store") // lists what is there just now
	return s.Render(w, r, status, instrview.ChoosePage(s.Shell(r, "Compare"), given))
}

// choices are the listed profiles that the base can be compared with.
func (s *room) choices(r *http.Request, c *instrview.Choose) error {
	e, err := s.Store.Entry(r.Context(), c.BaseID)
	if err != nil {
		return err
	}
	c.BaseName = say.Printable(e.Name)
	list, err := s.Store.List(r.Context(), catalog.ListQuery{Kind: string(instrprof.Family)})
	if err != nil {
		return err
	}
	c.More = list.NextCursor != ""
	now := time.Now()
	for i := range list.Items {
		e := &list.Items[i]
		if e.ID == c.BaseID || e.State != catalog.Ready || !s.CanCompare(e) {
			continue
		}
		row := s.ProfileRow(e, now)
		c.Rows = append(c.Rows, instrview.ChooseRow{Name: row.Name, URL: compareURL(c.BaseID, e.ID), Format: e.Describe, Digest: row.Digest, Added: row.Added})
	}
	return nil
}
