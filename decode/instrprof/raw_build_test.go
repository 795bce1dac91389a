package instrprof_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
)

// builtRaw builds one raw profile byte by byte, by the tables of instrprof.md
// §2.2 and §2.3.1 and without the package's own code.
type builtRaw struct {
	version     string // "1" to "11", with "5a" and "5b"
	pointerSize int
	bigEndian   bool
	flags       uint64
	functions   []rawFunction
	vtables     []rawVTable
	binaryIDs   [][]byte

	compress      bool
	unnamed       []string // more names, without a record
	relative      bool     // version 7 of LLVM's trunk
	narrow        bool     // pointers cut to 32 bits
	valueKindLast uint64   // 0 means the version's default
	noValueData   bool
	padding       uint64 // bytes before and after counters, and after the bitmap
	unpadded      bool   // binary ids without padding, as LLVM 13 wrote them
}

type rawFunction struct {
	name     string
	hash     uint64
	counters []uint64
	coverage []byte // with byte coverage, instead of counters
	bitmap   []byte
	uniform  []uint64
	address  uint64
	sites    [3][][][2]uint64 // by kind, by site: value, count
}

type rawVTable struct {
	name    string
	address uint64
	size    uint32
}

// headerWords is the table of §2.2: the word of each field, by version.
var headerWords = map[string]map[string]int{
	"1": {"NumData": 2, "NumCounters": 3, "NamesSize": 4, "CountersDelta": 5, "NamesDelta": 6, "": 7},
	"2": {
		"NumData": 2, "NumCounters": 3, "NamesSize": 4, "CountersDelta": 5, "NamesDelta": 6, "ValueKindLast": 7,
		"ValueDataSize": 8, "ValueDataDelta": 9, "": 10,
	},
	"3": {
		"NumData": 2, "NumCounters": 3, "NamesSize": 4, "CountersDelta": 5, "NamesDelta": 6, "ValueKindLast": 7,
		"ValueDataSize": 8, "ValueDataDelta": 9, "": 10,
	},
	"4":  {"NumData": 2, "NumCounters": 3, "NamesSize": 4, "CountersDelta": 5, "NamesDelta": 6, "ValueKindLast": 7, "": 8},
	"5a": {"NumData": 2, "NumCounters": 3, "NamesSize": 4, "CountersDelta": 5, "NamesDelta": 6, "ValueKindLast": 7, "": 8},
	"5b": {
		"NumData": 2, "PadBefore": 3, "NumCounters": 4, "PadAfter": 5, "NamesSize": 6, "CountersDelta": 7, "NamesDelta": 8,
		"ValueKindLast": 9, "": 10,
	},
	"6": {
		"NumData": 2, "PadBefore": 3, "NumCounters": 4, "PadAfter": 5, "NamesSize": 6, "CountersDelta": 7, "NamesDelta": 8,
		"ValueKindLast": 9, "BinaryIdsSize": 10, "": 11,
	},
	"7": {
		"BinaryIdsSize": 2, "NumData": 3, "PadBefore": 4, "NumCounters": 5, "PadAfter": 6, "NamesSize": 7,
		"CountersDelta": 8, "NamesDelta": 9, "ValueKindLast": 10, "": 11,
	},
	"8": {
		"BinaryIdsSize": 2, "NumData": 3, "PadBefore": 4, "NumCounters": 5, "PadAfter": 6, "NamesSize": 7,
		"CountersDelta": 8, "NamesDelta": 9, "ValueKindLast": 10, "": 11,
	},
	"9": {"BinaryIdsSize": 2, "NumData": 3, "PadBefore": 4, "NumCounters": 5, "PadAfter": 6, "NumBitmapBytes": 7,
		"PadBitmap": 8, "NamesSize": 9,
		"CountersDelta": 10, "BitmapDelta": 11, "NamesDelta": 12, "ValueKindLast": 13, "": 14},
	"10": {"BinaryIdsSize": 2, "NumData": 3, "PadBefore": 4, "NumCounters": 5, "PadAfter": 6, "NumBitmapBytes": 7,
		"PadBitmap": 8, "NamesSize": 9,
		"CountersDelta": 10, "BitmapDelta": 11, "NamesDelta": 12, "NumVTables": 13, "VNamesSize": 14, "ValueKindLast": 15,
		"": 16},
	"11": {"BinaryIdsSize": 2, "NumData": 3, "PadBefore": 4, "NumCounters": 5, "PadAfter": 6, "NumBitmapBytes": 7,
		"PadBitmap":  8,
		"NumUniform": 9, "PadUniform": 10, "UniformDelta": 11, "NamesSize": 12, "CountersDelta": 13, "BitmapDelta": 14,
		"NamesDelta": 15,
		"NumVTables": 16, "VNamesSize": 17, "ValueKindLast": 18, "": 19},
}

