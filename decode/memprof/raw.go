package memprof

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// rawMagic starts every raw profile (memprof.md §1.2).
const rawMagic = "\x81rforpm\xff"

// maxRawVersion is the newest version of the raw format that is known.
const maxRawVersion = 5

// rawHeaderSize is the header's size in bytes.
const rawHeaderSize = 48

// IsRaw reports whether data begin like a raw profile.
func IsRaw(data []byte) bool { return bytes.HasPrefix(data, []byte(rawMagic)) }

// Raw is a raw profile as the runtime wrote it (memprof.md §1), or several that
// one process wrote into one file, merged: contexts by address. Stacks are
// slices of the file.
type Raw struct {
	version  uint64
	size     int
	dumps    int
	modules  []Module
	sites    []rawSite
	bySite   map[uint64]int32 // by StackId
	stackIDs [][]uint64
	findings []model.Finding
	cut      int // addresses of the stacks that are probably cut off at the root; 0: none are

	allowance *wire.Allowance
}

// rawSite is one MIB with its StackId and the addresses of its stack, leaf first.
type rawSite struct {
	id    uint64
	stack []byte // nil until it is read
	mib   MIB
}

// OpenRaw reads a raw profile of any version. data must stay unchanged while
// the result is in use. rec, which may be nil, hears of every section.
//
// A version that is not known is [model.KindUnsupportedVersion]; a file that
// ends early is truncated, one whose parts contradict each other malformed.
func OpenRaw(data []byte, rec *wire.Recorder) (*Raw, error) {
	r := &Raw{size: len(data), bySite: map[uint64]int32{}}
	c := wire.New("file", data, 0)
	c.RecordSections(rec)
	r.allowance = c.Allowance()
	for first := true; first || c.Remaining() > 0; first = false {
		r.dumps++
		if err := r.readDump(c); err != nil {
			return nil, err
		}
	}
	for i := range r.sites {
		if s := &r.sites[i]; s.stack == nil {
			return nil, c.FailIn("stacks", model.KindMalformed, "StackId",
				"a MIB refers to a call stack that is not in the file",
				fmt.Sprintf("a stack with StackId %d", s.id), "")
		}
	}
	r.note()
	return r, nil
}

// rawHeader is the header of one dump.
type rawHeader struct {
	version                     uint64
	total, segment, mib, stacks uint64 // size in bytes, and offsets in the dump
}

// section names a part of the dump that is being read.
func (r *Raw) section(name string) string {
	if r.dumps == 1 {
		return name
	}
	return fmt.Sprintf("%s of profile %d", name, r.dumps)
}

// readDump reads one profile and moves past it.
func (r *Raw) readDump(c *wire.Cursor) error {
	left := c.Remaining()
	h, err := r.readHeader(c.Section(r.section("header"), min(rawHeaderSize, left)))
	switch {
	case err != nil && left < rawHeaderSize:
		return model.InLLVM(err, "\ntruncated profile data")
	case err != nil:
		return err
	case h.total > left:
		says := "\nmalformed instrumentation profile data"
		if h.version < 3 {
			says = "\nunsupported instrumentation profile format version"
		}
		return model.InLLVM(c.FailIn(r.section("header"), model.KindTruncated, "TotalSize",
			"the profile runs past the end of the file", wire.Plural(h.total, "byte"), left), says)
	}
	c.Skip("", h.segment-rawHeaderSize)
	segments := c.Section(r.section("segments"), h.mib-h.segment)
	mibs := c.Section(r.section("MIBs"), h.stacks-h.mib)
	stacks := c.Section(r.section("stacks"), h.total-h.stacks)
	if err := r.readSegments(segments); err != nil {
		return err
	}
	if err := r.readMIBs(mibs); err != nil {
		return err
	}
	if err := r.readStacks(stacks); err != nil {
		return err
	}
	return c.Err()
}

