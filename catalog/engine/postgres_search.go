package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// pattern writes a pattern of LIKE that means the words themselves.
var pattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// likeWords is in what looks for words. It is planned for these words each time: the way to rare
// ones is not that to others.
const likeWords = `words LIKE $`

// collected is how many listings the index may collect: 0.1 s. Where the planner expects more to
// have the words, it is quicker to look at the older ones until enough are found.
const collected = 150_000

// search looks at the newest one by one, and then asks the index, which collects all that have
// the words first, or goes on.
func (p *postgresServer) search(ctx context.Context, q Querier, words string) (Search, error) {
	s := Search{
		From: `listing`, Where: `words LIKE ?`, Doc: `doc`, Args: []any{"%" + pattern.Replace(words) + "%"}, Newest: true,
	}
	var plan string
	if err := q.QueryRowContext(ctx, `EXPLAIN SELECT doc FROM listing WHERE `+s.Where, s.Args...).Scan(&plan); err != nil {
		return Search{}, err
	}
	_, rows, _ := strings.Cut(plan, " rows=")
	var expected int
	fmt.Sscan(rows, &expected) // 0 of a plan in other words
	s.Collect = expected <= collected
	return s, nil
}

func (p *postgresServer) gather(_ context.Context, _ *sql.Tx, _ int, add func() error) error {
	return add()
}

// indexWords needs an extension that comes with PostgreSQL, and a right to create it: without,
// words are found more slowly.
func (p *postgresServer) indexWords(ctx context.Context) error {
	const has = `SELECT to_regclass('listing_words') IS NOT NULL`
	var done bool
	if err := p.db.Write.QueryRowContext(ctx, has).Scan(&done); err != nil || done {
		return err
	}
	return p.alone(ctx, func(plain *sql.DB) error {
		err := plain.QueryRowContext(ctx, has).Scan(&done)
		for _, statement := range []string{
			`CREATE EXTENSION IF NOT EXISTS pg_trgm`, `CREATE INDEX listing_words ON listing USING gin (words gin_trgm_ops)`,
			`ANALYZE listing`,
		} {
			if err == nil && !done {
				_, err = plain.ExecContext(ctx, statement)
			}
		}
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && !lost(err) {
			p.db.unindexed = refused.Message
			return nil
		}
		return err
	})
}

// tidy adds up the changes of counts.
func (p *postgresServer) tidy(ctx context.Context) error {
	return p.db.Update(ctx, Recoverable, func(tx *Tx) {
		tx.Lock("counts")
		for _, table := range []struct{ name, keys string }{
			{"profile", "visibility, state, project, kinds"}, {"label", "key, value, project, ready"},
		} {
			for _, statement := range []string{
				`WITH done AS (DELETE FROM ` + table.name + `_change RETURNING *)
					INSERT INTO ` + table.name + `_counted AS counted
					SELECT ` + table.keys + `, sum(profiles) FROM done GROUP BY ` + table.keys + `
					HAVING sum(profiles) <> 0
					ON CONFLICT (` + table.keys + `) DO UPDATE SET profiles = counted.profiles + excluded.profiles`,
				`DELETE FROM ` + table.name + `_counted WHERE profiles = 0`, // of which there is an index
			} {
				tx.Exec(statement)
			}
		}
	})
}
