package instrdb

import (
	"bytes"
	"cmp"

	"proflens/bytesort"
)

// sortByName sorts records by name bytes, FuncHash, file order, and tells which have the
// name of the one before.
func (c *collection) sortByName(indices []uint32) (same []bool) {
	return bytesort.Sort(indices, func(i uint32) []byte { return c.nameOf(c.records.at(i)) }, c.compareHashes)
}

// compareNames orders records so, two at a time.
func (c *collection) compareNames(a, b uint32) int {
	return cmp.Or(bytes.Compare(c.nameOf(c.records.at(a)), c.nameOf(c.records.at(b))), c.compareHashes(a, b))
}

// compareHashes orders records of one name by FuncHash, file order.
func (c *collection) compareHashes(a, b uint32) int {
	return cmp.Or(cmp.Compare(c.records.at(a).funcHash, c.records.at(b).funcHash), cmp.Compare(a, b))
}