// readHeader reads and checks the header of a dump (memprof.md §1.2, §6).
func (r *Raw) readHeader(c *wire.Cursor) (*rawHeader, error) {
	at := c.Offset()
	if magic := c.Bytes("Magic", 8); magic != nil && string(magic) != rawMagic {
		return nil, c.FailAt(at, model.KindBadMagic, "Magic", "this is not a raw MemProf profile",
			fmt.Sprintf("% x", rawMagic), fmt.Sprintf("% x", magic))
	}
	h := &rawHeader{version: c.U64("Version")}
	if err := c.Err(); err != nil {
		return nil, err
	}
	if h.version < 1 || h.version > maxRawVersion {
		return nil, c.FailAt(at+8, model.KindUnsupportedVersion, "Version",
			fmt.Sprintf("raw MemProf version %d is not known", h.version),
			fmt.Sprintf("1 to %d", maxRawVersion), "")
	}
	if r.dumps == 1 {
		r.version = h.version
	}
	if h.version != r.version {
		return nil, c.FailAt(at+8, model.KindMalformed, "Version", "the profiles in the file are of different versions",
			r.version, h.version)
	}
	h.total = c.U64("TotalSize")
	h.segment = c.U64("SegmentOffset")
	h.mib = c.U64("MIBOffset")
	h.stacks = c.U64("StackOffset")
	if err := c.Err(); err != nil {
		return nil, err
	}
	before, field := uint64(rawHeaderSize), "the header"
	for i, v := range []struct {
		name   string
		offset uint64
	}{{"SegmentOffset", h.segment}, {"MIBOffset", h.mib}, {"StackOffset", h.stacks}, {"TotalSize", h.total}} {
		if v.offset < before || v.offset%8 != 0 {
			place := at + 24 + 8*uint64(i)
			if v.name == "TotalSize" {
				place = at + 16
			}
			return nil, c.FailAt(place, model.KindMalformed, v.name, "the parts of the profile are out of order",
				fmt.Sprintf("a multiple of 8, at least 0x%x for %s", before, field), fmt.Sprintf("0x%x", v.offset))
		}
		before, field = v.offset, v.name
	}
	return h, nil
}

// segmentSize is the size of a segment entry in bytes by version.
func segmentSize(version uint64) uint64 {
	if version < 3 {
		return 56
	}
	return 64
}

// maxBuildID is how many bytes a segment entry has for the build ID.
const maxBuildID = 32

// readSegments reads the segment section (memprof.md §1.3). Every dump of a
// process must have the same.
func (r *Raw) readSegments(c *wire.Cursor) error {
	at := c.Offset()
	n := c.Count("NumEntries", c.U64("NumEntries"), segmentSize(r.version))
	modules := make([]Module, n)
	for i := range modules {
		m := &modules[i]
		m.Start, m.End, m.Offset = c.U64("Start"), c.U64("End"), c.U64("Offset")
		size := uint64(0)
		if r.version >= 3 {
			size = c.U64("BuildIdSize")
		}
		if size > maxBuildID {
			return c.FailAt(c.Offset()-8, model.KindMalformed, "BuildIdSize", "a build ID is longer than its field",
				fmt.Sprintf("at most %d", maxBuildID), size)
		}
		if id := c.Hex("BuildId", maxBuildID); size > 0 && id != nil {
			m.BuildID = id[:size:size]
		}
		if m.Start > m.End && c.Err() == nil {
			return c.FailAt(c.Offset()-segmentSize(r.version), model.KindMalformed, "Start", "a segment ends before it starts",
				fmt.Sprintf("at most 0x%x", m.End), fmt.Sprintf("0x%x", m.Start))
		}
	}
	if c.Err() != nil {
		return c.Err()
	}
	if r.dumps == 1 {
		r.modules = modules
		return nil
	}
	if !sameModules(r.modules, modules) {
		return c.FailAt(at, model.KindMalformed, "",
			"the profiles in the file have different segments, so they are of different runs", "", "")
	}
	return nil
}

func sameModules(a, b []Module) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Start != b[i].Start || a[i].End != b[i].End || a[i].Offset != b[i].Offset ||
			!bytes.Equal(a[i].BuildID, b[i].BuildID) {
			return false
		}
	}
	return true
}
