package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// listed is the condition under which a profile is in lists, but for its expiry.
const listed = `visibility = 'listed' AND state NOT IN ('expired', 'deleted')`

// wordsOf is what words are looked for in: what belongs to a profile, with a character
// between that nobody types.
const wordsOf = "lower(name || '\x1f' || project || '\x1f' || describe || " +
	"coalesce((SELECT string_agg('\x1f' || key || '=' || value, '' ORDER BY key) " +
	"FROM label WHERE profile_id = profile.id), '') || " +
	"coalesce((SELECT string_agg('\x1f' || name, '' ORDER BY position) FROM file WHERE profile_id = profile.id), ''))"

// List brings the listing of a profile, in which words are looked for, up to what the
// transaction has made of the profile.
func (t *Tx) List(id string) {
	for _, statement := range []string{
		`DELETE FROM listing WHERE profile_id = ?1 AND NOT EXISTS (SELECT 1 FROM profile WHERE id = ?1 AND ` + listed + `)`,
		`UPDATE listing SET words = now.words FROM (SELECT ` + wordsOf + ` AS words FROM profile WHERE id = ?1) AS now
			WHERE profile_id = ?1 AND listing.words <> now.words`,
		`INSERT INTO listing (doc, profile_id, words) SELECT
			CASE WHEN NOT EXISTS (SELECT 1 FROM listing WHERE doc = created_us) THEN created_us
			ELSE (SELECT doc + 1 FROM listing AS taken WHERE doc >= created_us
				AND NOT EXISTS (SELECT 1 FROM listing WHERE doc = taken.doc + 1) ORDER BY doc LIMIT 1) END, id, ` + wordsOf + `
			FROM profile WHERE id = ?1 AND ` + listed + ` AND NOT EXISTS (SELECT 1 FROM listing WHERE profile_id = ?1)`,
	} {
		t.Exec(statement, id)
	}
}

// progressKey is of a function that is told how far a long change of the tables has come.
type progressKey struct{}

