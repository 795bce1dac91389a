// Package projects asks the catalog about the profiles of projects: which there are, by
// branch, commit and workload, what was measured of them, and the rules of their gates.
// Only listed profiles are found, as in every list: an unlisted one is known by its link
// alone.
package projects

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"proflens/catalog/engine"
	"proflens/decode/model"
)

// The labels that place a profile among the builds of its project.
const (
	Branch   = "branch"
	Commit   = "commit"   // of the program
	Workload = "workload" // that it ran
	Subject  = "subject"  // of the commit, a line
	Date     = "date"     // of the commit, RFC 3339
)

// Store asks a catalog's database.
type Store struct{ db *engine.DB }

// New asks db.
func New(db *engine.DB) *Store { return &Store{db} }

// Profile is a ready, listed profile of a project.
type Profile struct {
	ID, Name, Project string
	Labels            map[string]string
	Families          []model.Family
	Describe          string
	Functions         int
	Total             string // decimal
	Size              int64  // bytes of its files
	Created           time.Time

	// Measuring it says of which tables, and of which name, labels and rules: a change of them is
	// an update.
	tables  string
	updated int64
}

// visible is the condition under which a profile is in lists and has tables.
const visible = `visibility = 'listed' AND state = 'ready' AND (expires_us = 0 OR expires_us > ?)`

// Query selects profiles of a project.
type Query struct {
	Project string
	Labels  map[string]string // all of them, exactly
	Limit   int               // profiles
}

func (s *Store) where(q Query) (string, []any) {
	where, args := visible+` AND project = ?`, []any{s.db.Now().UnixMicro(), q.Project}
	if q.Project != "" {
		where += ` AND project <> ''` // which the index needs to hear
	}
	for key, value := range q.Labels {
		where += ` AND EXISTS (SELECT 1 FROM label WHERE profile_id = profile.id AND key = ? AND value = ?)`
		args = append(args, key, value)
	}
	return where + ` ORDER BY created_us DESC, id DESC LIMIT ?`, append(args, q.Limit)
}

// Profiles are those that a query selects, the newest first.
func (s *Store) Profiles(ctx context.Context, q Query) ([]Profile, error) {
	where, args := s.where(q)
	return s.profiles(ctx, where, args)
}

// Version tells what a query selects from what it would have selected before anything of that
// changed. It looks at an index alone.
func (s *Store) Version(ctx context.Context, q Query) (string, error) {
	where, args := s.where(q)
	var profiles, changes int64
	err := s.db.Read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum((created_us + 31 * updated_us) % 1000000007), 0)
		FROM (SELECT created_us, updated_us FROM profile WHERE `+where+`) AS newest`, args...).Scan(&profiles, &changes)
	return fmt.Sprint(profiles, " ", changes), engine.Wrapped(err)
}

// Unmeasured are profiles of projects that nothing was measured of with this version of
// the measures, the newest of those of which nothing was measured at all first, at most limit;
// and those without a project that have one of some labels, by which they are counted otherwise.
func (s *Store) Unmeasured(ctx context.Context, version, limit int, labels ...string) (list []Profile, err error) {
	for _, other := range []string{`<`, `>`} {
		found, err := s.profiles(ctx, visible+` AND project <> '' AND measured_version `+other+` ?
			ORDER BY measured_version, created_us DESC, id DESC LIMIT ?`,
			[]any{s.db.Now().UnixMicro(), version, limit - len(list)})
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	if len(labels) == 0 {
		return list, nil
	}
	args := []any{s.db.Now().UnixMicro(), version}
	for _, label := range labels {
		args = append(args, label)
	}
	found, err := s.profiles(ctx, visible+` AND project = '' AND measured_version <> ?
		AND id IN (SELECT profile_id FROM label WHERE listed_us > 0
			AND key IN (?`+strings.Repeat(", ?", len(labels)-1)+`))
		ORDER BY created_us DESC, id DESC LIMIT ?`,
		append(args, limit-len(list)))
	return append(list, found...), err
}

func (s *Store) profiles(ctx context.Context, where string, args []any) ([]Profile, error) {
	tx, err := s.db.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var list []Profile
	at := map[string]int{}
	var p Profile
	var kinds string
	var created int64
	err = engine.Each(ctx, tx, []any{
		&p.ID, &p.Name, &p.Project, &kinds, &p.Describe, &p.Functions, &p.Total, &p.Size, &created, &p.tables, &p.updated,
	}, func() {
		p.Families = nil
		for _, kind := range strings.Fields(kinds) {
			p.Families = append(p.Families, model.Family(kind))
		}
		p.Created, p.Labels = time.UnixMicro(created), map[string]string{}
		at[p.ID] = len(list)
		list = append(list, p)
	}, `SELECT id, name, project, kinds, describe, functions, total, size, created_us, tables, updated_us
		FROM profile WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	var id, key, value string
	return list, engine.Each(ctx, tx, []any{&id, &key, &value}, func() {
		if i, ok := at[id]; ok {
			list[i].Labels[key] = value
		}
	}, `SELECT profile_id, key, value FROM label WHERE profile_id IN (SELECT id FROM profile WHERE `+where+`)`, args...)
}

