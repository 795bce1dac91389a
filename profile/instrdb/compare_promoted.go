package instrdb

import (
	"bytes"
	"context"
	"hash/maphash"
	"slices"

	"proflens/profile/table"
)

// ThinLTO promotes a local function that another module calls, and calls it NAME.llvm.N:
// N is a hash of its module, which is another in each build.

// promotedRecord is a record without a partner of its name.
type promotedRecord struct {
	side     int
	rank     uint32
	hash     uint64 // FuncHash
	cs       bool
	promoted bool
	name     uint64 // a hash of it, without .llvm.N
}

// pairPromoted pairs records that are left over by their names without .llvm.N: first by
// FuncHash, where one each is left of it, then without, where one each is left of the
// name. At least one of the two was promoted.
func (j *joiner) pairPromoted(ctx context.Context, base, test *Profile) error {
	var left []promotedRecord
	seed, names := maphash.MakeSeed(), map[uint64]bool{} // of those that were promoted
	for _, promoted := range []bool{true, false} {
		for side, p := range []*Profile{base, test} {
			list, columns := j.pairs, j.base
			if side == 1 {
				list, columns = j.without, j.test
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
				pgo, err := row.Bytes(fnName)
				if err != nil {
					return err
				}
				name := withoutPromotion(pgo)
				if r := (promotedRecord{side: side, rank: rank, promoted: len(name) < len(pgo),
					name: maphash.Bytes(seed, name)}); r.promoted == promoted && (promoted || names[r.name]) {
					r.hash, r.cs = columns[hashColumn].at(rank-1), columns[traitsColumn].at(rank-1)&traitCS != 0
					left = append(left, r)
					names[r.name] = true
				}
			}
		}
		if len(left) == 0 {
			return nil
		}
	}
	type key struct {
		name uint64
		cs   bool
		hash uint64
	}
	partner := map[uint32]uint32{} // of the test profile, by that of the base
	taken := map[uint32]bool{}     // of the test profile
	for _, byHash := range []bool{true, false} {
		groups := map[key]*[2][]*promotedRecord{}
		for i := range left {
			r := &left[i]
			if partner[r.rank] != 0 && r.side == 0 || taken[r.rank] && r.side == 1 {
				continue
			}
			k := key{name: r.name, cs: r.cs}
			if byHash {
				k.hash = r.hash
			}
			if groups[k] == nil {
				groups[k] = new([2][]*promotedRecord)
			}
			groups[k][r.side] = append(groups[k][r.side], r)
		}
		for _, g := range groups {
			if len(g[0]) == 1 && len(g[1]) == 1 && (g[0][0].promoted || g[1][0].promoted) {
				partner[g[0][0].rank] = g[1][0].rank
				taken[g[1][0].rank] = true
			}
		}
	}
	for b, t := range partner {
		j.pairs[b-1] = pair{base: b, test: t, state: table.Matched, promoted: true}
	}
	j.without = slices.DeleteFunc(j.without, func(p pair) bool { return taken[p.test] })
	return nil
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
