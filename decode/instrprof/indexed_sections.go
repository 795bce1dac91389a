package instrprof

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// locateMemProf says where the MemProf section stands: from its offset to the
// next section's. It is self-contained, so a bad offset costs only itself.
func (x *Indexed) locateMemProf(h *indexedHeader) {
	end := uint64(len(x.data))
	for _, next := range []uint64{h.binaryIDs, h.vtableNames, h.traces} {
		if next > h.memProf && next < end {
			end = next
		}
	}
	if h.memProf < h.size || h.memProf >= end {
		x.warn("indexed.memprof", "memprof", 40, model.KindMalformed,
			fmt.Sprintf("the header puts the heap profile at offset 0x%x, where it cannot be", h.memProf))
		return
	}
	if x.entries == 0 {
		x.info.Families = nil // nothing was counted, and llvm-profdata has only the flag to go by
	}
	x.info.MemProfSection = model.Section{Name: "memprof", Offset: h.memProf, Size: end - h.memProf}
	x.info.MemProf = x.data[h.memProf:end:end]
}

// readBinaryIDs reads the binary ids (instrprof.md §3.6). A fault in their list is kept apart.
func (x *Indexed) readBinaryIDs(offset uint64, rec *wire.Recorder) error {
	c := x.at("binary ids", "BinaryIdOffset", offset, 8)
	c.RecordSections(rec)
	size := c.Section("binary ids size", 8).U64("total_size")
	if err := c.Err(); err != nil {
		if offset+8 <= uint64(len(x.data)) { // modulo 2^64, before the file
			x.badIDs, err = err, nil
		}
		return err
	}
	if size%8 != 0 {
		return c.FailAt(offset, model.KindBadHeader, "total_size", "the size of the binary IDs is not a multiple of 8", "",
			size)
	}
	x.badIDs = eachAlignedID(c, size, 8, func(id []byte) {
		x.info.BinaryIDs = append(x.info.BinaryIDs, bytes.Clone(id))
	})
	return nil
}

// readVTableNames reads the vtable names. LLVM looks no further than that
// their length is inside the file, and takes offsets for signed; the same is
// refused here, and names that cannot be read are left out with a finding.
func (x *Indexed) readVTableNames(offset uint64, rec *wire.Recorder) error {
	if int64(offset) < 0 {
		x.warn("indexed.vtable_names", "vtable names", 64, model.KindMalformed,
			fmt.Sprintf("the header puts the vtable names at offset 0x%x, where they cannot be", offset))
		return nil
	}
	c := x.at("vtable names", "VTableNamesOffset", offset, 8)
	c.RecordSections(rec)
	size := c.Section("vtable names size", 8).U64("length")
	if err := c.Err(); err != nil {
		return err
	}
	if size > c.Remaining() {
		x.warn("indexed.vtable_names", "vtable names", offset, model.KindTruncated,
			fmt.Sprintf("the vtable names declare %d bytes, but %d are left; they are left out", size, c.Remaining()))
		return nil
	}
	var names [][]byte
	err := EachName(c.Section("vtable names", size), func(name []byte) bool {
		names = append(names, bytes.Clone(name))
		return true
	})
	if err != nil {
		x.warn("indexed.vtable_names", "vtable names", offset, model.KindOf(err),
			"the vtable names cannot be read and are left out: "+err.Error())
		return nil
	}
	x.info.VTableNames = names
	return nil
}

// readTraces checks the extent of the temporal traces (instrprof.md §3.6) and
// keeps where they start.
func (x *Indexed) readTraces(offset uint64, rec *wire.Recorder) error {
	c := x.at("temporal traces", "TemporalProfTracesOffset", offset, 16)
	x.traces = *c
	n := c.U64("NumTraces")
	x.info.TraceStreamSize = c.U64("StreamSize")
	c.Count("NumTraces", n, 16)
	for ; n > 0 && c.Err() == nil; n-- {
		c.U64("Weight")
		c.Skip("NameRef", 8*uint64(c.Count("NumFunctions", c.U64("NumFunctions"), 8)))
	}
	if err := c.Err(); err != nil {
		return err
	}
	anatomy := wire.New("temporal traces", x.data[offset:c.Offset()], offset)
	anatomy.Record(rec)
	anatomy.U64("NumTraces")
	anatomy.U64("StreamSize")
	return nil
}

// readTrace reads one trace into t, reusing its memory.
func readTrace(c *wire.Cursor, t *Trace) error {
	t.Weight = c.U64("Weight")
	t.NameRefs = grow(&t.NameRefs, c.Count("NumFunctions", c.U64("NumFunctions"), 8))
	c.U64s("NameRef", t.NameRefs)
	return c.Err()
}
