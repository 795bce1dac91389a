package instrprof

import (
	"encoding/binary"
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// valueReader reads ValueProfData blocks (instrprof.md §2.6), reusing its
// memory: what it read last is valid until it reads again. It does not remap
// values; raw profiles do that themselves.
type valueReader struct {
	values []Value
	sites  [NumValueKinds][]ValueSite
}

const (
	valueDataHeader   = 8  // TotalSize and NumValueKinds
	valueRecordHeader = 8  // Kind and NumValueSites
	valueDataSize     = 16 // Value and Count
)

// read reads the block at the cursor in the cursor's byte order, points sites
// at what it holds, and moves on by TotalSize. A kind that comes twice
// continues its first list of sites.
//
// A block of TotalSize 0 holds nothing and takes no bytes: that is how LLVM
// reads it, and the bytes that follow then start the next thing.
func (r *valueReader) read(c *wire.Cursor, sites *[NumValueKinds][]ValueSite) error {
	*sites = [NumValueKinds][]ValueSite{}
	if c.Remaining() < valueDataHeader {
		return c.Fail(model.KindTruncated, "TotalSize", "the data ends inside a value data block's header",
			wire.Plural(valueDataHeader, "byte"), c.Remaining())
	}
	if !c.Recording() && !c.BigEndian() && binary.LittleEndian.Uint64(c.Peek()) == valueDataHeader { // as of most
		c.Skip("ValueProfData", valueDataHeader)
		return nil
	}
	start := c.Offset()
	peek := *c
	total := peek.U32("TotalSize")
	kinds := peek.U32("NumValueKinds")
	switch {
	case uint64(total) > c.Remaining():
		return c.Fail(model.KindTooLarge, "TotalSize", "the value data block runs past the end of its data",
			fmt.Sprintf("at most %d", c.Remaining()), total)
	case total == 0:
		return nil
	case total%8 != 0:
		return model.InLLVM(c.Fail(model.KindMalformed, "TotalSize",
			"the size of the value data block is not a multiple of 8", "", total),
			": total size is not multiples of quardword")
	case kinds > NumValueKinds:
		return model.InLLVM(c.FailAt(start+4, model.KindMalformed, "NumValueKinds", "the number of value kinds is invalid",
			fmt.Sprintf("at most %d", NumValueKinds), kinds), ": number of value profile kinds is invalid")
	}
	if kinds == 0 {
		c.Skip("ValueProfData", uint64(total))
		return nil
	}
	return r.readKinds(c, total, kinds, sites)
}

// readKinds reads the records of a block whose header has been checked.
func (r *valueReader) readKinds(c *wire.Cursor, total, kinds uint32, sites *[NumValueKinds][]ValueSite) error {
	// No value can be elsewhere than in the block, so this is room for all and
	// the slices handed out never move.
	r.values = slices.Grow(r.values[:0], int(total)/valueDataSize)
	for k := range r.sites {
		r.sites[k] = r.sites[k][:0]
	}
	rest := *c
	rest.Skip("ValueProfData", uint64(total))
	end := rest.Offset()

	c.Skip("ValueProfData", valueDataHeader)
	for range kinds {
		if err := r.readKind(c, end); err != nil {
			return err
		}
	}
	*c = rest
	*sites = r.sites
	return nil
}

// pastTotal is what LLVM says of sites or values behind the end of their block.
const pastTotal = ": value profile address is greater than total size"

// readKind reads one ValueProfRecord, which must end by the file offset end.
func (r *valueReader) readKind(c *wire.Cursor, end uint64) error {
	start := c.Offset()
	if end-start < valueRecordHeader {
		return c.Fail(model.KindMalformed, "Kind", "the value data block ends before its last kind",
			wire.Plural(valueRecordHeader, "byte"), end-start)
	}
	kind, numSites := c.U32("Kind"), uint64(c.U32("NumValueSites"))
	if kind >= NumValueKinds {
		return model.InLLVM(c.FailAt(start, model.KindMalformed, "Kind", "the value kind is invalid",
			fmt.Sprintf("at most %d", NumValueKinds-1), kind), ": value kind is invalid")
	}
	head := (numSites + 7) &^ 7 // the counts with their padding; the header before is 8 bytes
	if head > end-c.Offset() {
		return model.InLLVM(c.FailAt(start+4, model.KindMalformed, "NumValueSites",
			"the value sites run past the end of their block", fmt.Sprintf("at most %d", end-c.Offset()),
			numSites), pastTotal)
	}
	counts := c.Bytes("SiteCountArray", head)[:numSites]
	var all uint64
	for _, n := range counts {
		all += uint64(n)
	}
	if all*valueDataSize > end-c.Offset() {
		return model.InLLVM(c.Fail(model.KindMalformed, "ValueData", "the values run past the end of their block",
			wire.Plural(all, "value"), fmt.Sprintf("%s left", wire.Plural(end-c.Offset(), "byte"))), pastTotal)
	}
	for _, n := range counts {
		first := len(r.values)
		for range n {
			r.values = append(r.values, Value{Value: c.U64("Value"), Count: c.U64("Count")})
		}
		r.sites[kind] = append(r.sites[kind], r.values[first:len(r.values):len(r.values)])
	}
	return c.Err()
}
