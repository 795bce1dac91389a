package catalog

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
)

// object is a row of the table of a bucket's files.
type object struct {
	key     string
	profile string // of tables, with their name; empty for an original
	tables  string
	content objects.Content
}

// newOriginal and newTables have keys that never were and never will be again.
func newOriginal(content objects.Content) object {
	return object{key: originalKey(content.SHA256) + "-" + newSecret(), content: content}
}

func newTables(job *Job, content objects.Content) object {
	name := job.name() + "-" + newSecret() + ".db"
	return object{key: tablesKey(name), profile: job.Entry.ID, tables: name, content: content}
}

// announce records a key before anything is put under it.
func announce(tx *engine.Tx, o *object) {
	tx.Exec(`INSERT INTO object (key, state, sha256, profile_id, tables, size, blocks, changed_us)
		VALUES (?, 'arriving', ?, ?, ?, ?, ?, ?)`,
		o.key, o.content.SHA256, o.profile, o.tables, o.content.Size, packBlocks(o.content.Blocks), tx.Now)
}

// settle makes a file live. Whoever would condemn it waits for this transaction, and
// sees then what it has named; one that is condemned already is ErrGarbage.
func settle(tx *engine.Tx, key string) {
	if tx.Exec(`UPDATE object SET state = 'live', changed_us = ? WHERE key = ? AND state IN ('arriving', 'live')`,
		tx.Now, key) == 0 {
		tx.Fail(ErrGarbage)
	}
}

// condemn has files go that nothing names, of those that a condition selects. The rows
// are taken first, and looked at then: who names one of them at this moment has its
// row, and is seen or comes too late.
func condemn(tx *engine.Tx, condition string, args ...any) {
	for _, statement := range []string{
		`UPDATE object SET state = state WHERE state <> 'condemned' AND ` + condition,
		`UPDATE object SET state = 'condemned', changed_us = ` + fmt.Sprint(tx.Now) + `
			WHERE state <> 'condemned' AND ` + condition + `
			AND NOT (state = 'live' AND EXISTS (SELECT 1 FROM file WHERE sha256 = object.sha256))
			AND NOT (state = 'live' AND EXISTS (SELECT 1 FROM profile WHERE id = object.profile_id AND tables = object.tables))`,
	} {
		tx.Exec(statement, args...)
	}
}

// originalObjects are the live files with an original.
func originalObjects(ctx context.Context, q engine.Querier, sum string) ([]object, error) {
	return queryObjects(ctx, q, `WHERE sha256 = ? AND state = 'live' ORDER BY key`, sum)
}

// tablesObjects are the live file with tables of a name, or none.
func tablesObjects(ctx context.Context, q engine.Querier, name string) ([]object, error) {
	return queryObjects(ctx, q, `WHERE key = ? AND state = 'live'`, tablesKey(name))
}

// What is looked for among the files of a bucket, each along an index: `<> 'live'` and `<> ”` are
// what SQLite's need to hear.
const (
	// arrivedLate are uploads that began before a time.
	arrivedLate = `state = 'arriving' AND state <> 'live' AND changed_us < ?`
	// condemned are originals, tables without a profile, and tables that were replaced before a
	// time, so that who reads them elsewhere comes to an end.
	condemned = `WHERE state = 'condemned' AND state <> 'live' AND (sha256 <> '' OR changed_us < ?
		OR NOT EXISTS (SELECT 1 FROM profile WHERE id = object.profile_id AND tables <> '')) ORDER BY key LIMIT 1000`
	// tablesAfter is the last profile of so many rows of tables behind those of another.
	tablesAfter = `SELECT profile_id FROM object WHERE profile_id <> '' AND profile_id > ?
		ORDER BY profile_id LIMIT 1 OFFSET ?`
	// strayTables are those behind one profile, up to another, that no profile has.
	strayTables = `SELECT key FROM object WHERE profile_id <> '' AND profile_id > ? AND profile_id <= ? AND state = 'live'
		AND NOT EXISTS (SELECT 1 FROM profile WHERE id = object.profile_id AND tables = object.tables)`
)

// condemnedObjects are some that are to be deleted.
func condemnedObjects(ctx context.Context, q engine.Querier, replaced time.Time) ([]object, error) {
	return queryObjects(ctx, q, condemned, replaced.UnixMicro())
}

func queryObjects(ctx context.Context, q engine.Querier, condition string, args ...any) ([]object, error) {
	var all []object
	var o object
	var blocks []byte
	err := engine.Each(ctx, q, []any{&o.key, &o.profile, &o.tables, &o.content.SHA256, &o.content.Size, &blocks}, func() {
		o.content.Blocks = unpackBlocks(blocks)
		all = append(all, o)
	}, `SELECT key, profile_id, tables, sha256, size, blocks FROM object `+condition, args...)
	return all, err
}

func packBlocks(sums []uint32) []byte {
	var b []byte
	for _, sum := range sums {
		b = binary.LittleEndian.AppendUint32(b, sum)
	}
	return b
}

func unpackBlocks(b []byte) []uint32 {
	var sums []uint32
	for ; len(b) >= 4; b = b[4:] {
		sums = append(sums, binary.LittleEndian.Uint32(b))
	}
	return sums
}
