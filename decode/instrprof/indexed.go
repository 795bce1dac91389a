package instrprof

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// maxIndexedVersion is the newest version of the indexed format that is known.
const maxIndexedVersion = 14

// indexedMagic starts every indexed file (instrprof.md §1).
const indexedMagic = "\xfflprofi\x81"

// Indexed is an open indexed profile (.profdata, instrprof.md §3). It reads
// records from the file's bytes whenever they are asked for and holds none;
// names it yields are slices of those bytes.
type Indexed struct {
	data     []byte
	version  uint64
	payload  uint64 // file offset of the first bucket
	buckets  uint64 // file offset of the table of buckets
	entries  uint64 // names in the hash table
	traces   wire.Cursor
	info     Info
	findings []model.Finding
	badIDs   error // of binary IDs
}

// indexedHeader is the header of instrprof.md §3.1; fields that a version does
// not have are 0.
type indexedHeader struct {
	hashOffset, memProf, binaryIDs, traces, vtableNames uint64
	size                                                uint64
}

// OpenIndexed checks the header of an indexed profile of any version and reads
// what stands outside the hash table: summaries, binary ids, names of vtables
// and the extent of the temporal traces. data must stay unchanged while the
// result is in use. rec, which may be nil, hears of every section.
//
// It accepts what llvm-profdata 22 accepts, and for what that tool ignores
// (stored summaries, vtable names, the MemProf section) leaves a finding. A
// newer version is [model.KindUnsupportedVersion]; another hash than MD5 is
// [model.KindUnsupportedHashType]; a file that ends early or points outside
// itself has another kind of [model.FormatError]. With one about the binary IDs
// alone, which LLVM's tools only read where they need them, the profile is returned too.
func OpenIndexed(data []byte, rec *wire.Recorder) (*Indexed, error) {
	x := &Indexed{
		data: data, info: Info{Info: model.Info{Format: FormatIndexed, Families: []model.Family{Family}, Profiles: 1}},
	}
	h, err := x.readHeader(rec)
	if err == nil {
		err = x.readSections(&h, rec)
	}
	if err != nil && x.version >= 9 && h.binaryIDs+8 > uint64(len(data)) { // modulo 2^64, as LLVM has it
		err = model.InLLVM(err, "malformed instrumentation profile data: corrupted binary ids") // of which it reads first
	}
	if err != nil {
		return nil, err
	}
	return x, x.badIDs
}

// readSections reads what stands outside the hash table.
func (x *Indexed) readSections(h *indexedHeader, rec *wire.Recorder) (err error) {
	x.payload = h.size
	if x.version >= 4 {
		if x.info.Summary, err = x.readSummary("summary", rec); err != nil {
			return err
		}
		if x.info.Variant.Has(CSIRProf) {
			if x.info.CSSummary, err = x.readSummary("context-sensitive summary", rec); err != nil {
				return err
			}
		}
	}
	defer x.info.Name()
	if err := x.endsEarly(h.hashOffset); err != nil {
		return err
	}
	if err := x.readHashTable(h.hashOffset, rec); err != nil {
		return err
	}
	if x.version >= 8 && x.info.Variant.Has(MemProf) {
		x.locateMemProf(h)
	}
	if x.version >= 9 {
		if err := x.readBinaryIDs(h.binaryIDs, rec); err != nil {
			return err
		}
	}
	if x.version >= 12 {
		if err := x.readVTableNames(h.vtableNames, rec); err != nil {
			return err
		}
	}
	if x.version >= 10 && x.info.Variant.Has(TemporalProf) {
		if err := x.readTraces(h.traces, rec); err != nil {
			return err
		}
	}
	return nil
}

// PeekIndexed reads the header of an indexed profile and how many functions it
// has, and no further. With an error it still returns what could be read.
func PeekIndexed(data []byte) (Info, error) {
	x := &Indexed{
		data: data, info: Info{Info: model.Info{Format: FormatIndexed, Families: []model.Family{Family}, Profiles: 1}},
	}
	h, err := x.readHeader(nil)
	if err == nil {
		x.payload = h.size
		err = x.readHashTable(h.hashOffset, nil)
	}
	if x.version >= 8 && x.info.Variant.Has(MemProf) && err == nil {
		x.locateMemProf(&h)
	}
	x.info.Name()
	return x.info, err
}

// indexedHeaderSize is the header's size in bytes by version.
func indexedHeaderSize(version uint64) uint64 {
	switch {
	case version >= 12:
		return 72
	case version >= 10:
		return 64
	case version == 9:
		return 56
	case version == 8:
		return 48
	}
	return 40
}

