package memprof

import (
	"encoding/binary"
	"hash/maphash"
)

// sites tells contexts apart in files that have them by function: a context
// stands in the record of every function that its leaf is inlined into, while
// several of one stack in one record are several contexts (memprof.md §2.5,
// §2.6).
type sites struct {
	known map[siteKey]uint32 // numbers of contexts
	nth   map[siteKey]nthSite
	seed  maphash.Seed
}

type siteKey struct {
	stack StackID
	mib   uint64 // hash of the MIB
	nth   uint32 // of those with this stack and MIB in one record
}

// nthSite counts within a record.
type nthSite struct {
	record int
	n      uint32
}

func newSites() *sites {
	return &sites{known: map[siteKey]uint32{}, nth: map[siteKey]nthSite{}, seed: maphash.MakeSeed()}
}

// find looks for the context of a stack and a MIB, by its hash, in a record of
// which earlier ones have been looked for.
func (s *sites) find(record int, stack StackID, mib uint64) (key siteKey, number uint32, ok bool) {
	key = siteKey{stack: stack, mib: mib}
	count, ok := s.nth[key]
	if !ok || count.record != record {
		count = nthSite{record: record}
	}
	bare := key
	key.nth = count.n
	count.n++
	s.nth[bare] = count
	number, ok = s.known[key]
	return key, number, ok
}

// add keeps the number of a new context.
func (s *sites) add(key siteKey, number uint32) uint32 {
	s.known[key] = number
	return number
}

// hash is the hash of a MIB.
func (s *sites) hash(mib *MIB) uint64 {
	b := make([]byte, 0, 256)
	b = binary.LittleEndian.AppendUint32(b, uint32(mib.Schema))
	for _, v := range mib.Values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return maphash.Bytes(s.seed, b)
}
