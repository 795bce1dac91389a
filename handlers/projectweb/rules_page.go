package projectweb

import (
	"net/http"

	"proflens/builds/gate"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/projectview"
)

// rulesExample is what an empty field shows.
const rulesExample = `[gate]
min_overlap = 95
min_total_ratio = 0.8
max_hot_lost = 0

[coverage]
exclude = ["markers"]
`

// rulesPage is GET /projects/{project}/rules.
func (s *Handler) rulesPage(w http.ResponseWriter, r *http.Request) error {
	h, err := s.historyOf(r)
	if err != nil {
		return err
	}
	text, updated, err := h.store.Rules(r.Context(), h.project)
	if err != nil {
		return err
	}
	m := projectview.Rules{
		Text: text, Action: projectpath.Of(h.project, "rules"), NeedsToken: s.AsksForToken(r), Example: rulesExample,
		File: gate.FileName,
	}
	if text != "" {
		at := humanize.Exactly(updated)
		m.Updated, m.Raw = &at, apiOf(h.project, "rules")
		if _, err := gate.Parse([]byte(text)); err != nil {
			m.Fault = err.Error()
		}
	}
	site.NoStore(w)
	return s.Render(w, r, views.Page(s.shell(r, h, rulesTab, rulesTab), projectview.RulesMain(m)))
}
