package memprof

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// maxIndexedVersion is the newest version of the indexed section that is known.
const maxIndexedVersion = 4

// indexed reads the MemProf section of an indexed profile (memprof.md §3).
type indexed struct {
	*builder
	data    []byte // the section
	base    uint64 // where it stands in the file, which its offsets count from the start of
	version uint64
	rec     *wire.Recorder
	header  indexedHeader
	schema  []MIBField // in the order of the file
	has     MIBSchema
	slots   []int  // where in a MIB the values of schema stand
	mibSize uint64 // bytes

	frameIDs map[uint64]uint32  // versions 0 to 2: FrameId to frame
	stackIDs map[uint64]StackID // version 2: CallStackId to stack
	numbers  []uint32           // versions 3 and 4: frames by their place in the file
	array    stackArray         // versions 3 and 4
	path     []uint32           // of the stack being read, in array

	values []uint64 // room for values of MIBs
	sites  *sites
}

// indexedHeader is the offsets of memprof.md §3.2; those that a version lacks
// are 0.
type indexedHeader struct {
	recordPayload, recordTable uint64
	framePayload, frameTable   uint64
	stackPayload, stackTable   uint64
	dataAccess                 uint64
}

// OpenIndexed reads the MemProf section of an indexed profile, of any version.
// base is its offset in the file. The section must stay unchanged while it is
// read; the profile does not refer to it. rec, which may be nil, hears of its
// parts.
//
// A version that is not known is [model.KindUnsupportedVersion], a section that
// ends early truncated, and one whose parts contradict each other malformed.
func OpenIndexed(section []byte, base uint64, rec *wire.Recorder) (*Profile, error) {
	x := &indexed{data: section, base: base, rec: rec, sites: newSites(),
		frameIDs: map[uint64]uint32{}, stackIDs: map[uint64]StackID{}}
	if err := x.read(); err != nil {
		return nil, err
	}
	return x.profile, nil
}

func (x *indexed) read() error {
	if err := x.readHeader(); err != nil {
		return err
	}
	if err := x.readStacks(); err != nil {
		return err
	}
	err := x.table("memprof records", x.header.recordPayload, x.header.recordTable, true, x.readRecord)
	if err == nil && x.header.dataAccess != 0 {
		err = x.readDataAccess()
	}
	return err
}

// IndexedVersion is the version of the MemProf section of an indexed profile. Parameters and errors are
// those of [OpenIndexed].
func IndexedVersion(section []byte, base uint64) (uint64, error) {
	c := wire.New("memprof header", section, base)
	switch word := c.U64("Version"); {
	case c.Err() != nil:
		return 0, c.Err()
	case word >= 24 && word < uint64(len(section)): // an offset: version 0 has no version
		return 0, nil
	case word > 0 && word <= maxIndexedVersion:
		return word, nil
	default:
		kind := model.KindUnsupportedVersion
		if word >= 24 {
			kind = model.KindTruncated
		}
		return 0, model.InLLVM(c.FailAt(base, kind, "Version", fmt.Sprintf("indexed MemProf version %d is not known", word),
			fmt.Sprintf("1 to %d, or an offset for version 0", maxIndexedVersion), ""),
			fmt.Sprintf("unsupported instrumentation profile format version: MemProf version %d not supported; "+
				"requires version between 2 and 4, inclusive", word))
	}
}

// readHeader reads version, offsets, summary and schema. What follows them
// directly is the first payload.
func (x *indexed) readHeader() (err error) {
	if x.version, err = IndexedVersion(x.data, x.base); err != nil {
		return err
	}
	peek := wire.New("memprof header", x.data, x.base)
	peek.U64("Version")
	x.builder = newBuilder(FormatIndexed, x.version, len(x.data))
	x.profile.Symbolized = true
	// The header's size is known once it has been read: read it twice, the
	// second time as a section of its own.
	if err := x.readFields(peek); err != nil {
		return err
	}
	size := peek.Offset() - x.base
	c := wire.New("memprof header", x.data[:size], x.base)
	c.Record(x.rec)
	c.U64("Version")
	c.Note(fmt.Sprintf("MemProf version %d", x.version))
	if err := x.readFields(c); err != nil {
		return err
	}
	x.profile.Schema = x.has
	if x.version < 3 {
		x.header.recordPayload = c.Offset()
	} else {
		x.header.framePayload = c.Offset()
	}
	return x.checkOrder()
}

