package collected

import (
	"bytes"
	"cmp"
	"encoding/binary"

	"proflens/internal/bytesort"
)

// SortByName sorts records by name bytes, FuncHash, file order, and tells which have the
// name of the one before.
func (c *Collection) SortByName(indices []uint32) (same []bool) {
	return bytesort.Sort(indices, func(i uint32) []byte { return c.NameOf(c.records.at(i)) }, c.compareHashes)
}

// NameBegins are, by record, seven bytes of its name behind what all names begin with,
// big-endian and filled up with zeros, as is the eighth: names whose begins differ are in the order of these.
func (c *Collection) NameBegins() []uint64 {
	var common []byte
	first := true
	for r := range c.All() {
		name := c.NameOf(r)
		if first {
			common, first = name, false
		}
		for !bytes.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	begins := make([]uint64, 0, c.Len())
	for r := range c.All() {
		name := c.NameOf(r)[len(common):]
		var b [8]byte
		copy(b[:7], name)
		begins = append(begins, binary.BigEndian.Uint64(b[:]))
	}
	return begins
}

// CompareNames orders records so, two at a time.
func (c *Collection) CompareNames(a, b uint32) int {
	return cmp.Or(bytes.Compare(c.NameOf(c.records.at(a)), c.NameOf(c.records.at(b))), c.compareHashes(a, b))
}

// compareHashes orders records of one name by FuncHash, file order.
func (c *Collection) compareHashes(a, b uint32) int {
	return cmp.Or(cmp.Compare(c.records.at(a).FuncHash, c.records.at(b).FuncHash), cmp.Compare(a, b))
}
