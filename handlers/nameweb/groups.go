package nameweb

import (
	"context"
	"net/http"
	"slices"
	"time"

	"proflens/catalog"
	"proflens/catalog/projects"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// MaxGroups is how many groups of profiles a list has, those with the newest first.
const MaxGroups = 500

// groupings are the ways in which the home page groups profiles.
var groupings = []struct{ key, label string }{
	{"project", "By project"}, {projects.Branch, "By branch"}, {projects.Commit, "By commit"},
	{projects.Workload, "By workload"},
}

// Objects are the structs of its objects by the names that the API's document has.
var Objects = map[string]any{"ProfileGroups": groupsObject{}, "Naming": namingBody{}}

// groupsObject are the groups of all profiles.
type groupsObject struct {
	Items []groupObject `json:"items" doc:"The group with the newest profile first, at most 500."`
}

// groupObject is profiles that have a project, or the value of a label, in common.
type groupObject struct {
	Value    string            `json:"value" doc:"The project, or the label's value."`
	Profiles int               `json:"profiles"`
	Newest   time.Time         `json:"newest"` // when it came
	Links    map[string]string `json:"links"`
}

// ListGroups is GET /profiles?group=project, or another label's key.
func (s *Handler) ListGroups(ctx context.Context, w http.ResponseWriter, r *http.Request, q catalog.ListQuery,
	by string) error {
	groups, err := s.Store.Groups(ctx, q, by, MaxGroups)
	if err != nil {
		return err
	}
	list := groupsObject{Items: []groupObject{}}
	for _, g := range groups {
		list.Items = append(list.Items, groupObject{g.Value, g.Profiles, g.Newest.UTC(), map[string]string{
			"profiles": s.BasePath + inGroup(site.AddressOf(r.URL), by, g.Value).String(),
		}})
	}
	return site.WriteJSON(w, list)
}

// inGroup is the list of a group's profiles.
func inGroup(at site.Address, by, value string) site.Address {
	at = at.Without("group", "cursor", "limit")
	if slices.ContainsFunc(groupings, func(g struct{ key, label string }) bool { return g.key == by }) {
		return at.With(by, value)
	}
	at.Query.Add("label", by+"="+value)
	return at
}

// GroupedBy is the choice between ways to group the list.
func GroupedBy(at site.Address, group string) []page.Segment {
	ways := []site.Way{{"", "One by one", ""}}
	for _, g := range groupings {
		ways = append(ways, site.Way{g.key, g.label, ""})
	}
	return at.Without("cursor").Ways("group", "", group, ways)
}

// GroupRows are the groups of the list on the home page.
func GroupRows(at site.Address, by string, groups []projects.Group, now time.Time) []page.GroupRow {
	rows := make([]page.GroupRow, len(groups))
	for i, g := range groups {
		rows[i] = page.GroupRow{
			Value: humanize.Printable(g.Value), URL: inGroup(at, by, g.Value).String(),
			Profiles: humanize.Plural(g.Profiles, "profile"), Newest: humanize.Ago(g.Newest, now),
		}
	}
	return rows
}
