package instrprof

import "slices"

// headerField is one word of a raw profile's header. Every version has some of
// them, each 8 bytes, in an order of its own.
type headerField uint8

// The header fields, by the names of their newest version.
const (
	magicField headerField = iota
	versionField
	binaryIDsSize
	numData
	paddingBeforeCounters
	numCounters
	paddingAfterCounters
	numBitmapBytes
	paddingAfterBitmap
	numUniformCounters
	paddingAfterUniform
	uniformCountersDelta
	namesSize
	countersDelta
	bitmapDelta
	namesDelta
	numVTables
	vnamesSize
	valueKindLast
	valueDataSizeField
	valueDataDelta
	numHeaderFields
)

// headerFields names each field as LLVM does and says what it means.
var headerFields = [numHeaderFields]struct{ name, meaning string }{
	magicField:            {"Magic", ""},
	versionField:          {"Version", ""},
	binaryIDsSize:         {"BinaryIdsSize", "bytes of binary IDs after this header"},
	numData:               {"NumData", "data records, one a function"},
	paddingBeforeCounters: {"PaddingBytesBeforeCounters", "bytes; 0 unless sections are page-aligned"},
	numCounters:           {"NumCounters", "counters of all functions"},
	paddingAfterCounters:  {"PaddingBytesAfterCounters", "bytes"},
	numBitmapBytes:        {"NumBitmapBytes", "bytes of MC/DC bitmaps"},
	paddingAfterBitmap:    {"PaddingBytesAfterBitmapBytes", "bytes"},
	numUniformCounters:    {"NumUniformCounters", "uniform counters of GPU functions"},
	paddingAfterUniform:   {"PaddingBytesAfterUniformCounters", "bytes"},
	uniformCountersDelta: {
		"UniformCountersDelta", "where the uniform counters began, as the first record's pointer counts",
	},
	namesSize:          {"NamesSize", "bytes of names, without the padding after them"},
	countersDelta:      {"CountersDelta", "where the counters began, as the first record's pointer counts"},
	bitmapDelta:        {"BitmapDelta", "where the bitmap began, as the first record's pointer counts"},
	namesDelta:         {"NamesDelta", "where the names began in the program's memory"},
	numVTables:         {"NumVTables", "vtable records"},
	vnamesSize:         {"VNamesSize", "bytes of vtable names, without the padding after them"},
	valueKindLast:      {"ValueKindLast", "highest value kind the program could record"},
	valueDataSizeField: {"ValueDataSize", "bytes of value data"},
	valueDataDelta:     {"ValueDataDelta", "where the value data began in the program's memory"},
}

// recordField is one field of a data record (__llvm_profile_data).
type recordField uint8

// The record fields, by LLVM's names.
const (
	nameSizeField recordField = iota
	nameRefField
	funcHashField
	namePtrField
	counterPtrField
	uniformPtrField
	bitmapPtrField
	functionPtrField
	valuesPtrField
	recordCounters
	valueSitesField
	waveSizeField
	recordBitmapBytes
	numRecordFields
)

// ptr stands for the pointer size of the profiled program in recordFields.
const ptr = 0

// recordFields gives each field's name and its size in bytes, that of one
// element for the array NumValueSites.
var recordFields = [numRecordFields]struct {
	name string
	size int
}{
	nameSizeField:     {"NameSize", 4},
	nameRefField:      {"NameRef", 8},
	funcHashField:     {"FuncHash", 8},
	namePtrField:      {"NamePtr", ptr},
	counterPtrField:   {"CounterPtr", ptr},
	uniformPtrField:   {"UniformCounterPtr", ptr},
	bitmapPtrField:    {"BitmapPtr", ptr},
	functionPtrField:  {"FunctionPointer", ptr},
	valuesPtrField:    {"Values", ptr},
	recordCounters:    {"NumCounters", 4},
	valueSitesField:   {"NumValueSites", 2},
	waveSizeField:     {"OffloadDeviceWaveSize", 2},
	recordBitmapBytes: {"NumBitmapBytes", 4},
}

// The raw versions that are read.
const (
	oldestRaw = 1
	newestRaw = 11
)

// rawFormat is what one raw version looks like (instrprof.md §2.2, §2.3).
type rawFormat struct {
	header     []headerField // the words of the header, in file order
	record     []recordField // the fields of a data record, in file order
	valueKinds int           // how many kinds NumValueSites has room for
	pointers   []addressing  // how records point at counters, likeliest first
}

// addressing is a way to turn a record's pointer into an offset in its section
// (instrprof.md §2.4).
type addressing uint8