// readHeader reads the fixed header. Version 0, which nothing writes, is read
// like version 2, as LLVM does.
func (x *Indexed) readHeader(rec *wire.Recorder) (indexedHeader, error) {
	var h indexedHeader
	peek := wire.New("header", x.data, 0)
	if magic := peek.Bytes("Magic", 8); magic != nil && string(magic) != indexedMagic {
		return h, peek.FailAt(0, model.KindBadMagic, "Magic", "this is not an indexed profile",
			fmt.Sprintf("%q", indexedMagic), fmt.Sprintf("%q", magic))
	}
	version, _ := SplitVersion(peek.U64("Version"))
	if err := peek.Err(); err != nil {
		return h, err
	}
	if version > maxIndexedVersion {
		return h, peek.FailAt(8, model.KindUnsupportedVersion, "Version",
			fmt.Sprintf("indexed version %d; newest known is %d", version, maxIndexedVersion), "", "")
	}
	h.size = indexedHeaderSize(version)
	if uint64(len(x.data)) < h.size {
		err := peek.FailAt(uint64(len(x.data)), model.KindBadHeader, "", "the file ends inside its header",
			wire.Plural(h.size, "byte"), len(x.data))
		if len(x.data) < 24 { // behind which LLVM reads on
			err = model.InLLVM(err, "truncated profile data")
		}
		return h, err
	}

	c := wire.New("header", x.data[:h.size], 0)
	c.Record(rec)
	c.U64("Magic")
	x.version, x.info.Variant = SplitVersion(c.U64("Version"))
	x.info.Version = x.version
	if c.Recording() {
		c.Note(fmt.Sprintf("version %d, %s", x.version, x.info.Variant))
	}
	if x.version < 4 {
		c.U64("MaxFunctionCount")
	} else {
		c.U64("Unused")
	}
	if hash := uint32(c.U64("HashType")); hash != 0 { // LLVM looks at the low half
		return h, c.FailAt(24, model.KindUnsupportedHashType, "HashType", "names are hashed with something other than MD5",
			"0", hash)
	}
	h.hashOffset = c.U64("HashOffset")
	if x.version >= 8 {
		h.memProf = c.U64("MemProfOffset")
	}
	if x.version >= 9 {
		h.binaryIDs = c.U64("BinaryIdOffset")
	}
	if x.version >= 10 {
		h.traces = c.U64("TemporalProfTracesOffset")
	}
	if x.version >= 12 {
		h.vtableNames = c.U64("VTableNamesOffset")
	}
	return h, c.Err()
}

// endsEarly is the fault of a file that ends before its hash table. llvm-profdata
// checks nothing there before version 9: it reads whatever memory follows the file,
// mostly finds zeros, and takes it for a profile without functions.
func (x *Indexed) endsEarly(hashOffset uint64) error {
	n := uint64(len(x.data))
	if x.version >= 9 || hashOffset > 1<<32 || hashOffset+16 <= n {
		return nil
	}
	return wire.New("bucket table", nil, n).Fail(model.KindTruncated, "HashOffset",
		"the file ends before its hash table: no function can be located",
		fmt.Sprintf("a hash table at offset 0x%x", hashOffset), "the end of the file")
}

// at returns a cursor from a file offset that a header gives to the end of the
// file, or latches on it that fewer than size bytes stand there.
func (x *Indexed) at(section, field string, offset, size uint64) *wire.Cursor {
	if x.holds(offset, size) {
		return wire.New(section, x.data[offset:], offset)
	}
	c := wire.New(section, nil, offset)
	c.Fail(model.KindTruncated, field, "the section starts past the end of the file",
		fmt.Sprintf("at least %s before offset 0x%x", wire.Plural(size, "byte"), len(x.data)), "")
	return c
}

// holds reports whether size bytes stand at an offset of the file.
func (x *Indexed) holds(offset, size uint64) bool {
	n := uint64(len(x.data))
	return offset <= n && size <= n-offset
}

// warn adds a finding about a part that llvm-profdata does not look at.
func (x *Indexed) warn(code, section string, offset uint64, kind model.Kind, msg string) {
	x.findings = append(x.findings, model.Finding{
		Severity: model.Warning, Code: code, Kind: kind, Section: section, Offset: offset, Message: msg,
	})
}

// Info returns what the header and the sections around the hash table say.
// Records counts names, each of which has one record or more; it is 0 where
// the claim passes what the file could hold.
func (x *Indexed) Info() *Info { return &x.info }

// Findings are complete once the file is open.
func (x *Indexed) Findings() []model.Finding { return x.findings }

// Names yields the keys of the hash table, then the vtable names. It ends
// early where Functions would fail.
func (x *Indexed) Names() Names {
	return func(yield func(uint64, []byte) bool) {
		w := x.items()
		for w.next() {
			if !yield(w.hash, w.name) {
				return
			}
		}
		for _, name := range x.info.VTableNames {
			if !yield(NameRef(name), name) {
				return
			}
		}
	}
}

// Traces yields the temporal traces as they stand in the file.
func (x *Indexed) Traces() Traces {
	return func(yield func(Trace, error) bool) {
		c := x.traces
		var t Trace
		n := c.U64("NumTraces")
		c.U64("StreamSize")
		for ; n > 0; n-- {
			if err := readTrace(&c, &t); err != nil {
				yield(Trace{}, err)
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// IsIndexed reports whether data begin like an indexed profile.
func IsIndexed(data []byte) bool { return bytes.HasPrefix(data, []byte(indexedMagic)) }
