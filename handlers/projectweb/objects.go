package projectweb

import (
	"net/url"
	"strings"
	"time"

	"proflens/builds"
	"proflens/builds/measures"
	"proflens/catalog/projects"
	"proflens/decode/model"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/profile/table"
)

// list is the envelope of all lists.
type list[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next_cursor"`
	Total int     `json:"total"`
}

func listOf[T any](items []T, total int) list[T] {
	if items == nil {
		items = []T{}
	}
	return list[T]{Items: items, Total: total}
}

// Objects are the structs of its objects by the names that the API's document has.
var Objects = map[string]any{
	"Project": projectObject{}, "ProjectDetail": detailObject{}, "ProjectGate": gateObject{},
	"Build": buildObject{}, "TrendList": trendsObject{}, "Runs": runsObject{},
}

// objectsSay is what they are.
const objectsSay = `
	=projectweb.branchObject ProjectBranch: A branch and its newest build.
	=projectweb.buildObject Build: The profiles of a commit, on a branch, under a workload. A profile without a commit
	is a build of its own.
	=projectweb.detailObject ProjectDetail: A project and its branches.
	=projectweb.figuresObject BuildFigures: What was measured of a build, by the keys of measures.
	=projectweb.gateObject ProjectGate: What the rules of a project say of a build.
	=projectweb.pointObject TrendPoint: A build in a trend.
	=projectweb.profileObject BuildProfile: A profile of a build.
	=projectweb.projectObject Project: A project.
	=projectweb.runsObject Runs: What the runs of a family agree on.
	=projectweb.splitObject RunFunction: A function that runs disagree on.
	.classes: In each run; empty where it does not tell.
	=projectweb.trendObject Trend: A measure over builds.
	=projectweb.trendsObject TrendList: Measures over builds.`

// detailObject is one project.
type detailObject struct {
	Project  string            `json:"project"`
	Builds   int               `json:"builds"`
	Branches []branchObject    `json:"branches"` // that with the newest build first
	Links    map[string]string `json:"links" doc:"Paths on this server."`
}

// projectObject is a project in the list of all.
type projectObject struct {
	Project  string            `json:"project"`
	Profiles int               `json:"profiles"`
	Newest   time.Time         `json:"newest"` // when its newest profile came
	Links    map[string]string `json:"links" doc:"Paths on this server."`
}

// branchObject is a branch with its newest build.
type branchObject struct {
	Branch string      `json:"branch"`
	Builds int         `json:"builds"`
	Latest buildObject `json:"latest"`
}

// buildObject is a build.
type buildObject struct {
	Project  string            `json:"project"`
	Branch   string            `json:"branch" col:"branch"`
	Workload string            `json:"workload" col:"workload"`
	Commit   string            `json:"commit" col:"commit"`
	Subject  string            `json:"subject" col:"subject"`
	At       time.Time         `json:"at" doc:"Of the commit where it is known, else of its first profile."`
	_        table.Computed    `col:"at"`
	_        table.Computed    `col:"kinds"`
	Profiles []profileObject   `json:"profiles" doc:"The newest first."`
	_        table.Computed    `col:"profiles"` // their IDs
	Figures  *figuresObject    `json:"figures,omitempty"`
	Links    map[string]string `json:"links" doc:"Paths on this server."`
	of       *builds.Build
}

// buildRows are builds as CSV.
var buildRows = table.Declare[buildObject](table.Declaration{})

// Cell implements [table.Celler].
func (o *buildObject) Cell(column string, _ *table.Options) table.Cell {
	var words []string
	switch column {
	case "at":
		return table.Text(o.At.Format(time.RFC3339))
	case "kinds":
		for _, f := range o.of.Families() {
			words = append(words, string(f))
		}
	default:
		for i := range o.Profiles {
			words = append(words, o.Profiles[i].ID)
		}
	}
	return table.Text(strings.Join(words, " "))
}

// figuresObject is what was measured of a build, by the keys of measures.
type figuresObject struct {
	Own     measures.Set `json:"own"`
	Before  string       `json:"before" doc:"The build before; empty for the first."`
	Between measures.Set `json:"between"`
	Pending bool         `json:"pending" doc:"More is being measured."`
}

// profileObject is a profile of a build.
type profileObject struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Families []model.Family    `json:"families"`
	Created  time.Time         `json:"created"`
	Labels   map[string]string `json:"labels"`
	Links    map[string]string `json:"links" doc:"Paths on this server."`
}

func (s *Handler) projectLinks(project string) map[string]string {
	links := map[string]string{"self": s.BasePath + apiOf(project), "page": s.BasePath + projectpath.Of(project)}
	for _, word := range []string{"builds", "trends", "gate", "rules"} {
		links[word] = s.BasePath + apiOf(project, word)
	}
	return links
}

func (s *Handler) buildObject(project string, b *builds.Build) buildObject {
	id := url.PathEscape(b.ID())
	o := buildObject{
		Project: project, Branch: b.Branch, Workload: b.Workload, Commit: b.Commit, Subject: b.Subject, At: b.At.UTC(),
		of:       b,
		Profiles: make([]profileObject, len(b.Profiles)),
		Links: map[string]string{
			"self": s.BasePath + apiOf(project, "builds", id), "page": s.BasePath + projectpath.Build(project, b.ID()),
			"runs": s.BasePath + apiOf(project, "builds", id, "runs"), "project": s.BasePath + apiOf(project),
		},
	}
	for i, p := range b.Profiles {
		o.Profiles[i] = s.profileObject(p)
	}
	return o
}

func (s *Handler) profileObject(p *projects.Profile) profileObject {
	api := s.BasePath + site.APIOf(p.ID)
	return profileObject{
		ID: p.ID, Name: p.Name, Families: p.Families, Created: p.Created.UTC(), Labels: p.Labels,
		Links: map[string]string{"self": api, "page": s.BasePath + site.PageOf(p.ID), "original": api + "/original"},
	}
}
