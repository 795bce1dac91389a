package instrprof

import (
	"encoding/binary"
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Raw is a raw file (.profraw) of any version: one profile or several back to
// back. It reads records from the file's bytes when asked, in the order of the
// file, unmerged: the same function may come more than once.
type Raw struct {
	info     Info
	parts    []*rawPart
	trace    []Trace
	findings []model.Finding

	fault error // why the profiles behind parts cannot be read, where those before are wanted

	cut  string // the header that a salvaged file ends in; empty for none
	lost uint64 // bytes that are missing of it
}

// OpenCorrelated reads the headers, names and binary ids of every profile in a raw
// file, and checks the records (instrprof.md §2). rec may be nil. The data must
// outlive the Raw and stay unchanged.
//
// The file may have left records and names in an executable: each of its profiles
// that did takes them from the correlator of its own program. Without correlators
// such a profile is empty but for a finding.
//
// Errors: bad_magic, bad_header, raw_profile_version_mismatch, malformed,
// truncated, too_large, uncompress_failed; incompatible when no executable is the
// profile's, or several may be; unable_to_correlate_profile when it has not what
// the profile lacks; and those of [symbol.Open], which name the executable.
func OpenCorrelated(data []byte, correlators []*Correlator, rec *wire.Recorder) (*Raw, error) {
	return openRaw(data, rec, rawOptions{correlators: correlators})
}

// rawOptions are how to read a raw file.
type rawOptions struct {
	correlators []*Correlator
	programs    *Programs // that are known; may be nil
	salvage     bool
	outline     bool
	upTo        bool // records are read up to a fault in their value data
}

func openRaw(data []byte, rec *wire.Recorder, o rawOptions) (*Raw, error) {
	c := wire.New("file", data, 0)
	c.RecordSections(rec)
	r := &Raw{}
	for {
		p, err := readPart(c, len(r.parts), o)
		if err != nil && o.upTo && len(r.parts) > 0 {
			r.fault = err
			break
		}
		if err != nil {
			return nil, err
		}
		r.parts = append(r.parts, p)
		if p.fault != nil {
			break
		}
		if o.salvage && (p.cut != "" || r.cutBefore(*c)) {
			break
		}
		more, err := nextPart(c, p.rawHeader)
		if err != nil && !o.upTo {
			return nil, err
		}
		if r.fault = err; !more {
			break
		}
	}
	if o.outline {
		return r, nil
	}
	r.fillInfo()
	r.fillPartial(uint64(len(data)))
	r.trace = r.readTrace()
	return r, nil
}

// nextPart skips the zeros after a profile and reports whether another one
// follows, which must be aligned and have the magic of the first (instrprof.md §2.9).
func nextPart(c *wire.Cursor, first *rawHeader) (bool, error) {
	c.SkipZeros(c.Offset() + c.Remaining())
	if c.Remaining() == 0 {
		return false, nil
	}
	if need := 8 * uint64(len(headerV1)); c.Remaining() < need {
		return false, model.InLLVM(c.Fail(model.KindMalformed, "",
			"the bytes after the profile are too few for another header", "zeros, or at least "+wire.Plural(need, "byte"),
			wire.Plural(c.Remaining(), "byte")), ": not enough space for another header")
	}
	if c.Offset()%8 != 0 {
		return false, model.InLLVM(c.Fail(model.KindMalformed, "",
			"the bytes after the profile are not aligned for another header: insufficient padding",
			"a multiple of 8", fmt.Sprintf("offset 0x%x", c.Offset())), ": insufficient padding")
	}
	peek := *c
	if pointerSize, bigEndian, ok := rawMagic(peek.Bytes("", 8)); !ok || pointerSize != first.pointerSize ||
		bigEndian != first.bigEndian {
		return false, c.Fail(model.KindBadMagic, "Magic", "the data after the profile is not another profile of its kind",
			fmt.Sprintf("a %d-bit raw profile of the same byte order", 8*first.pointerSize), "")
	}
	return true, nil
}

// fillInfo sums up the parts. Version and flags are those of the first header,
// as in what llvm-profdata merges.
func (r *Raw) fillInfo() {
	r.info = r.parts[0].info()
	r.info.Profiles, r.info.Records = len(r.parts), 0
	for _, p := range r.parts {
		r.info.Records += p.word[numData]
		r.info.BinaryIDs = append(r.info.BinaryIDs, p.binaryIDs...)
		r.info.VTables = slices.AppendSeq(r.info.VTables, p.eachVTable())
		for _, e := range p.table.symbols[p.vtableNames:] {
			if p.word[vnamesSize] > 0 {
				r.info.VTableNames = append(r.info.VTableNames, p.table.bytes(e))
			}
		}
	}
}

// Info implements [instrprof.Source].
func (r *Raw) Info() *Info { return &r.info }

// Names implements [instrprof.Source].
func (r *Raw) Names() Names {
	return func(yield func(uint64, []byte) bool) {
		for _, p := range r.parts {
			if !p.table.each(yield) {
				return
			}
		}
	}
}

// Functions implements [instrprof.Source]. The counters are those of the file but
// for the timestamp that a temporal profile has in the first place; those of
// byte coverage become 1, executed, or 0 (instrprof.md §2.7, §2.8).
func (r *Raw) Functions() Functions {
	return func(yield func(*Function, error) bool) {
		var (
			f      Function
			values valueReader
			odd    oddRecords
			next   int
		)
		r.findings = nil
		defer func() { r.findings = r.collectFindings(odd) }()
		for n, p := range r.parts {
			f.Run = n + 1
			blocks := wire.New(p.section("value data"), p.values.bytes, p.values.at)
			blocks.SetOrder(p.bigEndian)
			for i := range p.numRecords() {
				if p.fault != nil && i == p.fault.record {
					yield(nil, p.fault.err)
					return
				}
				record := p.record(i)
				if !p.readable(i, record) {
					continue
				}
				p.read(i, record, &f, &next)
				if p.counterSize() == 1 && len(f.Counters) > 0 && p.variant.Has(TemporalProf|FunctionEntryOnly) {
					odd.untimed++
				}
				if largest(f.Counters) > maxPlausibleCount {
					odd.large++
				}
				if len(f.Name) == 0 {
					odd.unnamed++
				}
				var err error
				f.Sites = [NumValueKinds][]ValueSite{}
				if p.hasValueData(record) && p.moreValueData(blocks) {
					err = values.read(blocks, &f.Sites)
					p.remap(&f.Sites)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(&f, nil) {
					return
				}
			}
		}
		if r.fault != nil {
			yield(nil, r.fault)
		}
	}
}

// read fills f from record i, all but its value sites. The record has been
// checked. next is where the name of the record before was found, and where this one's is.
func (p *rawPart) read(i int, record []byte, f *Function, next *int) {
	f.NameRef, f.FuncHash = p.nameRef(i, record), p.field(record, funcHashField)
	f.Name = p.table.nameBehind(f.NameRef, next)
	f.Offset, f.Size = p.data.at+uint64(i)*p.records.total, p.records.total
	if p.correlation != nil {
		f.Offset, f.Size = 0, 0 // the record is not in this file
	}

	counters, _ := p.counterBytes(i, record)
	_, counters = p.timestamp(counters)
	if p.counterSize() == 1 {
		f.Counters = appendCoverage(f.Counters[:0], counters)
	} else {
		f.Counters = appendWords(f.Counters[:0], counters, p.bigEndian)
	}
	f.Bitmap, _ = p.bitmapBytes(i, record)
	uniform, _ := p.uniformBytes(i, record)
	f.UniformCounters = appendWords(f.UniformCounters[:0], uniform, p.bigEndian)
}

// nameRef is the record's NameRef; versions 1 and 2 have the name instead.
func (p *rawPart) nameRef(i int, record []byte) uint64 {
	if p.records.size[nameRefField] > 0 {
		return p.field(record, nameRefField)
	}
	at, size, _ := p.pointedName(i, record)
	return NameRef(p.names.bytes[at : at+size])
}

// timestamp splits the timestamp that leads a temporal profile's counters off
// from the counts: one counter, or eight bytes of coverage. Function-entry coverage
// is a byte a function, and has none.
func (p *rawPart) timestamp(counters []byte) (stamp uint64, counts []byte) {
	if !p.variant.Has(TemporalProf) {
		return 0, counters
	}
	if p.counterSize() == 1 && len(counters) < 8 {
		return 0, counters
	}
	if len(counters) < 8 {
		return 0, nil
	}
	return byteOrder(p.bigEndian).Uint64(counters), counters[8:]
}

// appendWords appends the words of b to dst.
func appendWords(dst []uint64, b []byte, bigEndian bool) []uint64 {
	n := len(dst)
	dst = slices.Grow(dst, len(b)/8)[:n+len(b)/8]
	if bigEndian {
		for i := range dst[n:] {
			dst[n+i] = binary.BigEndian.Uint64(b[8*i:])
		}
		return dst
	}
	for i := range dst[n:] {
		dst[n+i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return dst
}

// appendCoverage appends the counts of single-byte counters: 0 is executed.
func appendCoverage(dst []uint64, b []byte) []uint64 {
	for _, c := range b {
		count := uint64(0)
		if c == 0 {
			count = 1
		}
		dst = append(dst, count)
	}
	return dst
}

// maxPlausibleCount is the count above which llvm-profdata suspects a fault.
const maxPlausibleCount = 1 << 56

func largest(counters []uint64) uint64 {
	var m uint64
	for _, c := range counters {
		m = max(m, c)
	}
	return m
}