// Group is what profiles have in common: a project, or the value of a label.
type Group struct {
	Value    string
	Profiles int
	Newest   time.Time
}

// Any reports whether there is a project.
func (s *Store) Any(ctx context.Context) (some bool, err error) {
	return engine.One[bool](ctx, s.db.Read, anyProject, s.db.Now().UnixMicro())
}

// anyProject asks for a version that all have, so that SQLite takes its index.
const anyProject = `SELECT count(*) > 0 FROM (SELECT id FROM profile WHERE ` + visible + `
	AND project <> '' AND measured_version >= 0 ORDER BY measured_version, created_us DESC, id DESC LIMIT 1) AS newest`

// Projects are all projects, that with the newest profile first, at most limit.
func (s *Store) Projects(ctx context.Context, limit int) ([]Group, error) {
	return s.projects(ctx, `state = 'ready'`, limit)
}

// Listed are all projects with their listed profiles in any state, as Projects has them.
func (s *Store) Listed(ctx context.Context, limit int) ([]Group, error) {
	return s.projects(ctx, `state NOT IN ('expired', 'deleted')`, limit)
}

// projects reads what is counted, and looks at the newest profile of each and, less those, at
// what is counted and has expired.
func (s *Store) projects(ctx context.Context, state string, limit int) ([]Group, error) {
	now := s.db.Now().UnixMicro()
	return living(s.Groups(ctx, `SELECT project, sum(profiles) - coalesce((SELECT count(*) FROM `+expired+` AS profile
			WHERE visibility = 'listed' AND `+state+` AND project = profile_count.project), 0) AS left_over,
		coalesce((SELECT created_us FROM profile WHERE project = profile_count.project AND project <> ''
			AND visibility = 'listed' AND `+state+` AND (expires_us = 0 OR expires_us > ?)
			ORDER BY created_us DESC, id DESC LIMIT 1), 0) AS newest
		FROM profile_count WHERE visibility = 'listed' AND `+state+` AND project <> ''
		GROUP BY project HAVING sum(profiles) > 0 ORDER BY newest DESC, project LIMIT ?`, now, now, limit))
}

// living are the groups that have profiles.
func living(list []Group, err error) ([]Group, error) {
	return slices.DeleteFunc(list, func(g Group) bool { return g.Profiles <= 0 }), err
}

// expired are the profiles whose time is over, and that are still counted.
const expired = `(SELECT * FROM profile WHERE expires_us > 0 AND expires_us <= ? ORDER BY expires_us LIMIT 1000000)`

// Branches are the branches of a project, that with the newest profile first, at most limit.
func (s *Store) Branches(ctx context.Context, project string, limit int) ([]Group, error) {
	now := s.db.Now().UnixMicro()
	return living(s.Groups(ctx, `SELECT value, sum(profiles) - coalesce((SELECT count(*) FROM `+expired+` AS profile
			JOIN label ON profile_id = id WHERE visibility = 'listed' AND state = 'ready' AND project = ? AND key = 'branch'
			AND value = label_count.value), 0) AS left_over,
		coalesce((SELECT listed_us FROM label JOIN profile ON id = profile_id WHERE key = 'branch'
			AND of_project = ? AND of_project <> '' AND listed_us > 0 AND value = label_count.value AND `+visible+`
			ORDER BY listed_us DESC, profile_id DESC LIMIT 1), 0) AS newest
		FROM label_count WHERE project = ? AND key = 'branch' AND ready = 1 GROUP BY value HAVING sum(profiles) > 0
		ORDER BY newest DESC, value LIMIT ?`, now, project, project, now, project, limit))
}

// Groups reads groups: values, how many profiles each has, and when the newest came.
func (s *Store) Groups(ctx context.Context, query string, args ...any) (list []Group, err error) {
	var g Group
	var newest int64
	err = engine.Each(ctx, s.db.Read, []any{&g.Value, &g.Profiles, &newest}, func() {
		g.Newest = time.UnixMicro(newest)
		list = append(list, g)
	}, query, args...)
	return list, err
}

// Pair is a profile and what it was compared with; an empty Base is the profile alone.
type Pair struct{ Profile, Base string }

