package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"proflens/catalog/engine"
	"proflens/decode/model"
)

// Entry returns what the catalog knows about a profile: ErrNotFound for an id
// that never was, *GoneError for one that was deleted or has expired.
func (s *Catalog) Entry(ctx context.Context, id string) (*Entry, error) {
	// One snapshot, so that state, files and labels belong together.
	tx, err := s.db.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	return entry(ctx, tx, id, s.now())
}

func entry(ctx context.Context, q engine.Querier, id string, now time.Time) (*Entry, error) {
	e, err := scanEntry(q.QueryRowContext(ctx, `SELECT `+entryColumns+` FROM profile WHERE id = ?`, id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, ErrNotFound
	case err != nil:
		return nil, wrapped(err)
	case e.State == Deleted || e.State == Expired:
		return nil, &GoneError{State: e.State, At: e.Updated}
	case !e.Expires.IsZero() && !now.Before(e.Expires):
		return nil, &GoneError{State: Expired, At: e.Expires} // the sweeper has not come by yet
	}
	return e, loadParts(ctx, q, e)
}

// held is the profile that a transaction is about, which fails as Entry does.
func held(tx *engine.Tx, id string) (e Entry) {
	if found, err := entry(tx.Context, tx, id, time.UnixMicro(tx.Now)); !tx.Fail(err) {
		e = *found
	}
	return e
}

// loadParts adds what stands in other tables.
func loadParts(ctx context.Context, q engine.Querier, entries ...*Entry) error {
	if len(entries) == 0 {
		return nil
	}
	ids := make([]any, len(entries))
	at := map[string]*Entry{}
	for i, e := range entries {
		e.Labels, ids[i], at[e.ID] = map[string]string{}, e.ID, e
	}
	err := loadLabels(ctx, q, at, ids)
	if err == nil {
		err = loadFiles(ctx, q, at, ids, false)
	}
	return err
}

// among is a condition that a column has one of some values.
func among(column string, values []any) string {
	return column + ` IN (?` + strings.Repeat(`, ?`, len(values)-1) + `)`
}

const entryColumns = `id, name, project, state, visibility, created_us, updated_us, expires_us, digest, size,
	kinds, describe, format, version, functions, total, head_part, head_whole,
	spark, finding, merged, schema_version, decoder_version,
	refused, tables, tables_crc, coalesce((SELECT id FROM job WHERE job.profile_id = profile.id), 0),
	coalesce((SELECT taken FROM job WHERE job.profile_id = profile.id), 0)`

func scanEntry(row interface{ Scan(...any) error }) (*Entry, error) {
	var e Entry
	var created, updated, expires, version int64
	var kinds, finding, merged string
	err := row.Scan(&e.ID, &e.Name, &e.Project, &e.State, &e.Visibility, &created, &updated, &expires, &e.Digest, &e.Size,
		&kinds, &e.Describe, &e.Format, &version, &e.Functions, &e.Total,
		&e.HeadPart, &e.HeadWhole, &e.Spark, &finding, &merged, &e.Schema, &e.Decoder,
		&e.Refused, &e.tables, &e.crc, &e.job, &e.taken)
	if err != nil {
		return nil, err
	}
	e.Created, e.Updated = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if expires != 0 {
		e.Expires = time.UnixMicro(expires).UTC()
	}
	e.Version, e.Pending = uint64(version), e.job != 0
	for _, k := range strings.Fields(kinds) {
		e.Families = append(e.Families, model.Family(k))
	}
	if e.Finding, err = readJSON[model.Finding](finding); err != nil {
		return nil, err
	}
	e.Merged, err = readJSON[Merged](merged)
	return &e, err
}

func loadLabels(ctx context.Context, q engine.Querier, at map[string]*Entry, ids []any) error {
	var id, k, v string
	return engine.Each(ctx, q, []any{&id, &k, &v}, func() { at[id].Labels[k] = v },
		`SELECT profile_id, key, value FROM label WHERE `+among(`profile_id`, ids), ids...)
}

// filesOf lists a profile's files in order, without the text of its sources, those that wait to be decoded only
// when pending is set.
func filesOf(ctx context.Context, q engine.Querier, id string, pending bool) ([]FileEntry, error) {
	var e Entry
	err := loadFiles(ctx, q, map[string]*Entry{id: &e}, []any{id}, pending)
	return e.Files, err
}

func loadFiles(ctx context.Context, q engine.Querier, at map[string]*Entry, ids []any, pending bool) error {
	var f FileEntry
	var id, finding, partial string
	var damaged error
	err := engine.Each(ctx, q, []any{
		&id, &f.Name, &f.SHA256, &f.Size, &f.Pending, &finding, &f.Salvage, &partial,
	}, func() {
		var errs [2]error
		f.Finding, errs[0] = readJSON[model.Finding](finding)
		f.Partial, errs[1] = readJSON[model.Partial](partial)
		damaged = cmp.Or(damaged, errs[0], errs[1])
		at[id].Files = append(at[id].Files, f)
	}, `SELECT profile_id, name, sha256, size, pending, finding, salvage, partial FROM file
		WHERE `+among(`profile_id`, ids)+` AND pending <= ? AND sources = 0 ORDER BY profile_id, position`,
		append(ids, pending)...)
	return cmp.Or(err, damaged)
}

// digestOf is the hex SHA-256 over the files' sums, in order, and the bytes of
// all of them.
func digestOf(files []FileEntry) (digest string, size int64) {
	h := sha256.New()
	for _, f := range files {
		raw, _ := hex.DecodeString(f.SHA256)
		h.Write(raw)
		size += f.Size
	}
	return hex.EncodeToString(h.Sum(nil)), size
}

// writeJSON and readJSON turn what a column holds as a whole into text and back;
// nil is the empty string.
func writeJSON[T any](v *T) string {
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text)
}

func readJSON[T any](text string) (*T, error) {
	if text == "" {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return nil, fmt.Errorf("a %T of the catalog: %w", v, err)
	}
	return v, nil
}

func joinFamilies(families []model.Family) string {
	var words []string
	for _, f := range families {
		words = append(words, string(f))
	}
	return strings.Join(words, " ")
}
