package collected

import (
	"bytes"
	"cmp"

	"proflens/internal/bytesort"
)

// SortByName sorts records by name bytes, FuncHash, file order, and tells which have the
// name of the one before.
func (c *Collection) SortByName(indices []uint32) (same []bool) {
	return bytesort.Sort(indices, func(i uint32) []byte { return c.NameOf(c.records.at(i)) }, c.compareHashes)
}

// CompareNames orders records so, two at a time.
func (c *Collection) CompareNames(a, b uint32) int {
	return cmp.Or(bytes.Compare(c.NameOf(c.records.at(a)), c.NameOf(c.records.at(b))), c.compareHashes(a, b))
}

// compareHashes orders records of one name by FuncHash, file order.
func (c *Collection) compareHashes(a, b uint32) int {
	return cmp.Or(cmp.Compare(c.records.at(a).FuncHash, c.records.at(b).FuncHash), cmp.Compare(a, b))
}