// recordOffsets are the tables of §2.3.1 for the default number of value kinds;
// "" is the record size.
var recordOffsets = map[int]map[string]map[string]int{
	8: {
		"1": {"NameSize": 0, "NumCounters": 4, "FuncHash": 8, "NamePtr": 16, "CounterPtr": 24, "": 32},
		"2": {
			"NameSize": 0, "NumCounters": 4, "FuncHash": 8, "NamePtr": 16, "CounterPtr": 24, "FunctionPointer": 32,
			"Values": 40, "Sites": 48, "": 56,
		},
		"3": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "FunctionPointer": 24, "Values": 32, "NumCounters": 40, "Sites": 44,
			"": 48,
		},
		"9": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "BitmapPtr": 24, "FunctionPointer": 32, "Values": 40,
			"NumCounters": 48, "Sites": 52, "NumBitmapBytes": 56, "": 64,
		},
		"10": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "BitmapPtr": 24, "FunctionPointer": 32, "Values": 40,
			"NumCounters": 48, "Sites": 52, "NumBitmapBytes": 60, "": 64,
		},
		"11": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "UniformPtr": 24, "BitmapPtr": 32, "FunctionPointer": 40,
			"Values": 48, "NumCounters": 56, "Sites": 60, "NumBitmapBytes": 68, "": 72,
		},
	},
	4: {
		"1": {"NameSize": 0, "NumCounters": 4, "FuncHash": 8, "NamePtr": 16, "CounterPtr": 20, "": 24},
		"2": {
			"NameSize": 0, "NumCounters": 4, "FuncHash": 8, "NamePtr": 16, "CounterPtr": 20, "FunctionPointer": 24,
			"Values": 28, "Sites": 32, "": 40,
		},
		"3": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "FunctionPointer": 20, "Values": 24, "NumCounters": 28, "Sites": 32,
			"": 40,
		},
		"9": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "BitmapPtr": 20, "FunctionPointer": 24, "Values": 28,
			"NumCounters": 32, "Sites": 36, "NumBitmapBytes": 40, "": 48,
		},
		"10": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "BitmapPtr": 20, "FunctionPointer": 24, "Values": 28,
			"NumCounters": 32, "Sites": 36, "NumBitmapBytes": 44, "": 48,
		},
		"11": {
			"NameRef": 0, "FuncHash": 8, "CounterPtr": 16, "UniformPtr": 20, "BitmapPtr": 24, "FunctionPointer": 28,
			"Values": 32, "NumCounters": 36, "Sites": 40, "NumBitmapBytes": 48, "": 56,
		},
	},
}

func (x *builtRaw) number() int {
	return map[string]int{"1": 1, "2": 2, "3": 3, "4": 4, "5a": 5, "5b": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10,
		"11": 11}[x.version]
}

func (x *builtRaw) order() interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if x.bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// offsets is where the fields of a record stand.
func (x *builtRaw) offsets() map[string]int {
	if x.valueKindLast > 2 && x.number() == 10 && x.pointerSize == 4 {
		// The example of §2.3.1: five kinds.
		o := map[string]int{}
		for k, v := range recordOffsets[4]["10"] {
			o[k] = v
		}
		o["NumBitmapBytes"], o[""] = 48, 56
		return o
	}
	column := "3"
	switch n := x.number(); {
	case n < 3:
		column = x.version
	case n >= 9:
		column = x.version
	}
	return recordOffsets[x.pointerSize][column]
}

// kinds is how many value kinds the version has.
func (x *builtRaw) kinds() int {
	switch n := x.number(); {
	case n == 1:
		return 0
	case n <= 4:
		return 1
	case n <= 9:
		return 2
	}
	return 3
}

// isRelative says whether pointers are differences to the record.
func (x *builtRaw) isRelative() bool { return x.number() >= 8 || x.relative }

// Addresses of the sections in the imaginary program.
const (
	dataAt    = 0x2000_0000
	bitmapAt  = 0x3000_0000
	uniformAt = 0x3800_0000
	namesAt   = 0x4000_0000
)

