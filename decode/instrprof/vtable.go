package instrprof

import (
	"cmp"
	"iter"
	"slices"
)

// VTable is where a virtual table stood in the memory of a profiled program: a
// record of the VTable section of raw profiles (instrprof.md §2.6). A vtable can
// stand at several addresses: in several libraries, or in several runs.
type VTable struct {
	NameRef uint64 // of its PGO name
	Address uint64 `col:"address" is:"address"` // of its first byte
	Size    uint64 `col:"size" is:"plain"`      // bytes
}

// eachVTable yields the vtable records of a profile that have an address, in
// the file's order.
func (p *rawPart) eachVTable() iter.Seq[VTable] {
	return func(yield func(VTable) bool) {
		order, size := byteOrder(p.bigEndian), int(vtableSize(p.pointerSize))
		for b := p.vtables.bytes; len(b) >= size; b = b[size:] {
			v := VTable{order.Uint64(b), order.Uint64(b[8:]), uint64(order.Uint32(b[8+p.pointerSize:]))}
			if p.pointerSize == 4 {
				v.Address = uint64(order.Uint32(b[8:]))
			}
			if v.Address != 0 && !yield(v) {
				return
			}
		}
	}
}

// SortedVTables sorts vtables by address and leaves out those that are there
// twice, as in runs of a program that is always loaded at one address.
func SortedVTables(in []VTable) []VTable {
	out := slices.Clone(in)
	slices.SortFunc(out, func(a, b VTable) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Size, b.Size), cmp.Compare(a.NameRef, b.NameRef))
	})
	return slices.Compact(out)
}
