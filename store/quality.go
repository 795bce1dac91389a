package store

import (
	"context"
	"fmt"
	"math"

	"proflens/analyze"
	"proflens/store/btree"
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
	// QualityHashes is for names with records of more than one FuncHash, plain
	// and context-sensitive ones apart.
	QualityHashes Quality = "hashes"
)

// qualityMarks are the oddities that a record shows by itself.
var qualityMarks = map[Quality]analyze.Mark{
	QualitySaturated: analyze.Saturated, QualityAllOnes: analyze.AllOnes, QualityEntryZero: analyze.EntryZero, QualityNoName: analyze.NoName,
}

// qualityTest tests for any of several oddities. The error is a QualityError,
// the context's, or about the file.
func (p *Profile) qualityTest(ctx context.Context, any []Quality, traits *column) (func(i uint32) bool, error) {
	var marks analyze.Mark
	var hashes bitset
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
		return analyze.Mark(traits.at(i)>>traitMarks)&marks != 0 || hashes != nil && hashes.has(i)
	}, nil
}

// QualityError is returned for an oddity that does not exist.
type QualityError struct{ Quality Quality }

// Error names it.
func (e *QualityError) Error() string { return fmt.Sprintf("no quality %q", string(e.Quality)) }

// severalHashes are the records of which others have the same name and are
// plain or context-sensitive as they are. It walks the names, once.
func (p *Profile) severalHashes(ctx context.Context, traits *column) (bitset, error) {
	v, err := p.cached(ctx, "several hashes", func() (any, int64, error) {
		found := newBitset(p.rows)
		c := p.name.Cursor()
		n := 0
		for ok := c.Find(math.MinInt64); ok; ok = c.Next() {
			if n++; n%checkEvery == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			row, err := c.Row()
			if err != nil {
				return nil, 0, err
			}
			if row.IsNull(2) {
				continue
			}
			if err := p.addRepeated(found, row, traits); err != nil {
				return nil, 0, err
			}
		}
		return found, int64(len(found)) * 8, c.Err()
	})
	if err != nil {
		return nil, err
	}
	return v.(bitset), nil
}

// addRepeated adds the records of a row of the name table to found.
func (p *Profile) addRepeated(found bitset, row *btree.Row, traits *column) error {
	entry, err := readName(row)
	if err != nil {
		return err
	}
	var apart [2][]uint32 // plain, context-sensitive
	for _, rank := range entry.ranks {
		if rank < 1 || rank > p.rows {
			if p.storing {
				continue // not in the preview
			}
			return errOr(nil, "rank %d of %d in the names", rank, p.rows)
		}
		i := uint32(rank - 1)
		cs := traits.at(i) & traitCS / traitCS
		apart[cs] = append(apart[cs], i)
	}
	for _, records := range apart {
		if len(records) > 1 {
			for _, i := range records {
				found.set(i)
			}
		}
	}
	return nil
}

// qualityMeta are the figures as rows of the table meta.
func qualityMeta(q *analyze.QualityFigures) []metaFigure {
	list := []metaFigure{
		{"saturated_counters", &q.SaturatedCounters}, {"saturated", &q.Saturated}, {"all_ones", &q.AllOnes},
		{"entry_zero", &q.EntryZero}, {"no_name", &q.NoName},
		{"several_hashes", &q.SeveralHashes}, {"hash_records", &q.HashRecords},
	}
	for kind := range q.FullSites {
		list = append(list, metaFigure{fmt.Sprintf("full_sites_%d", kind), &q.FullSites[kind]}, metaFigure{fmt.Sprintf("short_sites_%d", kind), &q.ShortSites[kind]})
	}
	return list
}

// metaFigure is a number of the table meta, and where it is kept.
type metaFigure struct {
	key   string
	value *uint64
}
