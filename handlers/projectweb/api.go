package projectweb

import (
	"net/http"
	"slices"

	"proflens/builds"
	"proflens/handlers/site"
	"proflens/profile/table"
)

// getProjects is GET /api/v1/projects.
func (s *Handler) getProjects(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), projectsKeys)
	limit := v.Number("limit", 1, maxChoices, maxChoices)
	if v.Err != nil {
		return v.Err
	}
	store, err := s.store()
	if err != nil {
		return err
	}
	groups, err := store.Projects(r.Context(), maxChoices)
	if err != nil {
		return err
	}
	var items []projectObject
	for _, g := range groups[:min(limit, len(groups))] {
		items = append(items, projectObject{
			Project: g.Value, Profiles: g.Profiles, Newest: g.Newest.UTC(), Links: s.projectLinks(g.Value),
		})
	}
	return site.WriteJSON(w, listOf(items, len(groups)))
}

// getProject is GET /api/v1/projects/{project}.
func (s *Handler) getProject(w http.ResponseWriter, r *http.Request) error {
	h, err := s.historyOf(r)
	if err != nil {
		return err
	}
	o := detailObject{h.project, len(h.list), []branchObject{}, s.projectLinks(h.project)}
	for _, b := range h.byBranch {
		o.Branches = append(o.Branches, branchObject{b.name, len(b.builds), s.buildObject(h.project, b.latest())})
	}
	return site.WriteJSON(w, o)
}

// getBuilds is GET /api/v1/projects/{project}/builds?branch=&workload=&q=&limit=&format=, the newest
// first.
func (s *Handler) getBuilds(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), buildsKeys)
	text, format := v.Words("q"), wanted(v, r)
	limit := v.Number("limit", 1, site.MaxLimit, site.DefaultLimit)
	if format == table.FormatCSV && v.One("limit") == "" {
		limit = maxProfiles
	}
	if v.Err != nil {
		return v.Err
	}
	h, err := s.historyOf(r)
	if err != nil {
		return err
	}
	var items []buildObject
	total := 0
	for _, b := range slices.Backward(h.list) {
		if v.Query.Has("branch") && b.Branch != v.One("branch") || v.Query.Has("workload") &&
			b.Workload != v.One("workload") || !matches(b, text) {
			continue
		}
		if total++; total <= limit {
			items = append(items, s.buildObject(h.project, b))
		}
	}
	site.NoStore(w)
	w.Header().Add("Vary", "Accept")
	if format == table.FormatCSV {
		return writeCSV(r.Context(), w, buildRows, items, fileName(h.project, "builds"))
	}
	return site.WriteJSON(w, listOf(items, total))
}

// wanted is JSON or CSV: what format= says, else what Accept likes.
func wanted(v *site.Values, r *http.Request) table.Format {
	format := site.Choice(v, "format", "", table.FormatJSON, table.FormatCSV)
	if format == "" && site.Accepted(r, "application/json", "text/csv") == "text/csv" {
		return table.FormatCSV
	}
	return format
}

// getBuild is GET /api/v1/projects/{project}/builds/{commit}.
func (s *Handler) getBuild(w http.ResponseWriter, r *http.Request) error {
	h, b, err := s.build(r)
	if err != nil {
		return err
	}
	o := s.buildObject(h.project, b)
	series := builds.Series(h.list, b.Branch, b.Workload)
	figures, err := s.measurer.Figures(r.Context(), builds.Near(series, b))
	if err != nil {
		return err
	}
	state := figures.Build(series, b)
	o.Figures = &figuresObject{Own: state.Own, Between: state.Between, Pending: state.Pending}
	if last := before(series, b); last != nil {
		o.Figures.Before = last.ID()
	}
	return site.WriteJSON(w, o)
}

// build is the one of the address, which takes branch= and workload= where a commit was
// built on several.
func (s *Handler) build(r *http.Request) (*history, *builds.Build, error) {
	v := site.NewValues(r.URL.Query(), buildKeys)
	if v.Err != nil {
		return nil, nil, v.Err
	}
	return s.buildOf(r, v)
}

func (s *Handler) buildOf(r *http.Request, v *site.Values) (*history, *builds.Build, error) {
	h, err := s.historyOf(r)
	if err != nil {
		return nil, nil, err
	}
	among := slices.DeleteFunc(slices.Clone(h.list), func(b *builds.Build) bool {
		return v.Query.Has("branch") && b.Branch != v.One("branch") || v.Query.Has("workload") &&
			b.Workload != v.One("workload")
	})
	b := builds.Find(among, part(r, "commit"))
	if v.Err != nil {
		return nil, nil, v.Err
	}
	if b == nil {
		return nil, nil, noBuild(h.project, "of the commit "+part(r, "commit"))
	}
	return h, b, nil
}
