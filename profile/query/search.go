package query

import (
	"context"
	"runtime"
	"slices"
	"sync"
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

// slowly is how long the first batch takes at most before the clock is looked at within it, and
// quickly how long one may take for the next to be of twice as many rows: what each costs beside
// the rows is then soon nothing, and who waits still sees how far it got.
const (
	slowly  = 500 * time.Millisecond
	quickly = 20 * time.Millisecond
)

// Search goes on with a search of rows that takes time: batch looks at the rows from one
// to before another, step at first and then more, and puts those that match into found, counted
// from the first of them. It may look at fewer, a multiple of 64, once enough, and says how far it
// got.
func Search(ctx context.Context, p *stored.Profile, what string, rows, step int,
	batch func(from, to int, found Bitset, enough func() bool) (int, error)) (*Found, error) {
	return stored.Grown(ctx, p, what, func() (*Found, func(context.Context, func(*Found)) error, error) {
		now := &Found{Matching: NewBitset(rows), rows: rows}
		return now, func(budget context.Context, show func(*Found)) error {
			for most := step; now.Scanned < rows; {
				to := min(now.Scanned+most, rows)
				found := NewBitset(to - now.Scanned)
				began := time.Now()
				to, err := batch(now.Scanned, to, found, func() bool {
					return budget.Err() != nil && (most > step || time.Since(began) > slowly)
				})
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
				if time.Since(began) < quickly {
					most *= 2
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
	demangled, _ := stored.Kept[packedNames](p, demangledKey(table, column))
	size := pieceRows(plain)
	return Search(ctx, p, CacheKey("names", table.Root(), column, *n), rows, PackedBatch,
		func(from, to int, found Bitset, enough func() bool) (int, error) {
			return searchPacked(from, to, size, enough, func(lo, hi int) {
				first := lo / PackedBatch * PackedBatch
				batch := plain[lo/PackedBatch]
				var full *names.Lines
				if demangled != nil {
					full = demangled[lo/PackedBatch]
				}
				hit := func(i int) { found.Set(uint32(first + i - from)) }
				m.Among(batch, full, lo-first, hi-first, func(i int) {
					if len(path.prefix) == 0 || path.Match(batch.At(i)) { // names are not fetched for nothing
						hit(i)
					}
				})
				for i := lo - first; i < hi-first && other != nil; i++ {
					if match(other(batch.At(i))) {
						hit(i)
					}
				}
			})
		})
}

// piece is how many rows are looked at between two looks at the clock; a multiple of 64. Packed
// names are looked at by so many bytes where that is more.
const (
	piece      = 1 << 10
	pieceBytes = 1 << 20
)

// pieceRows is how many packed names are a piece: a part of a batch.
func pieceRows(names packedNames) int {
	size := PackedBatch / 2
	for _, batch := range names {
		for size > piece && batch.Bytes()/int64(batch.Len())*int64(size) > pieceBytes {
			size /= 2
		}
	}
	return size
}

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

// searchPacked looks at the names from one, a multiple of 64, to before another, in pieces of so many
// of one batch, on every core: each takes the next until that is enough. It says how far they got.
func searchPacked(from, to, size int, enough func() bool, search func(from, to int)) (int, error) {
	var mu sync.Mutex
	take := func(stop bool) (lo, hi int) {
		mu.Lock()
		defer mu.Unlock()
		if stop {
			to = min(to, from)
		}
		lo, from = from, min(to, (from/size+1)*size) // words of a bitset must not be shared
		return lo, from
	}
	g, _ := recovery.WithContext(context.Background())
	for range min(runtime.GOMAXPROCS(0), (to-from+size-1)/size) {
		g.Go(func() error {
			for lo, hi := take(false); lo < hi; lo, hi = take(enough()) {
				search(lo, hi)
			}
			return nil
		})
	}
	err := g.Wait()
	return from, err
}

// searchRows looks at the names of rows.
func searchRows(table *btree.Table, from, to, column int, match func([]byte) bool, found func(i int)) error {
	hits := make([]bool, to-from) // words of a bitset would be shared between workers
	err := stored.EachRowOf(context.Background(), table, "names", from+1, to, func(row *btree.Row) error {
		hits[int(row.ID)-1-from] = match(row.Bytes(column))
		return nil
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
