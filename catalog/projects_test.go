package catalog

import (
	"errors"
	"fmt"
	"testing"

	"proflens/catalog/projects"
)

func TestProjects(t *testing.T) {
	s := openStore(t, t.TempDir())
	add := func(content, project string, visibility Visibility, labels ...string) string {
		id := take(t, s, "a", content, func(p *NewProfile) {
			p.Project, p.Visibility, p.Labels = project, visibility, map[string]string{}
			for i := 0; i < len(labels); i += 2 {
				p.Labels[labels[i]] = labels[i+1]
			}
		}).Entry.ID
		makeReady(t, s)
		return id
	}
	one := add("1", "tree", Listed, "branch", "main", "commit", "a")
	two := add("2", "tree", Listed, "branch", "main", "commit", "b")
	add("3", "tree", Listed, "branch", "next")
	add("4", "tree", Unlisted, "branch", "secret")
	add("5", "bush", Listed)
	take(t, s, "a", "6", func(p *NewProfile) { p.Project, p.Visibility = "not ready", Listed })

	all := s.Projects()
	if got, err := all.Projects(t.Context(), 10); err != nil || len(got) != 2 || got[0].Value != "bush" ||
		got[1].Profiles != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := all.Branches(t.Context(), "tree", 10); err != nil || len(got) != 2 ||
		got[0].Value != "next" || got[1].Profiles != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	main, err := all.Profiles(t.Context(), projects.Query{
		Project: "tree", Labels: map[string]string{"branch": "main"}, Limit: 10,
	})
	if err != nil || len(main) != 2 || main[0].ID != two || main[1].Labels["commit"] != "a" {
		t.Fatalf("%+v, %v", main, err)
	}
	if got, err := all.Unmeasured(t.Context(), 1, 10); err != nil || len(got) != 4 {
		t.Errorf("%d to measure, %v", len(got), err)
	}

	// Figures are of the tables that they were measured of, and of a version of the measures.
	record := func(p, base *projects.Profile) {
		t.Helper()
		if err := all.Record(t.Context(), p, &projects.Record{Base: base, Version: 1,
			Figures: []byte(`{"x":{"n":1}}`)}); err != nil {
			t.Fatal(err)
		}
	}
	record(&main[0], nil)
	record(&main[0], nil)
	record(&main[0], &main[1])
	measured := func(version int) string {
		t.Helper()
		got, err := all.Measured(t.Context(), main, version)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(len(got), string(got[projects.Pair{Profile: two, Base: one}]))
	}
	if got := measured(1) + measured(2); got != `2{"x":{"n":1}}0` {
		t.Errorf("measured: %s", got)
	}
	if _, err := s.AddFiles(t.Context(), one, []NewFile{stage(t, s, "more", "7")}); err != nil {
		t.Fatal(err)
	}
	makeReady(t, s) // the one that was not
	makeReady(t, s)
	record(&main[0], &main[1]) // of tables that are gone by now
	if got := measured(1); got != "1" {
		t.Errorf("after other tables: %s", got)
	}
	// Rules that count otherwise, and sources, have them measured again.
	if err := all.SetRules(t.Context(), "tree", "[coverage]", true); err != nil {
		t.Fatal(err)
	}
	if got := measured(1); got != "0" {
		t.Errorf("after other rules: %s", got)
	}
	again := func() {
		t.Helper()
		record(&main[0], nil) // as it was before
		if got := measured(1); got != "0" {
			t.Errorf("what was measured of it before is kept: %s", got)
		}
		q := projects.Query{Project: "tree", Labels: map[string]string{"branch": "main"}, Limit: 1}
		if main, err = all.Profiles(t.Context(), q); err != nil || main[0].ID != two {
			t.Fatalf("%+v, %v", main, err)
		}
		if record(&main[0], nil); measured(1) != "1" {
			t.Errorf("measured again: %s", measured(1))
		}
	}
	again()
	labels := map[string]string{"branch": "main", "coverage_exclude": "macros"}
	if err := s.Rename(t.Context(), two, Naming{"b", "tree", labels}); err != nil {
		t.Fatal(err)
	}
	if got := measured(1); got != "0" {
		t.Errorf("after another label: %s", got)
	}
	again()
	if err := s.SetSources(t.Context(), two, nil); err != nil {
		t.Fatal(err)
	}
	if got := measured(1); got != "0" {
		t.Errorf("after other sources: %s", got)
	}
	if err := s.Delete(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	record(&main[0], nil)
	if got := measured(1); got != "0" {
		t.Errorf("after it was deleted: %s", got)
	}
}

// A profile without a project is measured where a label has it counted otherwise.
func TestUnmeasuredByLabel(t *testing.T) {
	s := openStore(t, t.TempDir())
	for i, label := range []string{"exclude", "branch"} {
		take(t, s, "a", fmt.Sprint(i), func(p *NewProfile) {
			p.Visibility, p.Labels = Listed, map[string]string{label: "x"}
		})
		makeReady(t, s)
	}
	all := s.Projects()
	for labels, want := range map[string]int{"exclude": 1, "other": 0} {
		got, err := all.Unmeasured(t.Context(), 1, 10, "without", labels)
		if err != nil || len(got) != want {
			t.Fatalf("%s: %+v, %v", labels, got, err)
		}
		for i := range got {
			if err := all.Record(t.Context(), &got[i], &projects.Record{Version: 1, HeadPart: 1, HeadWhole: 2}); err != nil {
				t.Fatal(err)
			}
			e, err := s.Entry(t.Context(), got[i].ID)
			if again, _ := all.Unmeasured(t.Context(), 1, 10, labels); err != nil || len(again) > 0 || e.HeadWhole != 2 {
				t.Errorf("%d to measure again, %+v, %v", len(again), e, err)
			}
		}
	}
}

func TestRulesOfAProject(t *testing.T) {
	s := openStore(t, t.TempDir())
	for _, want := range []string{"", "[gate]\nmin_overlap = 90\n", "[gate]\n", ""} {
		if err := s.Projects().SetRules(t.Context(), "a/b", want, false); err != nil {
			t.Fatal(err)
		}
		if got, _, err := s.Projects().Rules(t.Context(), "a/b"); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}

func TestDismissedSteps(t *testing.T) {
	s := openStore(t, t.TempDir()).Projects()
	one, two := projects.Step{"main", "", "size", "c1"}, projects.Step{"main", "load", "size", "c1"}
	for i, c := range []struct {
		project   string
		step      projects.Step
		dismissed bool
		want      int
	}{
		{"app", one, true, 1}, {"app", one, true, 1}, {"app", two, true, 2}, {"other", two, false, 2},
		{"app", one, false, 1}, {"app", one, false, 1}, {"app", two, false, 0},
	} {
		if err := s.Dismiss(t.Context(), c.project, c.step, c.dismissed); err != nil {
			t.Fatal(err)
		}
		found, err := s.Dismissed(t.Context(), "app")
		if err != nil || len(found) != c.want || c.project == "app" && found[c.step] != c.dismissed {
			t.Errorf("%d: %v, %v", i, found, err)
		}
	}
}

// What a query selects has another version after every change of it, and after no other.
func TestVersionOfAProject(t *testing.T) {
	s := openStore(t, t.TempDir())
	last := ""
	changed := func(what string, want bool) {
		t.Helper()
		version, err := s.Projects().Version(t.Context(), projects.Query{Project: "tree", Limit: 2})
		if err != nil || (version != last) != want {
			t.Errorf("%s: version %q after %q, %v", what, version, last, err)
		}
		last = version
	}
	add := func(content, project string, visibility Visibility) string {
		return take(t, s, "a", content, func(p *NewProfile) { p.Project, p.Visibility = project, visibility }).Entry.ID
	}
	changed("none", true)
	one := add("1", "tree", Listed)
	changed("one that is not ready", false)
	makeReady(t, s)
	changed("one", true)
	two, three := add("2", "tree", Listed), add("3", "bush", Listed)
	makeReady(t, s)
	changed("two", true)
	makeReady(t, s)
	add("4", "tree", Unlisted)
	makeReady(t, s)
	changed("others", false)
	for i, id := range []string{two, three} {
		if err := s.Rename(t.Context(), id, Naming{"b", "tree", map[string]string{"branch": "next"}}); err != nil {
			t.Fatal(err)
		}
		changed([]string{"another branch", "another project"}[i], true)
	}
	if err := s.Delete(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	changed("the third", false)
	if err := s.Delete(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	changed("the second", true)
}

// There is a project as long as a list has a profile of one.
func TestAnyProject(t *testing.T) {
	s := openStore(t, t.TempDir())
	any := func(want bool) {
		t.Helper()
		if some, err := s.Projects().Any(t.Context()); err != nil || some != want {
			t.Errorf("any: %v, %v", some, err)
		}
	}
	add := func(p NewProfile) string {
		return take(t, s, "a", "1", func(made *NewProfile) {
			made.Project, made.Visibility = p.Project, p.Visibility
		}).Entry.ID
	}
	add(NewProfile{Visibility: Listed})
	add(NewProfile{Visibility: Unlisted, Project: "hidden"})
	id := add(NewProfile{Visibility: Listed, Project: "tree"})
	any(false) // it is not ready
	for range 3 {
		makeReady(t, s)
	}
	any(true)
	if err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	any(false)
}

func TestRename(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := take(t, s, "a", "1", func(p *NewProfile) { p.Labels = map[string]string{"branch": "main", "x": "y"} }).Entry.ID
	if err := s.Rename(t.Context(), id, Naming{"b", "tree", map[string]string{"branch": "next"}}); err != nil {
		t.Fatal(err)
	}
	if e := entryOf(t, s, id); e.Name != "b" || e.Project != "tree" || fmt.Sprint(e.Labels) != "map[branch:next]" {
		t.Errorf("%+v", e)
	}
	if err := s.Rename(t.Context(), "aaaaaaaaaaaaaaaaaaaaaaaaaa", Naming{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("of none: %v", err)
	}
}
