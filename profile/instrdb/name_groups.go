package instrdb

import (
	"context"
	"encoding/binary"
	"hash/maphash"

	"proflens/names"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// nameGroups numbers the names of the first records as they read in one mode:
// records with the same number have names that read the same. It is immutable.
type nameGroups struct {
	of     []uint32    // by rank, from rank 1 at index 0
	hashes []shownName // by number
	rows   int
}

// Bytes implements [stored.Growing].
func (g *nameGroups) Bytes() int64 { return int64(len(g.of))*4 + int64(len(g.hashes))*16 }

// Whole implements [stored.Growing].
func (g *nameGroups) Whole() bool { return len(g.of) == g.rows }

// shownName stands for a name as it is shown: 128 bits of it. The names
// themselves would take a hundred bytes each.
type shownName [2]uint64

// shownSeeds keep those who write files from choosing names that collide.
var shownSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func newShownName(text string) (n shownName) {
	for i, seed := range shownSeeds {
		n[i] = maphash.String(seed, text)
	}
	return n
}

// shownNameOf is how a record's name reads in a mode. Records without a name
// differ by their MD5, and from every name.
func shownNameOf(pgo []byte, ref uint64, mode names.Mode) shownName {
	if len(pgo) == 0 {
		return newShownName(string(binary.LittleEndian.AppendUint64([]byte{0}, ref)))
	}
	_, linkage := names.Split(pgo)
	return newShownName(names.Demangle(linkage, mode))
}

// nameGroups numbers names as they read in a mode, as far as it gets.
func (p *Profile) nameGroups(ctx context.Context, mode names.Mode) (*nameGroups, error) {
	return stored.Grown(ctx, p.Profile, "name groups "+string(mode),
		func() (*nameGroups, func(context.Context, func(*nameGroups)) error, error) {
			now := nameGroups{rows: p.rows}
			numbers := map[shownName]uint32{}
			return new(now), func(budget context.Context, show func(*nameGroups)) error {
				for !now.Whole() {
					if err := p.addGroups(&now, numbers, mode); err != nil {
						return err
					}
					show(new(now)) // what is appended is not seen by those who have an earlier state
					if budget.Err() != nil {
						break
					}
				}
				return nil
			}, nil
		})
}

// demangleBatch is how many records are demangled between two looks at the clock:
// few, since hostile names take long.
const demangleBatch = 2048

// addGroups numbers the names of a batch of records.
func (p *Profile) addGroups(now *nameGroups, numbers map[shownName]uint32, mode names.Mode) error {
	from := len(now.of)
	to := min(from+demangleBatch, p.rows)
	batch := make([]shownName, to-from)
	err := p.eachRow(context.Background(), from+1, to, func(row *btree.Row) error {
		batch[int(row.ID)-1-from] = shownNameOf(row.Bytes(fnName), row.Uint(fnNameRef), mode)
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range batch {
		number, ok := numbers[name]
		if !ok {
			number = uint32(len(now.hashes))
			numbers[name] = number
			now.hashes = append(now.hashes, name)
		}
		now.of = append(now.of, number)
	}
	return nil
}

// matchShown finds the records whose name reads like this in a mode, among the
// first scanned.
func (p *Profile) matchShown(ctx context.Context, shown string, mode names.Mode) (*query.Found, error) {
	g, err := p.nameGroups(ctx, mode)
	if err != nil {
		return nil, err
	}
	want := newShownName(shown)
	wanted := make([]bool, len(g.hashes))
	for number, name := range g.hashes {
		wanted[number] = name == want
	}
	return query.FoundBy(p.rows, len(g.of), func(i uint32) bool { return wanted[g.of[i]] }), nil
}
