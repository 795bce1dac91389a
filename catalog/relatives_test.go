package catalog

import (
	"slices"
	"testing"

	"proflens/catalog/projects"
	"proflens/profile/stored"
)

// Profiles of one program find each other: by build, commit, project, name; never an
// unlisted one, nor one that is gone.
func TestRelatives(t *testing.T) {
	s := openStore(t, t.TempDir())
	add := func(content string, p func(*NewProfile), builds ...string) string {
		id := take(t, s, "a", content, p).Entry.ID
		job := nextJob(t, s)
		build(t, s, job)
		f := stored.Figures{Total: "0"}
		for _, b := range builds {
			f.Builds = append(f.Builds, []byte(b))
		}
		if err := s.Finish(t.Context(), job, f, 1); err != nil {
			t.Fatal(err)
		}
		return id
	}
	as := func(name, project, commit string) func(*NewProfile) {
		return func(p *NewProfile) {
			p.Name, p.Project = name, project
			if commit != "" {
				p.Labels = map[string]string{projects.Commit: commit}
			}
		}
	}
	one := add("1", as("one", "p", "c1"), "b1", "b2")
	named := add("2", as("one", "q", "c1"))
	project := add("3", as("x", "p", "c2"))
	commit := add("4", as("y", "p", "c1"))
	same := add("5", as("z", "p", "c1"), "b2")
	add("6", func(p *NewProfile) { as("one", "p", "c1")(p); p.Visibility = Unlisted }, "b1")
	gone := add("7", as("one", "p", "c1"), "b1")
	if err := s.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	add("8", as("", "", ""))

	list, err := s.Relatives(t.Context(), entryOf(t, s, one), 10)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	var how []Relation
	for _, r := range list {
		ids, how = append(ids, r.ID), append(how, r.Relation)
	}
	if !slices.Equal(ids, []string{same, commit, project, named}) || !slices.Equal(how, []Relation{
		SameBuild, SameCommit, SameProject, SameName,
	}) {
		t.Errorf("%v, %v", ids, how)
	}
	if list, err = s.Relatives(t.Context(), entryOf(t, s, one), 2); err != nil || len(list) != 2 {
		t.Errorf("%d of at most 2, %v", len(list), err)
	}
	if list, err = s.Relatives(t.Context(), &Entry{ID: "nothing"}, 10); err != nil || len(list) != 0 {
		t.Errorf("a profile of no name and project has %d relatives, %v", len(list), err)
	}
}
