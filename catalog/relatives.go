package catalog

import (
	"context"

	"proflens/catalog/engine"
	"proflens/catalog/projects"
)

// Relation says how two profiles are of one program.
type Relation string

// The relations, the closest first. A commit is the label of that name, in one
// project.
const (
	SameBuild   Relation = "build"
	SameCommit  Relation = "commit"
	SameProject Relation = "project"
	SameName    Relation = "name"
)

// Relative is a profile of the same program as another one.
type Relative struct {
	Entry
	Relation Relation
}

// Relatives returns the ready profiles of the same program as one, the closest and
// then the newest first, at most limit. Only listed ones are found: an unlisted
// profile is known by its link alone.
func (s *Catalog) Relatives(ctx context.Context, of *Entry, limit int) ([]Relative, error) {
	tx, err := s.db.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	commit := of.Labels[projects.Commit]
	const shown = `visibility = 'listed' AND state = 'ready' AND (expires_us = 0 OR expires_us > ?6)`
	// Of a large project, or a common name, only the newest can be among them.
	const newest = shown + ` ORDER BY created_us DESC, id DESC LIMIT ?7 + 1`
	var list []Relative
	var id string
	var relation int
	err = engine.Each(ctx, tx, []any{&id, &relation}, func() {
		list = append(list, Relative{Entry{ID: id}, []Relation{SameBuild, SameCommit, SameProject, SameName}[relation]})
	}, `WITH close (id, relation) AS (
			SELECT other.profile_id, 0 FROM build AS mine JOIN build AS other USING (build_id) WHERE mine.profile_id = ?1
			UNION ALL SELECT profile.id, 1 FROM profile JOIN label ON label.profile_id = profile.id
				WHERE ?2 <> '' AND project = ?2 AND project <> '' AND key = ?4 AND value = ?5 AND value <> ''
			UNION ALL SELECT id, 2 FROM (SELECT id FROM profile WHERE project = ?2 AND project <> '' AND `+newest+`) AS projects
			UNION ALL SELECT id, 3 FROM (SELECT id FROM profile WHERE name = ?3 AND name <> '' AND `+newest+`) AS names
		), nearest AS (SELECT id, min(relation) AS relation FROM close WHERE id <> ?1 GROUP BY id)
		SELECT id, relation FROM nearest JOIN profile USING (id)
		WHERE `+shown+`
		ORDER BY relation, created_us DESC, id DESC LIMIT ?7`,
		of.ID, of.Project, of.Name, projects.Commit, commit, s.now().UnixMicro(), limit)
	if err != nil {
		return nil, err
	}
	for i := range list {
		e, err := entry(ctx, tx, list[i].ID, s.now())
		if err != nil {
			return nil, err
		}
		list[i].Entry = *e
	}
	return list, nil
}

// recordBuilds notes the build IDs of a profile whose tables were just made.
func recordBuilds(tx *engine.Tx, id string, builds [][]byte) {
	tx.Exec(`DELETE FROM build WHERE profile_id = ?`, id)
	for _, b := range builds {
		tx.Exec(`INSERT INTO build (profile_id, build_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, b)
	}
}