// WithProgress has f told what is done, and for how many profiles of how many, while a large
// catalog is upgraded or copied.
func WithProgress(ctx context.Context, f func(doing string, done, of int)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// progress tells of how many profiles something was done.
func progress(ctx context.Context, doing string, of int) func(done int) {
	tell, told := ctx.Value(progressKey{}).(func(doing string, done, of int))
	return func(done int) {
		if told && of > toldAfter && done%toldAfter == 0 && done < of {
			tell(doing, done, of)
		}
	}
}

// How many profiles one statement lists, and after how many progress is told.
const (
	listedAtOnce = 500
	toldAfter    = 50_000
)

// listAll lists all profiles, the oldest first, where none is listed: after an upgrade, and in
// a copy.
func (d *DB) listAll(ctx context.Context) error {
	var of int
	if err := d.Write.QueryRowContext(ctx, `SELECT coalesce(sum(profiles), 0) FROM profile_count
		WHERE NOT EXISTS (SELECT 1 FROM listing) AND `+listed).Scan(&of); err != nil || of == 0 {
		return err
	}
	tell := progress(ctx, "Listing profiles", of)
	return d.Update(ctx, Durable, func(tx *Tx) {
		if tx.Lock("listing"); tx.err != nil {
			return
		}
		tx.Fail(d.dialect.gather(ctx, tx.Tx, of, func() error {
			var last listingAt
			for done := 0; ; {
				tell(done)
				n, err := listSome(ctx, tx.Tx, &last)
				if done += n; err != nil || n < listedAtOnce {
					return err
				}
			}
		}))
	})
}

// listingAt is a profile among those in the order in which they were created, and its listing.
type listingAt struct {
	created int64
	id      string
	doc     int64
}

// listSome lists the profiles after one, and moves on to the last of them.
func listSome(ctx context.Context, tx *sql.Tx, last *listingAt) (n int, err error) {
	var args []any
	err = Each(ctx, tx, []any{&last.id, &last.created}, func() {
		last.doc = max(last.created, last.doc+1)
		args = append(args, last.doc, last.id)
	}, `SELECT id, created_us FROM profile WHERE `+listed+` AND (created_us, id) > (?, ?)
		ORDER BY created_us, id LIMIT ?`, last.created, last.id, listedAtOnce)
	if n = len(args) / 2; err != nil || n == 0 {
		return n, err
	}
	_, err = tx.ExecContext(ctx, `WITH fresh (doc, fresh_id) AS
		(VALUES (CAST(? AS BIGINT), ?)`+strings.Repeat(`, (?, ?)`, n-1)+`)
		INSERT INTO listing (doc, profile_id, words)
		SELECT doc, fresh_id, `+wordsOf+` FROM fresh JOIN profile ON id = fresh_id
		WHERE true ON CONFLICT DO NOTHING`, args...)
	return n, err
}

// Search is how the listings are selected that have some words: FROM, WHERE and its
// arguments, and the column with their numbers.
type Search struct {
	From, Where, Doc string
	Args             []any
	// Scans says that the words are too short for an index.
	Scans bool
	// Newest says that the index does not know which are the newest: these are looked at first,
	// one by one. Collect says that it is to collect the others: not as many as to go on is quicker.
	Newest, Collect bool
}

// Found are the numbers of listings that have the words, the newest first. At is the last that was
// looked at; End says that there are no more.
type Found struct {
	Docs []int64
	At   int64
	End  bool
}

// Find finds the newest listings that have the words, at most limit, of those before one; where
// no index helps, only among so many of those.
func (s *Search) Find(ctx context.Context, q Querier, before int64, limit, among int) (f Found, err error) {
	query, args := s.newest(before, limit, among)
	if f.Docs, err = Column[int64](ctx, q, query, args...); err != nil {
		return f, err
	}
	f.At, f.End = before, !s.Scans && !s.Newest
	if len(f.Docs) < limit && !f.End {
		var looked int
		err := q.QueryRowContext(ctx, `SELECT count(*), coalesce(min(doc), 0) FROM
			(SELECT doc FROM listing WHERE doc < ? ORDER BY doc DESC LIMIT ?) AS newest`, before, among).Scan(&looked, &f.At)
		if err != nil {
			return f, err
		}
		f.End = looked < among
	}
	if len(f.Docs) < limit && !f.End && s.Newest {
		order := `doc`
		if s.Collect {
			order = `doc + 0` // which is no order of an index
		}
		older, err := Column[int64](ctx, q,
			`SELECT doc FROM listing WHERE `+s.Where+` AND doc < ? ORDER BY `+order+` DESC LIMIT ?`,
			append(slices.Clone(s.Args), f.At, limit-len(f.Docs))...)
		if err != nil {
			return f, err
		}
		f.Docs, f.End = append(f.Docs, older...), true
	}
	if len(f.Docs) == limit {
		f.At, f.End = f.Docs[limit-1], false
	}
	return f, nil
}

// Count counts the listings that have the words, up to a limit, as Find finds them.
func (s *Search) Count(ctx context.Context, q Querier, limit, among int) (n int, err error) {
	query, args := s.newest(math.MaxInt64, limit, among)
	count := func() (int, error) {
		return One[int](ctx, q, `SELECT count(*) FROM (`+query+`) AS found`, args...)
	}
	if n, err = count(); err != nil || n == limit || !s.Newest {
		return n, err
	}
	query, args = `SELECT 1 FROM listing WHERE `+s.Where+` LIMIT ?`, append(slices.Clone(s.Args), limit)
	return count()
}

// newest asks for the newest listings by one way.
func (s *Search) newest(before int64, limit, among int) (query string, args []any) {
	if s.Scans || s.Newest {
		return fmt.Sprintf(`SELECT doc FROM
			(SELECT doc, words FROM listing WHERE doc < ? ORDER BY doc DESC LIMIT %d) AS newest
			WHERE %s ORDER BY doc DESC LIMIT %d`, among, s.Where, limit), append([]any{before}, s.Args...)
	}
	return fmt.Sprintf(`SELECT %[1]s AS doc FROM %[2]s WHERE %[3]s AND %[1]s < ? ORDER BY %[1]s DESC LIMIT %[4]d`,
		s.Doc, s.From, s.Where, limit), append(slices.Clone(s.Args), before)
}

// trigram is how many letters an index of words knows together.
const trigram = 3

// Search selects listings by words, which are in lower case.
func (d *DB) Search(ctx context.Context, q Querier, words string) (Search, error) {
	if len([]rune(words)) < trigram {
		return Search{From: `listing`, Where: `instr(words, ?) > 0`, Doc: `doc`, Args: []any{words}, Scans: true}, nil
	}
	return d.dialect.search(ctx, q, words)
}

// Unindexed says why words are not found through an index, but by looking at every profile;
// empty where they are.
func (d *DB) Unindexed() string { return d.unindexed }

// How far back Tidy looks for profiles that are not listed: at first, and from then on before the
// last time, because their transactions take a while.
const (
	overlooked   = time.Hour
	stillTakenIn = 10 * time.Minute
)

// Tidy does what keeps lists quick, now and then. It lists what an older Proflens has taken in
// lately, which shares the database until it is upgraded too.
func (d *DB) Tidy(ctx context.Context) error {
	if !d.Shared() {
		return nil
	}
	now := d.Now()
	since := max(now.Add(-overlooked).UnixMicro(), d.tidied.Load()-stillTakenIn.Microseconds())
	err := d.Update(ctx, Recoverable, func(tx *Tx) {
		ids, err := Column[string](ctx, tx, `SELECT id FROM profile WHERE `+listed+` AND created_us > ?
			AND NOT EXISTS (SELECT 1 FROM listing WHERE profile_id = profile.id)`, since)
		tx.Fail(err)
		for _, id := range ids {
			tx.List(id)
		}
	})
	if err == nil {
		d.tidied.Store(now.UnixMicro())
	}
	return errors.Join(err, d.dialect.named(d.dialect.tidy(ctx)))
}
