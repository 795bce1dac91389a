package catalog

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"proflens/catalog/engine"
	"proflens/catalog/engine/pgtest"
)

// takeMany takes in profiles of all kinds: the even ones are ready, of projects and on branches.
func takeMany(t *testing.T, s *Catalog, n int) {
	t.Helper()
	var many []NewProfile
	for i := range n {
		p := NewProfile{Name: fmt.Sprintf("Nightly-%d 100%% a_b \"quoted\" é", i), Visibility: Listed, Describe: "LLVM text",
			Files: []NewFile{stage(t, s, fmt.Sprintf("file-%d.profraw", i), fmt.Sprint(i))}}
		if i%2 == 0 {
			p.Project = fmt.Sprintf("project-%d", i%3)
			p.Labels = map[string]string{"branch": fmt.Sprintf("b%d", i%4), "Commit": fmt.Sprintf("c%d", i)}
		}
		if i%5 == 4 {
			p.Visibility = Unlisted
		}
		many = append(many, p)
	}
	if _, err := s.Create(t.Context(), many); err != nil {
		t.Fatal(err)
	}
	for range n / 2 {
		makeReady(t, s)
	}
}

// Whatever is asked, a list has the profiles that a look at each of them finds, page by page,
// however far one page looks.
func TestListsFindWhatIsThere(t *testing.T) {
	s := openStore(t, t.TempDir())
	takeMany(t, s, 40)
	all, err := s.List(t.Context(), ListQuery{Limit: 500})
	if err != nil || len(all.Items) != 32 || all.Total != 32 {
		t.Fatalf("%d of %d, %v", len(all.Items), all.Total, err)
	}
	queries := []ListQuery{{}}
	for _, text := range []string{"nightly-1", "NIGHTLY", "y-3", "1", "-2", "zq", "%",
		"100%", "a_b", "\"quoted\"", "É", " é",
		"llvm t", "branch=b2", "commit=C4", "file-17.p", "nightly-39\x1f", "project-2", "no such thing",
		strings.Repeat("long", 50)} {
		queries = append(queries, ListQuery{Text: text})
	}
	for _, q := range slices.Clone(queries) {
		for _, kind := range []string{"", "instr", "mip"} {
			for _, project := range []string{"", "project-0", "none"} {
				for _, labels := range []map[string]string{nil, {"branch": "b2"}, {"branch": "b0", "Commit": "c4"}} {
					q.Kind, q.Project, q.Labels = kind, project, labels
					queries = append(queries, q)
				}
			}
		}
	}
	for _, limits := range []listLimits{usualLimits, {counted: 6, chosen: 4, scanned: 7}} {
		s.lists = limits
		for _, q := range queries {
			var want, got []string
			for i := range all.Items {
				if matches(&all.Items[i], &q) {
					want = append(want, all.Items[i].ID)
				}
			}
			q.Limit = 3
			for pages := 0; ; pages++ {
				page, err := s.List(t.Context(), q)
				if err != nil || pages > 40 {
					t.Fatalf("%+v: %v", q, err)
				}
				for i := range page.Items {
					got = append(got, page.Items[i].ID)
				}
				if page.Total > len(want) || !page.More && page.Total != len(want) {
					t.Errorf("%+v: %d match, of %d, more %v", q, page.Total, len(want), page.More)
				}
				if q.Cursor = page.NextCursor; q.Cursor == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v: %s", q, diff)
			}
		}
	}
}

// matches looks at one profile.
func matches(e *Entry, q *ListQuery) bool {
	text := lowerASCII(q.Text)
	has := func(s string) bool { return strings.Contains(lowerASCII(s), text) }
	found := has(e.Name) || has(e.Project) || has(e.Describe) || has(e.Files[0].Name)
	for k, v := range e.Labels {
		found = found || has(k+"="+v)
	}
	for k, v := range q.Labels {
		found = found && e.Labels[k] == v
	}
	families := " " + joinFamilies(e.Families) + " "
	return found && (q.Project == "" || q.Project == e.Project) &&
		(q.Kind == "" || strings.Contains(families, " "+q.Kind+" "))
}

