package query

import (
	"context"
	"runtime"
	"slices"
	"time"

	"proflens/analyze"
	"proflens/internal/recovery"
	"proflens/names"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Found is how far a search has looked, and what it found. It is immutable.
type Found struct {
	Matching Bitset
	Scanned  int // rows looked at, from the first
	rows     int
}

// Bytes implements [stored.Growing].
func (f *Found) Bytes() int64 { return int64(len(f.Matching))*8 + 128 }

// Whole implements [stored.Growing].
func (f *Found) Whole() bool { return f.Scanned == f.rows }

// FoundBy is what a test finds among the first scanned of so many rows.
func FoundBy(rows, scanned int, test Test) *Found {
	f := &Found{NewBitset(rows), scanned, rows}
	for i := range uint32(scanned) {
		if test(i) {
			f.Matching.Set(i)
		}
	}
	return f
}

// And is what two searches of the same rows both find, as far as both have
// looked; the other where one is nil.
func (f *Found) And(o *Found) *Found {
	switch {
	case f == nil:
		return o
	case o == nil:
		return f
	}
	return &Found{slices.Clone(f.Matching).And(o.Matching), min(f.Scanned, o.Scanned), f.rows}
}

// SearchBatch is how many rows are looked at between two looks at the clock, and
// PackedBatch how many whose names are packed; multiples of 64, so that batches share no
// word of a bitset.
const (
	SearchBatch = 1 << 13
	PackedBatch = 1 << 15
)

// slowly is how long a batch takes at most before the clock is looked at within it.
const slowly = 500 * time.Millisecond

// Search goes on with a search of rows that takes time: batch looks at the rows from one
// to before another, step at most, and puts those that match into found, counted from the
// first of them. It may look at fewer, a multiple of 64, once enough, and says how far it
// got.
func Search(ctx context.Context, p *stored.Profile, what string, rows, step int,
	batch func(from, to int, found Bitset, enough func() bool) (int, error)) (*Found, error) {
	return stored.Grown(ctx, p, what, func() (*Found, func(context.Context, func(*Found)) error, error) {
		now := &Found{Matching: NewBitset(rows), rows: rows}
		return now, func(budget context.Context, show func(*Found)) error {
			for now.Scanned < rows {
				to := min(now.Scanned+step, rows)
				found := NewBitset(to - now.Scanned)
				began := time.Now()
				to, err := batch(now.Scanned, to, found, func() bool { return budget.Err() != nil && time.Since(began) > slowly })
				if err != nil {
					return err
				}
				next := &Found{slices.Clone(now.Matching), to, rows}
				copy(next.Matching[now.Scanned/64:], found)
				now = next
				show(now)
				stored.Report(budget, "Searching", to, rows)
				if budget.Err() != nil {
					break
				}
			}
			return nil
		}, nil
	})
}

// Names selects rows by their names.
type Names struct {
	Text   string // words of the mangled or demangled name, in any order, ASCII case ignored
	Regexp string // RE2 over the mangled or demangled name, case matters
	// prefix of the file path with a ';' behind it, so that "a.c;" is that file alone and ";" no path
	Path    string
	Rewrite []analyze.Rewrite // for Path
}

// Any reports whether anything is selected.
func (n *Names) Any() bool { return n.Text != "" || n.Regexp != "" || n.Path != "" }

// Match goes on with a search of the names in a column of a table of n rows, whose
// ids count from 1. other, which may be nil, gives another way to write a name
// that may match as well. Errors are that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (n *Names) Match(ctx context.Context, p *stored.Profile, table *btree.Table, rows, column int,
	other func(name []byte) []byte) (*Found, error) {
	m, err := names.NewMatcher(n.Text, n.Regexp)
	if err != nil {
		return nil, err
	}
	path := NewPathPrefix(n.Path, n.Rewrite)
	match := func(name []byte) bool { return path.Match(name) && m.Match(name) }
	plain, err := packed(ctx, p, table, rows, column)
	if err != nil {
		return nil, err
	}
	if plain == nil {
		return Search(ctx, p, CacheKey("names", table.Root(), column, *n), rows, SearchBatch,
			func(from, to int, found Bitset, enough func() bool) (int, error) {
				return inPieces(from, to, piece, enough, func(lo, hi int) error {
					return searchRows(table, lo, hi, column,
						func(name []byte) bool {
							return match(name) || other != nil &&
								match(other(name))
						}, func(i int) { found.Set(uint32(i - from)) })
				})
			})
	}
	return Search(ctx, p, CacheKey("names", table.Root(), column, *n), rows, PackedBatch,
		func(from, to int, found Bitset, enough func() bool) (int, error) {
			to = min(to, (from/PackedBatch+1)*PackedBatch)
			batch, first := plain[from/PackedBatch], from%PackedBatch
			var full *names.Lines
			if demangled, ok := stored.Kept[packedNames](p, demangledKey(table, column)); ok && demangled != nil {
				full = demangled[from/PackedBatch]
			}
			step := max(piece, pieceBytes/(batch.Bytes()/int64(batch.Len())+1)&^63)
			reached, err := inPieces(first, first+to-from, int(step), enough, func(lo, hi int) error {
				return searchPacked(lo, hi, func(from, to int) {
					hit := func(i int) { found.Set(uint32(i - first)) }
					m.Among(batch, full, from, to, func(i int) {
						if len(path.prefix) == 0 || path.Match(batch.At(i)) { // names are not fetched for nothing
							hit(i)
						}
					})
					for i := from; i < to && other != nil; i++ {
						if match(other(batch.At(i))) {
							hit(i)
						}
					}
				})
			})
			return from + reached - first, err
		})
}

