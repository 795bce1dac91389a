package engine

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
)

// Of so many parts of what is looked for it is seen how rare they are, by the newest so many
// listings that have them, and the index is asked for so many of them.
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
		err := q.QueryRowContext(ctx, `SELECT count(*), coalesce(min(doc), 0) FROM (SELECT rowid AS doc FROM found WHERE found MATCH ?
			ORDER BY rowid DESC LIMIT ?)`, p.quoted, weighedBy).Scan(&p.count, &p.oldest)
		if err != nil {
			return Search{}, err
		}
		if p.count < weighedBy {
			p.oldest = 0
		}
		parts = append(parts, p)
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.oldest, b.oldest), a.count-b.count) })
	var all []string
	for _, p := range parts[:min(rarest, len(parts))] {
		all = append(all, p.quoted)
	}
	return Search{
		From:  `found CROSS JOIN listing ON listing.doc = found.rowid`,
		Where: `found MATCH ? AND instr(listing.words, ?) > 0`, Doc: `found.rowid`,
		Args: []any{strings.Join(all, " AND "), words},
	}, nil
}

// gather has the index keep more in memory while much is added.
func (s *sqliteFile) gather(ctx context.Context, tx *sql.Tx, much bool) error {
	const little, more = 1 << 20, 64 << 20
	size := little
	if much {
		size = more
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO found (found, rank) VALUES ('hashsize', ?)`, size)
	return err
}

func (s *sqliteFile) indexWords(context.Context) error { return nil } // a migration has
func (s *sqliteFile) tidy(context.Context) error       { return nil }