// A profile whose time is over is in no list and no count, swept away or not.
func TestWhatHasExpiredIsNotCounted(t *testing.T) {
	s := openStore(t, t.TempDir())
	take(t, s, "keeps", "1", func(p *NewProfile) { p.Project, p.Labels = "p", map[string]string{"branch": "main"} })
	take(t, s, "goes", "2", func(p *NewProfile) {
		p.Project, p.Labels, p.Lifetime = "p", map[string]string{"branch": "main"}, time.Hour
	})
	makeReady(t, s)
	makeReady(t, s)
	queries := []ListQuery{{}, {Project: "p"}, {Kind: "instr"}, {Labels: map[string]string{"branch": "main"}},
		{Text: "llvm"}, {Text: "o"}}
	for want := 2; want > 0; want-- {
		for _, q := range queries {
			page, err := s.List(t.Context(), q)
			if q.Text == "o" {
				page.Total++ // which only one has
			}
			if err != nil || page.Total != want {
				t.Errorf("%+v: %d, not %d: %v", q, page.Total, want, err)
			}
			queries[5].Text = "s"
		}
		late := s.now().Add(2 * time.Hour)
		s.now = func() time.Time { return late }
	}
}

// No list looks at all profiles, or sorts them: that is what its index is for.
func TestListsWalkAlongIndexes(t *testing.T) {
	s := openStore(t, t.TempDir())
	takeMany(t, s, 12)
	cursor := cursorOf(time.Now().UnixMicro(), "x")
	for name, test := range map[string]struct {
		query ListQuery
		index string
	}{
		"newest":            {ListQuery{Cursor: cursor}, "profile_listed"},
		"project":           {ListQuery{Project: "project-0", Cursor: cursor}, "profile_project"},
		"label":             {ListQuery{Labels: map[string]string{"branch": "b0"}, Cursor: cursor}, "label_listed"},
		"label and kind":    {ListQuery{Labels: map[string]string{"branch": "b0"}, Kind: "instr"}, "label_listed"},
		"label and project": {ListQuery{Labels: map[string]string{"Commit": "c4"}, Project: "project-1"}, "label_listed"},
		"branch of a project": {ListQuery{Labels: map[string]string{"branch": "b0"}, Project: "project-0", Cursor: cursor},
			"label_branch"},
	} {
		tx := begin(t, s)
		l := &lister{ListQuery: test.query, ctx: t.Context(), s: s, tx: tx, now: s.now().UnixMicro()}
		l.after, _ = readCursor(test.query.Cursor)
		w, err := l.lead()
		if err = errors.Join(err, tx.Rollback()); err != nil {
			t.Fatal(err)
		}
		l.begin(&w.terms, w.created, w.id)
		uses(t, s, name, test.index, `SELECT `+entryColumns+` FROM `+w.from+` WHERE `+w.where()+`
			ORDER BY `+w.created+` DESC, `+w.id+` DESC LIMIT 51`, w.args)
	}
	found, err := s.db.Search(t.Context(), s.db.Read, "nightly-1")
	if err != nil {
		t.Fatal(err)
	}
	index := "VIRTUAL TABLE INDEX"
	if onPostgres { // which chooses by how many have the words
		index = "listing_words"
	}
	uses(t, s, "words", index, `SELECT 1 FROM `+found.From+` WHERE `+found.Where, found.Args)
	for name, test := range map[string]struct {
		index, query string
		args         []any
	}{
		"received":     {"profile_received", received, nil},
		"outdated":     {"profile_decoder", outdated, []any{1}},
		"older schema": {"profile_schema", `SELECT id FROM profile WHERE state = 'ready' AND schema_version < ?`, []any{1}},
		"a folder": {"(file_object)", `SELECT DISTINCT sha256 FROM file WHERE sha256 >= ? AND sha256 < ?`,
			[]any{"ab", "ab~"}},
	} {
		uses(t, s, name, test.index, test.query, test.args)
	}
}