// Measured is what was measured of profiles with this version of the measures, as JSON.
func (s *Store) Measured(ctx context.Context, profiles []Profile, version int) (map[Pair]json.RawMessage, error) {
	found := map[Pair]json.RawMessage{}
	for chunk := range slices.Chunk(profiles, 500) {
		args := []any{version}
		for i := range chunk {
			args = append(args, chunk[i].ID)
		}
		var p Pair
		var figures string
		err := engine.Each(ctx, s.db.Read, []any{&p.Profile, &p.Base, &figures}, func() {
			found[p] = json.RawMessage(figures)
		}, `SELECT profile_id, base_id, figures FROM measured WHERE version = ? AND profile_id IN (?`+
			strings.Repeat(", ?", len(chunk)-1)+`)`,
			args...)
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Record is what was measured of a profile.
type Record struct {
	Base    *Profile // against which; nil for of the profile alone
	Version int      // of the measures
	Figures []byte   // JSON
	// HeadPart of HeadWhole is the figure that lists show first, of a profile alone; 0 of 0: there is
	// none.
	HeadPart, HeadWhole int64
}

// Record keeps what was measured of a profile. Where it or the base was updated since it was listed,
// by other tables, labels, sources or rules, it keeps nothing.
func (s *Store) Record(ctx context.Context, p *Profile, r *Record) error {
	of, id := p, ""
	if r.Base != nil {
		of, id = r.Base, r.Base.ID
	}
	const same = `id = ? AND tables = ? AND updated_us = ?`
	return s.db.Update(ctx, engine.Recoverable, func(tx *engine.Tx) {
		tx.Exec(`INSERT INTO measured (profile_id, base_id, version, figures)
			SELECT id, ?, ?, ? FROM profile WHERE `+same+` AND EXISTS (SELECT 1 FROM profile WHERE `+same+`)
			ON CONFLICT (profile_id, base_id) DO UPDATE SET version = excluded.version, figures = excluded.figures`,
			id, r.Version, string(r.Figures), p.ID, p.tables, p.updated, of.ID, of.tables, of.updated)
		if r.Base == nil {
			tx.Exec(`UPDATE profile SET measured_version = ?, head_part = ?, head_whole = ?
				WHERE `+same, r.Version, r.HeadPart, r.HeadWhole, p.ID, p.tables, p.updated)
		}
	})
}

// Rules are the rules of a project's gate, as they were given; empty for none.
func (s *Store) Rules(ctx context.Context, project string) (rules string, updated time.Time, err error) {
	var at int64
	err = s.db.Read.QueryRowContext(ctx, `SELECT rules, updated_us FROM project_rules WHERE project = ?`,
		project).Scan(&rules, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return "", time.Time{}, nil
	}
	return rules, time.UnixMicro(at), engine.Wrapped(err)
}

// SetRules keeps the rules of a project; empty ones are forgotten. With recount its profiles
// are measured again.
func (s *Store) SetRules(ctx context.Context, project, rules string, recount bool) error {
	return s.db.Update(ctx, engine.Durable, func(tx *engine.Tx) {
		if rules == "" {
			tx.Exec(`DELETE FROM project_rules WHERE project = ?`, project)
		} else {
			tx.Exec(`INSERT INTO project_rules (project, rules, updated_us) VALUES (?, ?, ?)
				ON CONFLICT (project) DO UPDATE SET rules = excluded.rules, updated_us = excluded.updated_us`,
				project, rules, tx.Now)
		}
		if recount {
			Forget(tx, "project", project)
		}
	})
}

// Forget has the profiles measured again that have a value in a column, and what they are the base of.
func Forget(tx *engine.Tx, column, value string) {
	of := ` IN (SELECT id FROM profile WHERE ` + column + ` = ?)`
	tx.Exec(`DELETE FROM measured WHERE profile_id`+of+` OR base_id`+of, value, value)
	// pages show it
	tx.Exec(`UPDATE profile SET measured_version = 0, updated_us = ? WHERE `+column+` = ?`, tx.Now, value)
}

// Step names a step of a project's trends: the build with which a measure's level moved.
type Step struct {
	Branch, Workload, Measure string
	Build                     string // its commit, or its newest profile where it has none
}

// Dismissed are the steps of a project that somebody dismissed.
func (s *Store) Dismissed(ctx context.Context, project string) (map[Step]bool, error) {
	found := map[Step]bool{}
	var step Step
	return found, engine.Each(ctx, s.db.Read, []any{&step.Branch, &step.Workload, &step.Measure, &step.Build},
		func() { found[step] = true },
		`SELECT branch, workload, measure, build FROM dismissed_step WHERE project = ?`, project)
}

// Dismiss dismisses a step, or brings it back.
func (s *Store) Dismiss(ctx context.Context, project string, step Step, dismissed bool) error {
	return s.db.Update(ctx, engine.Durable, func(tx *engine.Tx) {
		key := []any{project, step.Branch, step.Workload, step.Measure, step.Build}
		if dismissed {
			tx.Exec(`INSERT INTO dismissed_step (project, branch, workload, measure, build, updated_us)
				VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, append(key, tx.Now)...)
		} else {
			tx.Exec(`DELETE FROM dismissed_step
				WHERE project = ? AND branch = ? AND workload = ? AND measure = ? AND build = ?`, key...)
		}
	})
}
