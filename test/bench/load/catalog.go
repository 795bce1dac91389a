package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"proflens/catalog/engine"
	"proflens/test/bench/plot"
)

// What the rows of a large catalog are: every tenth profile is of a project, and its builds are
// on so many branches.
const (
	madeProjects = 5
	madeBranches = 10
	madeStep     = 10 * madeProjects * madeBranches // profiles from one of a branch to the next
	madeAtOnce   = 50_000
)

// drawn is how many panels the picture has.
const drawn = 2

// catalogPages are what is asked of a large catalog, and how long it may take.
var catalogPages = []struct {
	panel      int // of the picture; drawn: none
	name, path string
	aim        time.Duration
}{
	{0, "home page", "/", 30 * time.Millisecond},
	{0, "words of many names", "/?q=nightly-5", 100 * time.Millisecond},
	{0, "words of one name", "/?q=nightly-54321", 100 * time.Millisecond},
	{0, "words of none", "/?q=nightly-x", 100 * time.Millisecond},
	{0, "a word of two letters", "/?q=zq", 100 * time.Millisecond},
	{1, "projects", "/projects", 100 * time.Millisecond},
	{1, "page of a project", "/projects/project-3", 100 * time.Millisecond},
	{1, "list, newest", "/api/v1/profiles?limit=100", 30 * time.Millisecond},
	{1, "list, by label", "/api/v1/profiles?label=branch=b3", 30 * time.Millisecond},
	{1, "list, by label and project", "/api/v1/profiles?label=branch=b3&project=project-3", 30 * time.Millisecond},
	{0, "list, by words and kind", "/api/v1/profiles?q=nightly-5&kind=instr", 100 * time.Millisecond},
	{drawn, "groups of projects", "/api/v1/profiles?group=project", 100 * time.Millisecond},
	{1, "metrics", "/metrics", 30 * time.Millisecond},
}

// catalogs are the catalogs to measure, and where to keep them.
type catalogs struct {
	sizes         []int
	dir, database string // empty: for as long as it takes, and in SQLite
	picture       string // empty: none
}

// measure measures each catalog, and draws how what pages cost grows.
func (c catalogs) measure(binary string) error {
	lines := make([]plot.Line, len(catalogPages))
	for _, n := range c.sizes {
		dir := filepath.Join(c.dir, fmt.Sprint(n))
		if c.dir == "" {
			temp, err := os.MkdirTemp("", "proflens-catalog")
			if err != nil {
				return err
			}
			defer os.RemoveAll(temp)
			dir = temp
		}
		costs, err := measureCatalog(binary, n, dir, c.database)
		if err != nil {
			return err
		}
		for i, cost := range costs {
			lines[i].Name = catalogPages[i].name
			lines[i].Points = append(lines[i].Points, plot.Point{Size: float64(n), Value: cost.Seconds()})
		}
	}
	if c.picture == "" {
		return nil
	}
	row := make([]plot.Panel, drawn)
	for i := range row {
		row[i] = plot.Panel{Title: "Processor time of an answer", Sizes: "profiles", Mark: func(v float64) string {
			return time.Duration(v * float64(time.Second)).Round(10 * time.Microsecond).String()
		}}
	}
	for i, page := range catalogPages {
		if page.panel < drawn {
			row[page.panel].Lines = append(row[page.panel].Lines, lines[i])
		}
	}
	return os.WriteFile(c.picture, []byte(plot.SVG("Processor time against the number of profiles, on logarithmic axes",
		[][]plot.Panel{row})), 0o644)
}