// uses sees which index a query uses, and that nothing is sorted that is kept in order.
func uses(t *testing.T, s *Catalog, name, index, query string, args []any) {
	t.Helper()
	tx := begin(t, s)
	defer tx.Rollback()
	explain := `EXPLAIN QUERY PLAN `
	if onPostgres { // whose planner would look at twelve rows one by one
		explain = `EXPLAIN `
		if _, err := tx.Exec(`SET LOCAL enable_seqscan = off`); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := tx.Query(explain+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan []string
	for rows.Next() {
		var line string
		row := make([]any, len(columns))
		for i := range row {
			row[i] = new(any)
		}
		row[len(row)-1] = &line
		if err := rows.Scan(row...); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	text := strings.Join(plan, "\n")
	if !regexp.MustCompile(index).MatchString(text) || strings.Contains(text, "TEMP B-TREE") ||
		strings.Contains(text, "Seq Scan") || strings.Contains(text, "SCAN profile\n") {
		t.Errorf("%s: not along %s:\n%s", name, index, text)
	}
}

func begin(t *testing.T, s *Catalog) *sql.Tx {
	t.Helper()
	tx, err := s.db.Read.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// Without the right to create its extension, PostgreSQL finds words too, and it is said why
// that takes longer.
func TestWordsWithoutAnIndex(t *testing.T) {
	if !onPostgres {
		t.Skip("about PostgreSQL")
	}
	url := pgtest.Database(t, nil)
	pgtest.Exec(t, url, `CREATE ROLE plain LOGIN; GRANT ALL ON SCHEMA public TO plain`)
	t.Cleanup(func() { pgtest.Exec(t, url, `DROP OWNED BY plain; DROP ROLE plain`) })
	plain := regexp.MustCompile(`user=[^&]*`).ReplaceAllString(url, "user=plain")
	s, err := Open(t.Context(), Place{Dir: t.TempDir(), Database: plain})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Unindexed() == "" {
		t.Error("nothing is said")
	}
	take(t, s, "nightly-7", "x")
	if page, err := s.List(t.Context(), ListQuery{Text: "ghtly-7"}); err != nil || len(page.Items) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
}

// What an older process has taken in, of those that share a catalog, is found as well.
func TestAnOlderProcessLists(t *testing.T) {
	if !onPostgres {
		t.Skip("about PostgreSQL")
	}
	s := openStore(t, t.TempDir())
	id := take(t, s, "nightly-7", "x", func(p *NewProfile) { p.Labels = map[string]string{"branch": "main"} }).Entry.ID
	for _, statement := range []string{`DELETE FROM listing`, `DELETE FROM label`,
		`INSERT INTO label (profile_id, key, value) SELECT id, 'branch', 'main' FROM profile`} {
		if _, err := s.db.Write.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tend(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, q := range []ListQuery{{Text: "nightly"}, {Labels: map[string]string{"branch": "main"}}} {
		page, err := s.List(t.Context(), q)
		if err != nil || len(page.Items) != 1 || page.Items[0].ID != id || page.Total != 1 {
			t.Errorf("%+v: %+v, %v", q, page, err)
		}
	}
}

// A start looks into the folders that changed since the last process ended, and into all after
// one that was killed.
func TestAStartLooksIntoWhatHasChanged(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	id := take(t, s, "a", "1").Entry.ID
	makeReady(t, s)
	old := time.Now().Add(-time.Hour)
	stray := filepath.Join(dir, "profiles", id[:2], id[:2]+"stray.db")
	put := func() {
		t.Helper()
		if err := errors.Join(os.WriteFile(stray, nil, 0o600), os.Chtimes(filepath.Dir(stray), old, old)); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	aside := func(want int) *Catalog {
		t.Helper()
		s, err := Open(t.Context(), at(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		if _, tables, err := s.Quarantined(); err != nil || len(tables) != want {
			t.Errorf("%d aside, not %d: %v", len(tables), want, err)
		}
		return s
	}
	s = aside(0) // it was there when the last process ended
	if _, err := s.db.Write.Exec(`UPDATE swept SET folder = folder || 'killed'`); err != nil {
		t.Fatal(err)
	}
	s.Close() // and has not said that it ended
	s = aside(1)
	old = old.Add(time.Minute)
	if err := os.Remove(filepath.Join(dir, quarantineDir, filepath.Base(stray))); err != nil {
		t.Fatal(err)
	}
	s.Close()
	put()
	s = aside(1)
	old = old.Add(time.Minute)
	if err := errors.Join(os.RemoveAll(filepath.Dir(stray)), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = aside(1)
	defer s.Close()
	if e := entryOf(t, s, id); e.State != Received {
		t.Errorf("its tables are gone, and it is %s", e.State)
	}
}

// A catalog of before is upgraded with all that lists need: whatever is asked has the answers that
// it had where each change was followed.
func TestListsAfterAnUpgrade(t *testing.T) {
	inAFile(t)
	dir := t.TempDir()
	s := openStore(t, dir)
	takeMany(t, s, 40)
	times := 100
	if testing.Short() {
		times = 30
	}
	back(t, s, multiplied(times)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir) // which lists them
	before := answers(t, s)
	back(t, s, beforeLists...)
	back(t, s, `DELETE FROM goose_db_version WHERE version_id >= 13`)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	told := 0
	ctx := engine.WithProgress(t.Context(), func(string, int, int) { told++ })
	s, err := Open(ctx, at(t, dir))
	if err != nil || told > 0 {
		t.Fatalf("told %d times of little, %v", told, err)
	}
	defer s.Close()
	if diff := cmp.Diff(before, answers(t, s), cmp.AllowUnexported(Entry{})); diff != "" {
		t.Error(diff)
	}
}

// multiplied makes of each profile so many, at most 900, some of which are measured.
func multiplied(times int) (statements []string) {
	numbers := fmt.Sprintf(`WITH RECURSIVE number (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM number WHERE n < %d) `,
		98+times)
	for _, of := range []struct{ table, id, columns, values string }{
		{"profile", "id", `name, project, state, visibility, created_us, updated_us, expires_us, delete_sha256, digest, size,
			kinds, describe`, `name || n, project, state, visibility, created_us + n % 7, updated_us, expires_us, delete_sha256,
			digest, size, CASE n % 3 WHEN 0 THEN kinds ELSE kinds || ' memprof' END, describe`},
		{"label", "profile_id", `key, value`, `key, value || (n % 5)`},
		{"file", "profile_id", `position, name, sha256, size`, `position, name, sha256, size`},
	} {
		statements = append(statements, fmt.Sprintf(`%s INSERT INTO %s (%s, %s) SELECT substr(%[3]s, 1, 23) || n, %[5]s
			FROM number CROSS JOIN %[2]s`, numbers, of.table, of.id, of.columns, of.values))
	}
	return append(statements,
		`UPDATE label SET (listed_us, of_project) = (SELECT CASE visibility WHEN 'listed' THEN created_us ELSE 0 END, project
			FROM profile WHERE id = profile_id)`,
		`INSERT INTO measured SELECT id, '', 1 + (created_us % 2), '{}' FROM profile
			WHERE project <> '' AND created_us % 3 > 0`,
		`UPDATE profile SET measured_version = 1 + (created_us % 2) WHERE project <> '' AND created_us % 3 > 0`,
		`DELETE FROM listing`)
}

// answers are those of all kinds of lists, and what the catalog keeps for them.
func answers(t *testing.T, s *Catalog) (all []any) {
	t.Helper()
	keep := func(answer any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, answer)
	}
	for _, text := range []string{"", "nightly-1", "NIGHTLY-3", "branch=b2", "é", "file-17.p"} {
		for _, kind := range []string{"", "memprof"} {
			for _, project := range []string{"", "project-0"} {
				for _, labels := range []map[string]string{nil, {"branch": "b21"}, {"branch": "b03", "Commit": "c43"}} {
					q := ListQuery{Text: text, Kind: kind, Project: project, Labels: labels, Limit: 30}
					for range 2 {
						page, err := s.List(t.Context(), q)
						keep(page, err)
						q.Cursor = page.NextCursor
					}
				}
			}
		}
	}
	keep(s.Groups(t.Context(), ListQuery{Text: "nightly"}, "Commit", 500))
	keep(s.Projects().Listed(t.Context(), 500))
	keep(s.Projects().Branches(t.Context(), "project-1", 500))
	for _, version := range []int{1, 2} {
		unmeasured, err := s.Projects().Unmeasured(t.Context(), version, 5000)
		var ids []string
		for i := range unmeasured {
			ids = append(ids, unmeasured[i].ID)
		}
		keep(ids, err)
	}
	for _, kept := range []string{
		`SELECT visibility || state || project || kinds, profiles FROM profile_count WHERE profiles > 0`,
		`SELECT key || value || project || ready, profiles FROM label_count WHERE profiles > 0`,
		`SELECT profile_id || key || value || of_project, listed_us FROM label`,
		`SELECT profile_id || words, doc FROM listing`,
	} {
		keep(pairs(t, s, kept))
	}
	return all
}

// pairs are a text and a number of each row.
func pairs(t *testing.T, s *Catalog, query string) (map[string]int64, error) {
	t.Helper()
	rows, err := s.db.Read.QueryContext(t.Context(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]int64{}
	for rows.Next() {
		var text string
		var n int64
		if err := rows.Scan(&text, &n); err != nil {
			return nil, err
		}
		all[text] = n
	}
	return all, rows.Err()
}
