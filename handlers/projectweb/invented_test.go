package projectweb_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"proflens/builds/measures"
	"proflens/catalog"
	"proflens/catalog/projects"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers/webtest"
	"proflens/profile"
	"proflens/profile/stored"
)

// invented is a profile that nobody recorded, and what is said to have been measured of it.
type invented struct {
	project  string
	labels   map[string]string
	families []model.Family
	own      measures.Set // nil: not measured yet
	before   int          // the profile it is compared with, -1 for none
	between  measures.Set
}

// step is a series of one profile a build, on main: 76.2 % of lines are covered, from the
// build of that number on 73.4.
func step(project string, n, at int) []invented {
	list := make([]invented, n)
	for i := range list {
		covered := 762 + float64(i%3)
		if i >= at {
			covered -= 28
		}
		list[i] = invented{
			project: project, families: []model.Family{"instr", "coverage"}, before: i - 1,
			labels: map[string]string{
				"branch": "main", "commit": commit(i), "date": time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.RFC3339),
				"subject": fmt.Sprint("change ", i),
			},
			own: measures.Set{
				"coverage.coverage": {N: covered, Of: 1000}, "instr.total": {N: 5000, Exact: ""}, "instr.functions": {N: 40},
			},
			between: measures.Set{"instr.overlap": {N: 0.98, Of: 1}, "coverage.lines_lost": {N: 1}},
		}
	}
	return list
}

func commit(i int) string { return fmt.Sprintf("%08x%032x", uint32(i)*2654435761, i) }

// invent puts profiles into a server's catalog, and what was measured of them, and returns
// their IDs. Their tables have no records.
func invent(t testing.TB, l *webtest.Server, list []invented) (ids []string) {
	t.Helper()
	tables := emptyTables(t)
	made := make([]catalog.NewProfile, len(list))
	for i := range list {
		g, err := l.Catalog.Stage()
		if err == nil {
			_, err = fmt.Fprintf(g, "%s %d", list[i].project, i)
		}
		if err == nil {
			err = g.Seal()
		}
		if err != nil {
			t.Fatal(err)
		}
		made[i] = catalog.NewProfile{
			Name: fmt.Sprint("profile ", i), Project: list[i].project, Labels: list[i].labels, Visibility: catalog.Listed,
			Files: []catalog.NewFile{{Name: "a.profraw", Staged: g}},
		}
	}
	created, err := l.Catalog.Create(t.Context(), made)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		job, err := l.Catalog.NextJob(t.Context())
		if err != nil || job == nil || job.Entry.ID != created[i].Entry.ID {
			t.Fatalf("the job of profile %d: %+v, %v", i, job, err)
		}
		path, _ := l.Catalog.BuildPath(job)
		if err := os.WriteFile(path, tables, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := l.Catalog.Finish(t.Context(), job, stored.Figures{Families: list[i].families, Describe: "LLVM text, IR"},
			1); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, job.Entry.ID)
	}
	measured(t, l, list, ids)
	return ids
}

// measured keeps what is said to have been measured.
func measured(t testing.TB, l *webtest.Server, list []invented, ids []string) {
	t.Helper()
	store := l.Catalog.Projects()
	known := map[string]*projects.Profile{}
	for _, p := range list {
		profiles, err := store.Profiles(t.Context(), projects.Query{Project: p.project, Limit: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		for i := range profiles {
			known[profiles[i].ID] = &profiles[i]
		}
		if len(known) == len(list) {
			break
		}
	}
	record := func(p, base *projects.Profile, set measures.Set) {
		if set == nil {
			return
		}
		text, err := json.Marshal(set)
		if err == nil {
			err = store.Record(t.Context(), p, &projects.Record{Base: base, Version: measures.Version, Figures: text})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range list {
		p := known[ids[i]]
		record(p, nil, list[i].own)
		if list[i].before >= 0 {
			record(p, known[ids[list[i].before]], list[i].between)
		}
	}
}

// emptyTables is the file of a profile without records.
func emptyTables(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "empty.db")
	p := &format.Profile{Info: model.Info{Format: instrprof.FormatText, Families: []model.Family{instrprof.Family}}}
	p.Add(instrprof.Family, instrprof.NoRecords(&instrprof.Info{Variant: instrprof.IRProf}))
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: p}, nil); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
