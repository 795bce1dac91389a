package projectweb

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"proflens/builds"
	"proflens/catalog/projects"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/stored"
)

// How many profiles of a project its pages look at, the newest; and how many projects,
// branches and workloads there are to choose from.
const (
	maxProfiles = 10_000
	maxChoices  = 1000
)

// history is the builds of a project.
type history struct {
	project string
	store   *projects.Store
	*built
}

// built is what is made of all profiles of a project, and kept while these stay as they are.
type built struct {
	list     []*builds.Build // the oldest first
	byBranch []branch        // that with the newest build first
	named    map[string]int  // builds by their IDs
	cut      bool            // there may be older profiles
}

// noProject is the answer where nothing is listed under a name.
func noProject(project string) error {
	return &site.Absent{
		Title: "No such project", Detail: fmt.Sprintf("no listed profile is of a project %q; upload one with project=%s",
			humanize.Printable(project), url.QueryEscape(project)),
	}
}

// historyOf is the history of the project of an address.
func (s *Handler) historyOf(r *http.Request) (*history, error) {
	return s.history(r.Context(), part(r, "project"), nil)
}

// history reads the builds of a project, all or those of one branch. A project without a
// profile is *[site.Absent].
func (s *Handler) history(ctx context.Context, project string, labels map[string]string) (*history, error) {
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	q := projects.Query{Project: project, Labels: labels, Limit: maxProfiles}
	read := func() (*built, int64, error) {
		profiles, err := store.Profiles(ctx, q)
		return newBuilt(profiles), sizeOf(profiles), err
	}
	h := &history{project: project, store: store}
	if labels != nil {
		h.built, _, err = read()
		return h, err
	}
	version, err := store.Version(ctx, q)
	if err != nil {
		return nil, err
	}
	h.built, err = stored.CachedVersion(ctx, "project "+project, version, read)
	if err == nil && len(h.list) == 0 {
		err = noProject(project)
	}
	return h, err
}

func newBuilt(profiles []projects.Profile) *built {
	h := &built{list: builds.Of(profiles), named: map[string]int{}, cut: len(profiles) == maxProfiles}
	for _, b := range h.list {
		h.named[b.ID()]++
	}
	h.byBranch = branchesOf(h.list)
	return h
}

// sizeOf is about how many bytes profiles and their builds take in memory.
func sizeOf(profiles []projects.Profile) (size int64) {
	for i := range profiles {
		p := &profiles[i]
		size += 1024 + int64(len(p.ID)+len(p.Name)+len(p.Describe)+len(p.Total))
		for key, value := range p.Labels {
			size += 64 + int64(len(key)+len(value))
		}
	}
	return size
}

// branch is one of a project: its builds of all workloads, the oldest first.
type branch struct {
	name   string
	builds []*builds.Build
}

func (b *branch) latest() *builds.Build { return b.builds[len(b.builds)-1] }

// branchesOf groups builds by their branches.
func branchesOf(builds []*builds.Build) (list []branch) {
	at := map[string]int{}
	for _, b := range slices.Backward(builds) {
		i, ok := at[b.Branch]
		if !ok {
			i = len(list)
			at[b.Branch] = i
			list = append(list, branch{name: b.Branch})
		}
		list[i].builds = append(list[i].builds, b)
	}
	for i := range list {
		slices.Reverse(list[i].builds)
	}
	return list
}

// trunks are the usual names of the branch that others come from and go to.
var trunks = []string{"main", "master", "trunk"}

// choice is the branch and the workload that a request is about.
type choice struct {
	branch, workload    string
	branches, workloads []string // to choose from
	series              []*builds.Build
}

// choose reads branch= and workload=. Where they are not given it takes the trunk, else the
// branch of the newest build, and the workload of the newest build of that. A form without
// scripts sends the workload of the branch that was shown before.
func (h *history) choose(v *site.Values, form bool) choice {
	c := choice{branch: v.One("branch"), workload: v.One("workload")}
	for _, b := range h.byBranch {
		c.branches = append(c.branches, b.name)
	}
	if !v.Query.Has("branch") {
		c.branch = c.branches[0]
		for _, name := range slices.Backward(trunks) {
			if slices.Contains(c.branches, name) {
				c.branch = name
			}
		}
	} else if !slices.Contains(c.branches, c.branch) {
		v.Fail("branch", "no build of %s is of the branch %q", humanize.Printable(h.project), humanize.Printable(c.branch))
	}
	for _, b := range slices.Backward(h.list) {
		if b.Branch == c.branch && !slices.Contains(c.workloads, b.Workload) {
			c.workloads = append(c.workloads, b.Workload)
		}
	}
	other := form && v.Query.Has("branch") && !slices.Contains(c.workloads, c.workload)
	if len(c.workloads) > 0 && (other || !v.Query.Has("workload")) {
		c.workload = c.workloads[0]
	} else if v.Err == nil && !slices.Contains(c.workloads, c.workload) {
		v.Fail("workload", "no build of the branch ran the workload %q", humanize.Printable(c.workload))
	}
	c.series = builds.Series(h.list, c.branch, c.workload)
	return c
}

// query is an address about the same branch and workload, where they are not those that it
// would take anyhow.
func (c *choice) query(path string, pairs ...string) string {
	pairs = append([]string{"branch", c.branch}, pairs...)
	if len(c.workloads) > 1 {
		pairs = append(pairs, "!workload", c.workload)
	}
	if c.branch == "" && len(c.branches) > 1 {
		pairs[0] = "!branch"
	}
	return query(path, pairs...)
}

// before is the build of the series before one; nil for the first.
func before(series []*builds.Build, b *builds.Build) *builds.Build {
	if i := slices.Index(series, b); i > 0 {
		return series[i-1]
	}
	return nil
}

// pageOf is the page of a build, of its branch and workload where the commit was built on
// several.
func (h *history) pageOf(b *builds.Build) string {
	return h.addressOf(b, projectpath.Build(h.project, b.ID()))
}

// addressOf is an address about a build that has its commit in it.
func (h *history) addressOf(b *builds.Build, path string) string {
	if h.named[b.ID()] > 1 {
		return query(path, "!branch", b.Branch, "!workload", b.Workload)
	}
	return path
}