// measureCatalog makes a catalog of so many profiles in dir, unless it is there, and prints what
// a start and pages take: the median, and the processor time of the server and of PostgreSQL for
// each. It returns what both spend on each page. An empty database is a file in dir.
func measureCatalog(binary string, profiles int, dir, database string) (costs []time.Duration, err error) {
	var flags []string
	if database != "" {
		flags = []string{"-catalog", database}
	}
	made := filepath.Join(dir, "made")
	if _, err := os.Stat(made); err != nil {
		if err := makeCatalog(binary, profiles, dir, database, flags); err != nil {
			return nil, err
		}
		if err := os.WriteFile(made, nil, 0o600); err != nil {
			return nil, err
		}
	}
	s, err := serveIn(dir, binary, flags...) // which migrates, and looks at everything once
	if err != nil {
		return nil, err
	}
	defer func() { s.end() }()
	ctx := context.Background()
	db, err := engine.Open(ctx, sourceOf(dir, database), engine.Change, 1)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	fmt.Printf("made and listed, of Proflens: %v of processor time, %d MB at most\n",
		spent(s.cmd.Process.Pid).Round(time.Millisecond), s.memory().most>>20)
	if err := settle(ctx, db); err != nil {
		return nil, err
	}
	fmt.Printf("%-28s %10s %10s %10s %10s\n", fmt.Sprintf("%d profiles", profiles),
		"took", "processor", "PostgreSQL", "aim")
	var starts []time.Duration
	var processor time.Duration
	server := spentOn(ctx, db)
	for range startsMeasured {
		time.Sleep(2 * time.Second)
		s.end()
		began := time.Now()
		if s, err = serveIn(dir, binary, flags...); err != nil {
			return nil, err
		}
		if err := s.read("/readyz"); err != nil {
			return nil, err
		}
		starts = append(starts, time.Since(began))
		processor += spent(s.cmd.Process.Pid)
	}
	print := func(name string, took []time.Duration, processor, server, aim time.Duration) {
		slices.Sort(took)
		each := time.Duration(len(took))
		fmt.Printf("%-28s %10v %10v %10v %10v\n", name, took[len(took)/2].Round(100*time.Microsecond),
			(processor / each).Round(100*time.Microsecond), (server / each).Round(100*time.Microsecond), aim)
	}
	print("start until ready", starts, processor, spentOn(ctx, db)-server, time.Second)
	for _, p := range catalogPages {
		if err := s.browse(p.path); err != nil {
			return nil, err
		}
		var took []time.Duration
		processor, server := spent(s.cmd.Process.Pid), spentOn(ctx, db)
		for range pagesMeasured {
			began := time.Now()
			if err := s.browse(p.path); err != nil {
				return nil, err
			}
			took = append(took, time.Since(began))
		}
		processor, server = spent(s.cmd.Process.Pid)-processor, spentOn(ctx, db)-server
		print(p.name, took, processor, server, p.aim)
		cost := (processor + server) / pagesMeasured
		if cost == 0 { // of a system that does not say
			cost = took[len(took)/2]
		}
		costs = append(costs, cost)
	}
	return costs, nil
}

