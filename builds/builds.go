// Package builds follows the builds of a project over time: it groups profiles into
// builds, draws a measure of theirs into a trend, and finds the steps in it.
package builds

import (
	"cmp"
	"slices"
	"time"

	"proflens/catalog/projects"
	"proflens/decode/model"
)

// Build is what a project has of one commit, on a branch, under a workload. A profile
// without a commit is a build of its own.
type Build struct {
	Branch, Workload, Commit, Subject string
	At                                time.Time           // of the commit where it is known, else of its first profile
	Profiles                          []*projects.Profile // the newest first
}

// Of is the newest profile of a build that has a family; nil for none.
func (b *Build) Of(f model.Family) *projects.Profile {
	for _, p := range b.Profiles {
		if slices.Contains(p.Families, f) {
			return p
		}
	}
	return nil
}

// Families are those that the build's profiles have, in the order in which these came.
func (b *Build) Families() (list []model.Family) {
	for _, p := range slices.Backward(b.Profiles) {
		for _, f := range p.Families {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// ID names a build in addresses: its commit or, where it has none, its profile.
func (b *Build) ID() string { return cmp.Or(b.Commit, b.Profiles[0].ID) }

// Of groups profiles, the newest first, into builds, the oldest first.
func Of(profiles []projects.Profile) []*Build {
	type key struct{ branch, workload, commit, id string }
	var list []*Build
	found := map[key]*Build{}
	for i := range profiles {
		p := &profiles[i]
		k := key{branch: p.Labels[projects.Branch], workload: p.Labels[projects.Workload], commit: p.Labels[projects.Commit]}
		if k.commit == "" {
			k.id = p.ID
		}
		b := found[k]
		if b == nil {
			b = &Build{Branch: k.branch, Workload: k.workload, Commit: k.commit}
			found[k] = b
			list = append(list, b)
		}
		b.Profiles = append(b.Profiles, p)
		b.At = p.Created
	}
	for _, b := range list {
		for _, p := range b.Profiles {
			b.Subject = cmp.Or(b.Subject, p.Labels[projects.Subject])
		}
		b.At = b.dated()
	}
	slices.SortStableFunc(list, func(a, b *Build) int {
		return cmp.Or(a.At.Compare(b.At),
			a.Profiles[len(a.Profiles)-1].Created.Compare(b.Profiles[len(b.Profiles)-1].Created))
	})
	return list
}

// dated is when the commit was made, else when the first profile of it came.
func (b *Build) dated() time.Time {
	for _, p := range b.Profiles {
		if at, err := time.Parse(time.RFC3339, p.Labels[projects.Date]); err == nil {
			return at
		}
	}
	return b.At
}

// Find is the newest build of a commit, by its whole name or at least the first four
// characters of it, or of a profile's ID; nil for none.
func Find(list []*Build, id string) *Build {
	for _, b := range slices.Backward(list) {
		if b.ID() == id || len(id) >= shortest && len(b.Commit) > len(id) && b.Commit[:len(id)] == id {
			return b
		}
		if b.Commit == "" {
			continue
		}
		for _, p := range b.Profiles {
			if p.ID == id {
				return b
			}
		}
	}
	return nil
}

// shortest is how much of a commit names it at least.
const shortest = 4

// Series is the builds of one branch and workload, the oldest first, of builds in that order.
func Series(list []*Build, branch, workload string) []*Build {
	return slices.DeleteFunc(slices.Clone(list), func(b *Build) bool {
		return b.Branch != branch || b.Workload != workload
	})
}