const (
	absolute addressing = iota // pointer and delta are addresses
	relative                   // both are differences to the record, so the delta shrinks from record to record
	narrow                     // relative, truncated to 32 bits, as on 64-bit Windows
)

var (
	recordV1 = []recordField{nameSizeField, recordCounters, funcHashField, namePtrField, counterPtrField}
	recordV2 = slices.Concat(recordV1, []recordField{functionPtrField, valuesPtrField, valueSitesField})
	recordV3 = []recordField{
		nameRefField, funcHashField, counterPtrField, functionPtrField, valuesPtrField,
		recordCounters, valueSitesField,
	}
	recordV9 = []recordField{
		nameRefField, funcHashField, counterPtrField, bitmapPtrField, functionPtrField, valuesPtrField,
		recordCounters, valueSitesField, recordBitmapBytes,
	}
	recordV11 = []recordField{
		nameRefField, funcHashField, counterPtrField, uniformPtrField, bitmapPtrField, functionPtrField, valuesPtrField,
		recordCounters, valueSitesField, waveSizeField, recordBitmapBytes,
	}
)

var (
	headerV1 = []headerField{magicField, versionField, numData, numCounters, namesSize, countersDelta, namesDelta}
	headerV2 = slices.Concat(headerV1, []headerField{valueKindLast, valueDataSizeField, valueDataDelta})
	headerV4 = slices.Concat(headerV1, []headerField{valueKindLast})
	headerV5 = []headerField{
		magicField, versionField, numData, paddingBeforeCounters, numCounters, paddingAfterCounters,
		namesSize, countersDelta, namesDelta, valueKindLast,
	}
	headerV6 = slices.Concat(headerV5, []headerField{binaryIDsSize})
	headerV7 = slices.Insert(slices.Clone(headerV5), 2, binaryIDsSize)
	headerV9 = []headerField{
		magicField, versionField, binaryIDsSize, numData, paddingBeforeCounters, numCounters, paddingAfterCounters,
		numBitmapBytes, paddingAfterBitmap, namesSize, countersDelta, bitmapDelta, namesDelta, valueKindLast,
	}
	headerV10 = slices.Insert(slices.Clone(headerV9), 13, numVTables, vnamesSize)
	headerV11 = slices.Insert(slices.Clone(headerV10), 9, numUniformCounters, paddingAfterUniform, uniformCountersDelta)
)

// rawFormats has the formats by version. Version 5 stands twice: LLVM 9 wrote
// it with the header of version 4, kept here as rawV5a.
//
// Version 7 was made relative by LLVM's trunk before the number changed, which
// the number does not tell; so the addresses are tried both ways.
var (
	rawFormats = [newestRaw + 1]rawFormat{
		1:  {headerV1, recordV1, 0, []addressing{absolute}},
		2:  {headerV2, recordV2, 1, []addressing{absolute}},
		3:  {headerV2, recordV3, 1, []addressing{absolute}},
		4:  {headerV4, recordV3, 1, []addressing{absolute}},
		5:  {headerV5, recordV3, 2, []addressing{absolute, relative}},
		6:  {headerV6, recordV3, 2, []addressing{absolute, relative}},
		7:  {headerV7, recordV3, 2, []addressing{absolute, relative, narrow}},
		8:  {headerV7, recordV3, 2, []addressing{relative, narrow}},
		9:  {headerV9, recordV9, 2, []addressing{relative, narrow}},
		10: {headerV10, recordV9, 3, []addressing{relative, narrow}},
		11: {headerV11, recordV11, 3, []addressing{relative, narrow}},
	}
	rawV5a = rawFormat{headerV4, recordV3, 2, []addressing{absolute}}
)

// recordLayout is where the fields of a data record stand, for one version,
// pointer size and number of value kinds.
type recordLayout struct {
	fields []recordField
	at     [numRecordFields]uint8 // offset in the record
	size   [numRecordFields]uint8 // bytes; 0 where the version lacks the field
	kinds  int                    // elements of NumValueSites
	total  uint64                 // bytes of a record
}

// layout places the fields as a C compiler does: each aligned to its size, the
// whole to 8 (instrprof.md §2.3.1).
func (f *rawFormat) layout(pointerSize, valueKinds int) *recordLayout {
	l := &recordLayout{fields: f.record, kinds: valueKinds}
	at := 0
	for _, field := range f.record {
		size := recordFields[field].size
		if size == ptr {
			size = pointerSize
		}
		at = (at + size - 1) / size * size
		l.at[field], l.size[field] = uint8(at), uint8(size)
		if field == valueSitesField {
			size *= valueKinds
		}
		at += size
	}
	l.total = uint64(at+7) / 8 * 8
	return l
}
