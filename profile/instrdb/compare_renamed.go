package instrdb

import (
	"bytes"
	"context"
	"hash/maphash"
	"slices"

	"proflens/names"
	"proflens/profile/table"
)

// Builds rename local functions. ThinLTO promotes one that another module calls, and calls it
// NAME.llvm.N: N is a hash of its module, which is another in each build. The path of the file
// before a static function's name has the folder of the build.

// lone is a record without a partner of its name.
type lone struct {
	side int // 0 base, 1 test
	rank uint32
	hash uint64 // FuncHash
	cs   bool
}

// promotedRecord is one that was promoted, or has the name of one that was.
type promotedRecord struct {
	lone
	promoted bool
	name     uint64 // a hash of it, without .llvm.N
}

// movedRecord is a static function.
type movedRecord struct {
	lone
	names [folders + 1]uint64 // hashes of the name behind so many folders of its file less
}

// folders is how many of those that a file is in may tell two static functions apart.
const folders = 3

// renaming pairs records that are left over by what builds leave of their names.
type renaming struct {
	*joiner
	promoted []promotedRecord
	moved    []movedRecord
	partner  [2]map[uint32]uint32 // by rank
}

// pairRenamed pairs records that are left over. Those of which one was promoted go by their
// names without .llvm.N: first by FuncHash, where one each is left of it, then without, where
// one each is left of the name. Static functions go by FuncHash and the name of their file,
// with as many of its folders as make one each.
func (j *joiner) pairRenamed(ctx context.Context, base, test *Profile) error {
	r := renaming{joiner: j, partner: [2]map[uint32]uint32{{}, {}}}
	if err := r.find(ctx, base, test); err != nil {
		return err
	}
	for _, byHash := range []bool{true, false} {
		pairUnique(&r, r.promoted, func(p *promotedRecord) (lone, uint64, bool) {
			of := p.lone
			if !byHash {
				of.hash = 0
			}
			return of, p.name, p.promoted
		})
	}
	for less := range folders + 1 {
		pairUnique(&r, r.moved, func(m *movedRecord) (lone, uint64, bool) { return m.lone, m.names[less], true })
	}
	for b, t := range r.partner[0] {
		j.pairs[b-1] = pair{base: b, test: t, state: table.Matched, renamed: true}
	}
	j.without = slices.DeleteFunc(j.without, func(p pair) bool { return r.partner[1][p.test] != 0 })
	return nil
}

// pairUnique pairs what is the only one of its key on either side, where one of the two may.
func pairUnique[R any](r *renaming, list []R, keyOf func(*R) (of lone, name uint64, may bool)) {
	type key struct {
		name uint64
		cs   bool
		hash uint64
	}
	type group struct {
		n    [2]int
		rank [2]uint32
		may  bool
	}
	groups := map[key]*group{}
	for i := range list {
		of, name, may := keyOf(&list[i])
		if r.partner[of.side][of.rank] != 0 {
			continue
		}
		k := key{name, of.cs, of.hash}
		if groups[k] == nil {
			groups[k] = &group{}
		}
		g := groups[k]
		g.n[of.side]++
		g.rank[of.side] = of.rank
		g.may = g.may || may
	}
	for _, g := range groups {
		if g.n == [2]int{1, 1} && g.may {
			r.partner[0][g.rank[0]], r.partner[1][g.rank[1]] = g.rank[1], g.rank[0]
		}
	}
}

// find finds the records that are left over: first those that were promoted and the static
// ones, then those that have the name of one that was promoted.
func (r *renaming) find(ctx context.Context, base, test *Profile) error {
	seed, known := maphash.MakeSeed(), map[uint64]bool{} // names of those that were promoted
	for _, first := range []bool{true, false} {
		for side, p := range []*Profile{base, test} {
			list := r.pairs
			if side == 1 {
				list = r.without
			}
			records := p.records()
			for i := range list {
				if i%checkedPairs == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if list[i].state != table.OnlyBase && list[i].state != table.OnlyTest {
					continue
				}
				rank := max(list[i].base, list[i].test)
				row, err := records.find(int(rank))
				if err != nil {
					return err
				}
				pgo := row.Bytes(fnName)
				if err := row.Err(); err != nil {
					return err
				}
				of := lone{side: side, rank: rank, hash: row.Uint(fnFuncHash), cs: row.Int(fnCS) != 0}
				name := withoutPromotion(pgo)
				promoted, hash := len(name) < len(pgo), maphash.Bytes(seed, name)
				if promoted == first && (promoted || known[hash]) {
					r.promoted = append(r.promoted, promotedRecord{of, promoted, hash})
					known[hash] = true
				}
				if first {
					r.static(seed, of, name)
				}
			}
		}
		if len(r.promoted) == 0 {
			return nil
		}
	}
	return nil
}

// static notes a record if it is of a static function.
func (r *renaming) static(seed maphash.Seed, of lone, name []byte) {
	path, _ := names.Cut(name)
	if len(path) == 0 {
		return
	}
	m := movedRecord{lone: of}
	at := len(path)
	for less := folders; less >= 0; less-- {
		at = max(bytes.LastIndexAny(path[:max(at, 0)], "/\\"), -1)
		m.names[less] = maphash.Bytes(seed, name[at+1:])
	}
	r.moved = append(r.moved, m)
}

// checkedPairs is how many records pass between two looks at the context.
const checkedPairs = 4096

// withoutPromotion is a name without .llvm.N.
func withoutPromotion(name []byte) []byte {
	const mark = ".llvm."
	if at := bytes.LastIndex(name, []byte(mark)); at > 0 && len(name) > at+len(mark) &&
		len(bytes.Trim(name[at+len(mark):], "0123456789")) == 0 {
		return name[:at]
	}
	return name
}