// piece is how many rows are looked at between two looks at the clock where names are so
// long that a batch of them takes seconds; a multiple of 64. Packed names are looked at by so
// many bytes where that is more: cores that begin together cost more than they look at.
const (
	piece      = 1 << 10
	pieceBytes = 2 << 20
)

// inPieces looks at rows from one to before another until that is enough, and says how far
// it got.
func inPieces(from, to, piece int, enough func() bool, look func(from, to int) error) (int, error) {
	for from < to {
		next := min(from+piece, to)
		if err := look(from, next); err != nil {
			return from, err
		}
		if from = next; enough() {
			break
		}
	}
	return from, nil
}

// searchPacked looks at the names of a batch from one, a multiple of 64, to before another,
// on every core.
func searchPacked(from, to int, search func(from, to int)) error {
	g, _ := recovery.WithContext(context.Background())
	words := (to - from + 63) / 64
	workers := min(runtime.GOMAXPROCS(0), words)
	for w := range workers {
		g.Go(func() error { // words of a bitset must not be shared
			search(from+w*words/workers*64, min(from+(w+1)*words/workers*64, to))
			return nil
		})
	}
	return g.Wait()
}

// searchRows looks at the names of rows.
func searchRows(table *btree.Table, from, to, column int, match func([]byte) bool, found func(i int)) error {
	hits := make([]bool, to-from) // words of a bitset would be shared between workers
	err := stored.EachRowOf(context.Background(), table, "names", from+1, to, func(row *btree.Row) error {
		name, err := row.Bytes(column)
		hits[int(row.ID)-1-from] = err == nil && match(name)
		return err
	})
	for i, hit := range hits {
		if hit {
			found(from + i)
		}
	}
	return err
}

// Resumed is the value of a query with a search: from the cache when it was asked
// for before, else made of what the search found, which is nil without one. That
// of a part, while the search goes on, is not kept.
func Resumed[T any](ctx context.Context, p *stored.Profile, what string, rows int, search func() (*Found, error),
	make func(named Bitset) (value T, size int64, err error)) (value T, scanned int, err error) {
	if value, ok := stored.Kept[T](p, what); ok {
		return value, rows, nil
	}
	found := &Found{Scanned: rows, rows: rows}
	if search != nil {
		if found, err = search(); err != nil {
			return value, 0, err
		}
	}
	if !found.Whole() {
		value, _, err = make(found.Matching)
		return value, found.Scanned, err
	}
	value, err = stored.Cached(ctx, p, what, func() (T, int64, error) { return make(found.Matching) })
	return value, rows, err
}