// readFields reads the header behind its version.
func (x *indexed) readFields(c *wire.Cursor) error {
	h := &x.header
	switch {
	case x.version == 0: // its first word has been taken for the version
		h.recordTable = wire.New("", x.data, x.base).U64("")
		h.framePayload, h.frameTable = c.U64("FramePayloadOffset"), c.U64("FrameTableOffset")
	case x.version <= 2:
		h.recordTable = c.U64("RecordTableOffset")
		h.framePayload, h.frameTable = c.U64("FramePayloadOffset"), c.U64("FrameTableOffset")
	default:
		h.stackPayload = c.U64("CallStackPayloadOffset")
		h.recordPayload, h.recordTable = c.U64("RecordPayloadOffset"), c.U64("RecordTableOffset")
	}
	if x.version == 2 {
		h.stackPayload, h.stackTable = c.U64("CallStackPayloadOffset"), c.U64("CallStackTableOffset")
	}
	if x.version == 4 {
		h.dataAccess = c.U64("DataAccessProfOffset")
		x.readSummary(c)
	}
	x.readSchema(c)
	return c.Err()
}

// summaryFields is how many words a summary has; later versions may have more.
const summaryFields = 6

// readSummary reads the summary block (memprof.md §3.3).
func (x *indexed) readSummary(c *wire.Cursor) {
	at := c.Offset()
	n := uint64(c.U32("NumSummaryFields"))
	if n < summaryFields && c.Err() == nil {
		c.FailAt(at, model.KindMalformed, "NumSummaryFields", "the summary is too short",
			fmt.Sprintf("at least %d", summaryFields), n)
		return
	}
	x.profile.Summary = &Summary{
		NumContexts: c.U64("NumContexts"), NumColdContexts: c.U64("NumColdContexts"), NumHotContexts: c.U64("NumHotContexts"),
		MaxColdTotalSize: c.U64("MaxColdTotalSize"), MaxWarmTotalSize: c.U64("MaxWarmTotalSize"),
		MaxHotTotalSize: c.U64("MaxHotTotalSize"),
	}
	c.Skip("more summary fields", 8*(n-summaryFields))
}

// maxSchema is how many fields LLVM lets a schema have.
const maxSchema = 28

// readSchema reads which fields a MIB has, and in which order (memprof.md §3.4).
func (x *indexed) readSchema(c *wire.Cursor) {
	at := c.Offset()
	n := c.U64("NumSchemaFields")
	if n > maxSchema {
		c.FailAt(at, model.KindMalformed, "NumSchemaFields", "the memprof schema is invalid",
			fmt.Sprintf("at most %d fields", maxSchema), n)
		return
	}
	x.schema, x.has, x.mibSize = x.schema[:0], 0, 0
	for range n {
		at := c.Offset()
		tag := c.U64("SchemaField")
		if c.Err() != nil {
			return
		}
		if tag < 1 || tag > NumMIBFields {
			c.FailAt(at, model.KindMalformed, "SchemaField", "the memprof schema is invalid",
				fmt.Sprintf("a tag from 1 to %d", NumMIBFields), tag)
			return
		}
		f := MIBField(tag)
		c.Note(f.String())
		x.schema = append(x.schema, f)
		x.has |= 1 << f
		x.mibSize += uint64(f.Size())
	}
	x.slots = x.slots[:0]
	for _, f := range x.schema {
		x.slots = append(x.slots, (x.has & (1<<f - 1)).Len())
	}
}

// checkOrder checks that the parts stand one behind the other as every writer
// puts them.
func (x *indexed) checkOrder() error {
	h := &x.header
	var order []place
	switch x.version {
	case 0, 1:
		order = []place{
			{"record payload", h.recordPayload}, {"RecordTableOffset", h.recordTable}, {"FramePayloadOffset", h.framePayload},
			{"FrameTableOffset", h.frameTable},
		}
	case 2:
		order = []place{{"record payload", h.recordPayload}, {"RecordTableOffset", h.recordTable},
			{"FramePayloadOffset", h.framePayload}, {"FrameTableOffset", h.frameTable},
			{"CallStackPayloadOffset", h.stackPayload}, {"CallStackTableOffset", h.stackTable}}
	default:
		order = []place{
			{"frame payload", h.framePayload}, {"CallStackPayloadOffset", h.stackPayload},
			{"RecordPayloadOffset", h.recordPayload}, {"RecordTableOffset", h.recordTable},
		}
		if h.dataAccess != 0 {
			order = append(order, place{"DataAccessProfOffset", h.dataAccess})
		}
	}
	end := x.base + uint64(len(x.data))
	for i, p := range order {
		if i > 0 && p.offset < order[i-1].offset || p.offset > end {
			return wire.New("memprof header", nil, x.base).FailAt(x.base, model.KindMalformed, p.name,
				"the parts of the heap profile are out of order or outside the file",
				fmt.Sprintf("an offset up to 0x%x, not before that of the %s", end, order[max(i-1, 0)].name),
				fmt.Sprintf("0x%x", p.offset))
		}
	}
	return nil
}

// place is an offset and what stands there.
type place struct {
	name   string
	offset uint64
}

// part is a cursor over a part of the section, which checkOrder has checked.
func (x *indexed) part(name string, from, to uint64) *wire.Cursor {
	c := wire.New(name, x.data[from-x.base:to-x.base], from)
	c.Record(x.rec)
	return c
}