// settle waits until a database that many profiles were put into at once is as it is where they
// come one by one: what was counted is added up, and rows that are gone are cleared away.
func settle(ctx context.Context, db *engine.DB) error {
	if !db.Shared() {
		return nil
	}
	for changes := true; changes; time.Sleep(time.Second) {
		err := db.Read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM profile_change)`).Scan(&changes)
		if err != nil {
			return err
		}
	}
	_, err := db.Write.ExecContext(ctx, `VACUUM ANALYZE`)
	return err
}

// How often a start and a page are measured.
const (
	startsMeasured = 5
	pagesMeasured  = 20
)

// sourceOf is where the engine finds the catalog.
func sourceOf(dir, database string) string {
	if database == "" {
		return filepath.Join(dir, "catalog.db")
	}
	return database
}

// browse reads a page as a browser asks for it.
func (s *server) browse(path string) error {
	request, err := http.NewRequest(http.MethodGet, s.url+path, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/html, */*;q=0.8")
	return s.readAnswer(request)
}

// makeCatalog uploads two builds of a project, waits until they are measured, and copies their
// rows.
func makeCatalog(binary string, profiles int, dir, database string, flags []string) error {
	s, err := serveIn(dir, binary, flags...)
	if err != nil {
		return err
	}
	defer func() { s.end() }()
	var ids []string
	for n := range 2 {
		link, _, err := s.labelled(madeBranches * n)
		if err != nil {
			return err
		}
		ids = append(ids, filepath.Base(link))
	}
	ctx := context.Background()
	db, err := engine.Open(ctx, sourceOf(dir, database), engine.Change, 4)
	if err != nil {
		return err
	}
	defer db.Close()
	for measured := 0; measured < 3; {
		if err := s.read("/projects/project-0"); err != nil { // which asks for it
			return err
		}
		time.Sleep(100 * time.Millisecond)
		if err := db.Read.QueryRowContext(ctx, `SELECT count(*) FROM measured`).Scan(&measured); err != nil {
			return err
		}
	}
	s.end()
	began := time.Now()
	if err := copyProfiles(ctx, db, profiles, ids); err != nil {
		return err
	}
	fmt.Printf("%d profiles are in the catalog after %v\n", profiles, time.Since(began).Round(time.Second))
	return nil
}

// made is the id of the nth copy: of the letters of ids, and as if at random.
func made(n string) string {
	id := `CAST(10000000000000 + ((` + n + `) * 48271 % 2147483647) * 1000 AS TEXT) ||
		CAST(100000000000 + ` + n + ` AS TEXT)`
	for i, digit := range "0189" {
		id = fmt.Sprintf(`replace(%s, '%c', '%c')`, id, digit, "wxyz"[i])
	}
	return id
}

// copyProfiles copies the second of two profiles, with its files and measures.
func copyProfiles(ctx context.Context, db *engine.DB, profiles int, ids []string) error {
	columns, err := columnsOf(ctx, db, "profile")
	if err != nil {
		return err
	}
	const at = `created_us - (%[1]d - n) * CAST(1000000 AS BIGINT)`
	project := fmt.Sprintf(`CASE WHEN n %% 10 = 0 THEN 'project-' || CAST(n / 10 %% %d AS TEXT) ELSE '' END`, madeProjects)
	values := slices.Clone(columns)
	for i, name := range columns {
		switch name {
		case "id":
			values[i] = made("n")
		case "name":
			values[i] = `'nightly-' || CAST(n AS TEXT)`
		case "project":
			values[i] = project
		case "created_us":
			values[i] = fmt.Sprintf(at, profiles)
		}
	}
	branch := fmt.Sprintf(`'b' || CAST(n / %d %% %d AS TEXT)`, 10*madeProjects, madeBranches)
	label := func(key, value string) string {
		labels := `INSERT INTO label (profile_id, key, value`
		if has, err := columnsOf(ctx, db, "label"); err == nil && slices.Contains(has, "listed_us") {
			labels += `, listed_us, of_project) SELECT ` + made("n") + `, '` + key + `', ` + value +
				fmt.Sprintf(`, `+at+`, `, profiles) + project
		} else {
			labels += `) SELECT ` + made("n") + `, '` + key + `', ` + value
		}
		return labels + ` FROM number CROSS JOIN profile WHERE id = '` + ids[1] + `'`
	}
	const figures = `INSERT INTO measured (profile_id, base_id, version, figures) SELECT %s, %s, version, figures
		FROM number CROSS JOIN measured WHERE profile_id = '%s' AND base_id = '%s' AND n %% 10 = 0 AND n > %d`
	statements := []string{
		`INSERT INTO profile (` + strings.Join(columns, ", ") + `) SELECT ` + strings.Join(values, ", ") +
			` FROM number CROSS JOIN profile WHERE id = '` + ids[1] + `'`,
		label("branch", branch), label("commit", `'c0ffee' || CAST(n AS TEXT)`),
		`INSERT INTO file (profile_id, position, name, sha256, size) SELECT ` + made("n") + `, position, name, sha256, size
			FROM number CROSS JOIN file WHERE profile_id = '` + ids[1] + `'`,
		fmt.Sprintf(figures, made("n"), `''`, ids[1], "", -1),
		fmt.Sprintf(figures, made("n"), made(fmt.Sprintf("n - %d", madeStep)), ids[1], ids[0], madeStep-1),
	}
	for from := 0; from < profiles; from += madeAtOnce {
		numbers := fmt.Sprintf(`WITH RECURSIVE number (n) AS
			(SELECT CAST(%d AS BIGINT) UNION ALL SELECT n + 1 FROM number WHERE n + 1 < %d) `,
			from, min(profiles, from+madeAtOnce))
		err := db.Update(ctx, engine.Recoverable, func(tx *engine.Tx) {
			for _, s := range statements {
				tx.Exec(numbers + s)
			}
		})
		if err != nil {
			return err
		}
	}
	_, err = db.Write.ExecContext(ctx, `DELETE FROM listing`) // the next start lists all
	if err == nil && db.Shared() {
		_, err = db.Write.ExecContext(ctx, `VACUUM ANALYZE`)
	}
	return err
}

func columnsOf(ctx context.Context, db *engine.DB, table string) ([]string, error) {
	rows, err := db.Read.QueryContext(ctx, `SELECT * FROM `+table+` LIMIT 0`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Columns()
}