// countersAt is below the data, so that differences are negative; with cut
// pointers just above it, so that they pass zero from record to record.
func (x *builtRaw) countersAt() uint64 {
	if x.narrow {
		return dataAt + 8
	}
	return 0x1000_0000
}

// rawSections are the parts of a built profile; tests change them before join.
type rawSections struct {
	header, binaryIDs, data, padding, counters, bitmap, uniform, uniformPadding, names, vtables, vnames, values []byte
}

func (s *rawSections) join() []byte {
	names, vnames := pad8(bytes.Clone(s.names)), pad8(bytes.Clone(s.vnames))
	return bytes.Join([][]byte{
		s.header, s.binaryIDs, s.data, s.padding, s.counters, s.padding, s.bitmap, s.padding, s.uniform, s.uniformPadding,
		names, s.vtables, vnames, s.values,
	}, nil)
}

func (x *builtRaw) bytes() []byte { return x.build().join() }

func (x *builtRaw) build() *rawSections {
	o, s := x.order(), &rawSections{padding: make([]byte, x.padding)}
	words := headerWords[x.version]
	if _, ok := words["PadBefore"]; !ok {
		s.padding = nil
	}
	if _, ok := words["PadUniform"]; ok {
		s.uniformPadding = s.padding
	}
	at := x.offsets()
	size := at[""]
	kinds := max(x.kinds(), int(x.valueKindLast)+1)
	if x.kinds() == 0 {
		kinds = 0
	}

	var names []string
	var namesLen int
	for i, f := range x.functions {
		r := make([]byte, size)
		x.put(r, at, "FuncHash", 8, f.hash)
		x.put(r, at, "NameRef", 8, md5of(f.name))
		x.put(r, at, "NameSize", 4, uint64(len(f.name)))
		x.put(r, at, "NamePtr", x.pointerSize, uint64(namesAt+namesLen))
		x.put(r, at, "FunctionPointer", x.pointerSize, f.address)
		x.put(r, at, "Values", x.pointerSize, 0x7777)
		count, width := len(f.counters), 8
		if f.coverage != nil {
			count, width = len(f.coverage), 1
		}
		x.put(r, at, "NumCounters", 4, uint64(count))
		x.pointer(r, at, "CounterPtr", x.countersAt()+uint64(len(s.counters)), i)
		x.pointer(r, at, "BitmapPtr", bitmapAt+uint64(len(s.bitmap)), i)
		if len(f.uniform) > 0 {
			x.pointer(r, at, "UniformPtr", uniformAt+uint64(len(s.uniform)), i)
		}
		x.put(r, at, "NumBitmapBytes", 4, uint64(len(f.bitmap)))
		for k := range min(kinds, 3) {
			o.PutUint16(r[at["Sites"]+2*k:], uint16(len(f.sites[k])))
		}
		s.data = append(s.data, r...)
		for _, c := range f.counters {
			s.counters = o.AppendUint64(s.counters, c)
		}
		if width == 1 {
			s.counters = append(s.counters, f.coverage...)
		}
		s.bitmap = append(s.bitmap, f.bitmap...)
		for _, c := range f.uniform {
			s.uniform = o.AppendUint64(s.uniform, c)
		}
		names = append(names, f.name)
		namesLen += len(f.name)
		if kinds > 0 && len(f.sites[0])+len(f.sites[1])+len(f.sites[2]) > 0 && !x.noValueData {
			s.values = append(s.values, x.valueBlock(&f)...)
		}
	}
	numBitmap := len(s.bitmap)
	if x.number() >= 9 && x.padding == 0 {
		s.bitmap = pad8(s.bitmap)
	}
	if x.number() < 3 {
		s.names = []byte(strings.Join(names, ""))
	} else {
		s.names = nameBlob(append(names, x.unnamed...), x.compress)
	}
	var vnames []string
	for _, v := range x.vtables {
		b := o.AppendUint64(nil, md5of(v.name))
		if x.pointerSize == 8 {
			b = o.AppendUint64(b, v.address)
		} else {
			b = o.AppendUint32(b, uint32(v.address))
		}
		s.vtables = append(s.vtables, pad8(o.AppendUint32(b, v.size))...)
		vnames = append(vnames, v.name)
	}
	if len(vnames) > 0 {
		s.vnames = nameBlob(vnames, x.compress)
	}
	for _, id := range x.binaryIDs {
		s.binaryIDs = append(o.AppendUint64(s.binaryIDs, uint64(len(id))), id...)
		if !x.unpadded {
			s.binaryIDs = pad8(s.binaryIDs)
		}
	}
	x.header(s, words, numBitmap)
	return s
}

