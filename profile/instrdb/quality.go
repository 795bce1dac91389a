package instrdb

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Quality is something odd about function records, by which they can be
// selected.
type Quality string

// The oddities; analyze says what each is.
const (
	QualitySaturated Quality = "saturated"  // analyze.Saturated
	QualityAllOnes   Quality = "all-ones"   // analyze.AllOnes
	QualityEntryZero Quality = "entry-zero" // analyze.EntryZero
	QualityNoName    Quality = "no-name"    // analyze.NoName
	QualityPseudo    Quality = "pseudo"     // analyze.Pseudo
	// QualityHashes is for names with records of more than one FuncHash, plain
	// and context-sensitive ones apart.
	QualityHashes Quality = "hashes"
)

// qualityMarks are the oddities that a record shows by itself.
var qualityMarks = map[Quality]analyze.Mark{
	QualitySaturated: analyze.Saturated, QualityAllOnes: analyze.AllOnes, QualityEntryZero: analyze.EntryZero,
	QualityNoName: analyze.NoName, QualityPseudo: analyze.Pseudo,
}

// qualityTest tests for any of several oddities. The error is a QualityError,
// the context's, or about the file.
func (p *Profile) qualityTest(ctx context.Context, any []Quality, traits *columnValues) (func(i uint32) bool, error) {
	var marks analyze.Mark
	var hashes query.Bitset
	for _, q := range any {
		mark, ok := qualityMarks[q]
		switch {
		case ok:
			marks |= mark
		case q == QualityHashes:
			var err error
			if hashes, err = p.severalHashes(ctx, traits); err != nil {
				return nil, err
			}
		default:
			return nil, &QualityError{q}
		}
	}
	return func(i uint32) bool {
		return analyze.Mark(traits.at(i)>>traitMarks)&marks != 0 || hashes != nil && hashes.Has(i)
	}, nil
}

// QualityError is returned for an oddity that does not exist.
type QualityError struct{ Quality Quality }

// Error names it.
func (e *QualityError) Error() string { return fmt.Sprintf("no quality %q", string(e.Quality)) }

// severalHashes are the records of which others have the same name and are
// plain or context-sensitive as they are. It walks the names, once.
func (p *Profile) severalHashes(ctx context.Context, traits *columnValues) (query.Bitset, error) {
	return stored.Cached(ctx, p.Profile, "several hashes", func() (query.Bitset, int64, error) {
		found := query.NewBitset(p.rows)
		err := p.EachRow(ctx, "name", func(row *btree.Row) error {
			if row.IsNull(2) {
				return nil
			}
			return p.addRepeated(found, row, traits)
		})
		return found, int64(len(found)) * 8, err
	})
}

// addRepeated adds the records of a row of the name table to found.
func (p *Profile) addRepeated(found query.Bitset, row *btree.Row, traits *columnValues) error {
	var apart [2][]uint32 // plain, context-sensitive
	for _, rank := range readName(row).ranks {
		if rank < 1 || rank > p.rows {
			if p.Storing() {
				continue // not in the preview
			}
			return stored.Damaged("rank %d of %d in the names", rank, p.rows)
		}
		i := uint32(rank - 1)
		cs := traits.at(i) & traitCS / traitCS
		apart[cs] = append(apart[cs], i)
	}
	for _, records := range apart {
		if len(records) > 1 {
			for _, i := range records {
				found.Set(i)
			}
		}
	}
	return nil
}
