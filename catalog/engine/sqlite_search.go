package engine

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"
)

// Of so many parts of what is looked for it is seen how rare they are, by the newest so many
// listings that have them, and the index is asked for so many of them: the rarest, and others
// that less than half of the listings have.
const (
	weighed   = 32
	weighedBy = 100
	rarest    = 3
)

// search asks the index for the rarest three letters of the words, and looks for the words in
// what has those: most words have some that half of all listings have too.
func (s *sqliteFile) search(ctx context.Context, q Querier, words string) (Search, error) {
	type part struct {
		quoted string
		oldest int64 // of the newest that have it; 0: fewer than those have it
		count  int
	}
	var parts []part
	runes := []rune(words)
	seen := map[string]bool{}
	for i := 0; i+trigram <= len(runes) && len(parts) < weighed; i++ {
		p := part{quoted: `"` + strings.ReplaceAll(string(runes[i:i+trigram]), `"`, `""`) + `"`}
		if seen[p.quoted] {
			continue
		}
		seen[p.quoted] = true
		err := q.QueryRowContext(ctx, `SELECT count(*), coalesce(min(doc), 0) FROM
			(SELECT rowid AS doc FROM found WHERE found MATCH ? ORDER BY rowid DESC LIMIT ?)`,
			p.quoted, weighedBy).Scan(&p.count, &p.oldest)
		if err != nil {
			return Search{}, err
		}
		if p.count < weighedBy {
			p.oldest = 0
		}
		parts = append(parts, p)
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.oldest, b.oldest), a.count-b.count) })
	var newest, oldest int64
	err := q.QueryRowContext(ctx, `SELECT coalesce(max(doc), 0), coalesce(min(doc), 0) FROM
		(SELECT doc FROM listing ORDER BY doc DESC LIMIT ?)`, weighedBy).Scan(&newest, &oldest)
	if err != nil {
		return Search{}, err
	}
	var all []string
	for i, p := range parts[:min(rarest, len(parts))] {
		if i == 0 || newest-p.oldest > 2*(newest-oldest) {
			all = append(all, p.quoted)
		}
	}
	return Search{
		From:  `found CROSS JOIN listing ON listing.doc = found.rowid`,
		Where: `found MATCH ? AND instr(listing.words, ?) > 0`, Doc: `found.rowid`,
		Args: []any{strings.Join(all, " AND "), words},
	}, nil
}

// gather adds to the index what was listed, once that is there: it keeps more in memory then,
// and has no other statement between.
func (s *sqliteFile) gather(ctx context.Context, tx *sql.Tx, of int, add func() error) error {
	var trigger string
	err := tx.QueryRowContext(ctx, `SELECT sql FROM sqlite_schema WHERE name = 'listing_added'`).Scan(&trigger)
	if err == nil {
		_, err = tx.ExecContext(ctx, muchCached+`; DROP TRIGGER listing_added;
			INSERT INTO found (found, rank) VALUES ('hashsize', 16777216)`)
	}
	if err == nil {
		err = add()
	}
	tell := progress(ctx, "Indexing the words of profiles", of)
	for done, last := 0, int64(math.MinInt64); err == nil && done < of; done += toldAfter {
		tell(done)
		_, err = tx.ExecContext(ctx, `INSERT INTO found (rowid, words)
			SELECT doc, words FROM listing WHERE doc > ? ORDER BY doc LIMIT ?`, last, toldAfter)
		if err == nil {
			err = tx.QueryRowContext(ctx, `SELECT max(doc) FROM (SELECT doc FROM listing WHERE doc > ? ORDER BY doc LIMIT ?)`,
				last, toldAfter).Scan(&last)
		}
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO found (found, rank) VALUES ('hashsize', 1048576); `+trigger)
	}
	return err
}

// indexWords has no more to do: the index is there, and kept up to date, since the migration.
func (s *sqliteFile) indexWords(ctx context.Context) error {
	_, err := s.db.Write.ExecContext(ctx, usuallyCached)
	return err
}

func (s *sqliteFile) tidy(context.Context) error { return nil }