// header writes the header for the sections as they are.
func (x *builtRaw) header(s *rawSections, words map[string]int, numBitmap int) {
	width := 8
	if x.flags>>60&1 != 0 {
		width = 1
	}
	countersDelta, bitmapDelta, uniformDelta := x.countersAt(), uint64(bitmapAt), uint64(uniformAt)
	if x.isRelative() {
		countersDelta, bitmapDelta, uniformDelta = countersDelta-dataAt, bitmapDelta-dataAt, uniformDelta-dataAt
	}
	if x.pointerSize == 4 || x.narrow {
		countersDelta, bitmapDelta, uniformDelta = uint64(uint32(countersDelta)), uint64(uint32(bitmapDelta)),
			uint64(uint32(uniformDelta))
	}
	last := x.valueKindLast
	if last == 0 {
		last = uint64(max(x.kinds(), 1) - 1)
	}
	pad := uint64(len(s.padding))
	values := map[string]uint64{
		"BinaryIdsSize": uint64(len(s.binaryIDs)), "NumData": uint64(len(x.functions)),
		"NumCounters":    uint64(len(s.counters) / width),
		"NumBitmapBytes": uint64(numBitmap), "PadBitmap": uint64(len(s.bitmap)-numBitmap) + pad,
		"NumUniform": uint64(len(s.uniform) / 8),
		"PadBefore":  pad, "PadAfter": pad, "PadUniform": pad,
		"NamesSize": uint64(len(s.names)), "CountersDelta": countersDelta, "BitmapDelta": bitmapDelta,
		"UniformDelta": uniformDelta, "NamesDelta": namesAt,
		"NumVTables": uint64(len(x.vtables)), "VNamesSize": uint64(len(s.vnames)), "ValueKindLast": last,
		"ValueDataSize": uint64(len(s.values)),
	}
	s.header = make([]byte, 8*words[""])
	magic := uint64(0xFF6C70726F667281)
	if x.pointerSize == 4 {
		magic = 0xFF6C70726F665281
	}
	x.order().PutUint64(s.header, magic)
	x.order().PutUint64(s.header[8:], uint64(x.number())|x.flags)
	for field, word := range words {
		if field != "" {
			x.order().PutUint64(s.header[8*word:], values[field])
		}
	}
}

// put writes a field where the version has it.
func (x *builtRaw) put(record []byte, at map[string]int, field string, size int, v uint64) {
	o, ok := at[field]
	switch {
	case !ok:
	case size == 8:
		x.order().PutUint64(record[o:], v)
	default:
		x.order().PutUint32(record[o:], uint32(v))
	}
}

// pointer writes the pointer to an address: that, or its distance from the record.
func (x *builtRaw) pointer(record []byte, at map[string]int, field string, address uint64, i int) {
	if x.isRelative() {
		address -= dataAt + uint64(i*at[""])
	}
	if x.narrow {
		address = uint64(uint32(address))
	}
	x.put(record, at, field, x.pointerSize, address)
}

// valueBlock is one ValueProfData (§2.6).
func (x *builtRaw) valueBlock(f *rawFunction) []byte {
	o := x.order()
	var body []byte
	kinds := uint32(0)
	for kind, sites := range f.sites {
		if len(sites) == 0 {
			continue
		}
		kinds++
		body = o.AppendUint32(o.AppendUint32(body, uint32(kind)), uint32(len(sites)))
		for _, site := range sites {
			body = append(body, byte(len(site)))
		}
		body = pad8(body)
		for _, site := range sites {
			for _, v := range site {
				body = o.AppendUint64(o.AppendUint64(body, v[0]), v[1])
			}
		}
	}
	return append(o.AppendUint32(o.AppendUint32(nil, uint32(len(body)+8)), kinds), body...)
}

// nameBlob is one blob of names (§2.5).
func nameBlob(names []string, compress bool) []byte {
	if len(names) == 0 {
		return nil
	}
	text := []byte(strings.Join(names, "\x01"))
	b := binary.AppendUvarint(nil, uint64(len(text)))
	if !compress {
		return append(append(b, 0), text...)
	}
	packed := deflate(text)
	return append(binary.AppendUvarint(b, uint64(len(packed))), packed...)
}

func deflate(text []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(text)
	_ = z.Close()
	return packed.Bytes()
}
