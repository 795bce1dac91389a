package memprof_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

// Each fault of a section says in which part and field it is, and what stands
// there. Offsets are those of the header of version 4: offsets of the parts, the
// summary at 40, the schema at 92.
func TestFaultsOfIndexedSections(t *testing.T) {
	data, base := section(t, real(t, "mem_v4.profdata"))
	le := binary.LittleEndian
	stacks, records, table := le.Uint64(data[8:]), le.Uint64(data[16:]), le.Uint64(data[24:])
	size := uint64(len(data))
	inFile := func(offset uint64) int { return int(offset - base) }
	for _, test := range []struct {
		name            string
		at              int
		word            uint64
		bytes           int // of the word
		kind            model.Kind
		section, field  string
		offset          uint64 // in the section
		expected, found string
	}{
		{
			"version 5", 0, 5, 8, model.KindUnsupportedVersion, "memprof header", "Version", 0,
			"1 to 4, or an offset for version 0", "",
		},
		{
			"version 23", 0, 23, 8, model.KindUnsupportedVersion, "memprof header", "Version", 0,
			"1 to 4, or an offset for version 0", "",
		},
		{
			"nothing", 0, 0, 8, model.KindUnsupportedVersion, "memprof header", "Version", 0,
			"1 to 4, or an offset for version 0", "",
		},
		{
			"stacks before the frames", 8, base, 8, model.KindMalformed, "memprof header", "CallStackPayloadOffset", 0, "",
			fmt.Sprintf("0x%x", base),
		},
		{
			"records past the end", 16, base + size + 1, 8, model.KindMalformed, "memprof header", "RecordPayloadOffset", 0, "",
			fmt.Sprintf("0x%x", base+size+1),
		},
		{
			"a table before its records", 24, records - 1, 8, model.KindMalformed, "memprof header", "RecordTableOffset", 0, "",
			fmt.Sprintf("0x%x", records-1),
		},
		{
			"an offset that wraps", 16, 1<<64 - 8, 8, model.KindMalformed, "memprof header", "RecordPayloadOffset", 0, "",
			"0xfffffffffffffff8",
		},
		{"a short summary", 40, 5, 4, model.KindMalformed, "memprof header", "NumSummaryFields", 40, "at least 6", "5"},
		{
			"a long summary", 40, 1<<32 - 1, 4, model.KindTruncated, "memprof header", "more summary fields", 92,
			"34359738312 bytes", fmt.Sprint(size - 92),
		},
		{"a long schema", 92, 29, 8, model.KindMalformed, "memprof header", "NumSchemaFields", 92, "at most 28 fields", "29"},
		{
			"the longest schema", 92, 1<<64 - 1, 8, model.KindMalformed, "memprof header", "NumSchemaFields", 92,
			"at most 28 fields", "18446744073709551615",
		},
		{
			"a field that is not known", 100, 28, 8, model.KindMalformed, "memprof header", "SchemaField", 100,
			"a tag from 1 to 27", "28",
		},
		{
			"a field of no tag", 100, 0, 8, model.KindMalformed, "memprof header", "SchemaField", 100, "a tag from 1 to 27", "0",
		},
		{
			"frames of another size", 8, stacks + 1, 8, model.KindMalformed, "memprof frames", "CallStackPayloadOffset", 132,
			"a multiple of 17 bytes", "",
		},
		{
			"no buckets", inFile(table), 0, 8, model.KindMalformed, "memprof records table", "NumBuckets", table - base, "", "0",
		},
		{
			"more buckets than bytes", inFile(table), 1 << 60, 8, model.KindTruncated, "memprof records table", "NumBuckets",
			table - base + 16, "1152921504606846976 × 8 bytes", "",
		},
		{
			"more records than bytes", inFile(table) + 8, 1 << 60, 8, model.KindTruncated, "memprof records", "NumEntries",
			records - base, "1152921504606846976 × 24 bytes", "",
		},
		{
			"a bucket of nothing", inFile(records), 0, 2, model.KindMalformed, "memprof records", "NumItems", records - base,
			"1 to 2", "0",
		},
		{
			"a bucket of too many", inFile(records), 3, 2, model.KindMalformed, "memprof records", "NumItems", records - base,
			"1 to 2", "3",
		},
		{
			"a key of four bytes", inFile(records) + 10, 4, 8, model.KindMalformed, "memprof records", "KeyLen",
			records - base + 10, "8", "4",
		},
		{
			"a hash of another key", inFile(records) + 2, 1, 8, model.KindMalformed, "memprof records", "Hash",
			records - base + 2, "", "0x1",
		},
		{
			"a record past the end", inFile(records) + 18, 1 << 40, 8, model.KindTruncated, "memprof records", "Data",
			records - base + 34, "1099511627776 bytes", "",
		},
	} {
		broken := slices.Clone(data)
		switch test.bytes {
		case 2:
			le.PutUint16(broken[test.at:], uint16(test.word))
		case 4:
			le.PutUint32(broken[test.at:], uint32(test.word))
		default:
			le.PutUint64(broken[test.at:], test.word)
		}
		_, err := memprof.OpenIndexed(broken, base, nil)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		f := fault(t, err)
		if f.Kind != test.kind || f.Section != test.section || f.Field != test.field || f.Offset != base+test.offset ||
			test.expected != "" && f.Expected != test.expected || test.found != "" && f.Found != test.found {
			t.Errorf("%s: %+v at %d", test.name, f, f.Offset-base)
		}
	}
}

// A section of any version that was cut anywhere in its header is refused.
func TestCutIndexedHeadersAreRefused(t *testing.T) {
	for version, size := range map[string]int{
		"clang-19_mem_v0": 24, "clang-19_mem_v1": 32, "clang-19_mem_v2": 48, "clang-19_mem_v3": 32, "mem_v4": 100,
	} {
		data, base := section(t, real(t, version+".profdata"))
		for n := range size {
			_, err := memprof.OpenIndexed(data[:n], base, nil)
			if err == nil {
				t.Errorf("%s: %d bytes are taken", version, n)
				continue
			}
			if f := fault(t, err); f.Kind != model.KindTruncated && f.Kind != model.KindMalformed ||
				!strings.HasPrefix(f.Section, "memprof header") || f.Offset < base || f.Offset > base+uint64(n) {
				t.Errorf("%s, %d bytes: %+v", version, n, f)
			}
		}
	}
}

// dataAccess is a section of version 4 without records, and a data access profile
// of these bytes.
func dataAccess(words ...any) []byte {
	le := binary.LittleEndian
	b := make([]byte, 40)
	le.PutUint64(b, 4)
	b = le.AppendUint32(b, 6)
	b = append(b, make([]byte, 48)...)
	b = le.AppendUint64(b, 0) // no fields in the schema
	at := uint64(len(b))
	le.PutUint64(b[8:], at)  // stacks
	le.PutUint64(b[16:], at) // records
	le.PutUint64(b[24:], at) // their table: a bucket of nothing
	b = le.AppendUint64(b, 1)
	b = le.AppendUint64(b, 0)
	b = le.AppendUint64(b, 0)
	le.PutUint64(b[32:], uint64(len(b)))
	for _, w := range words {
		switch w := w.(type) {
		case int:
			b = le.AppendUint64(b, uint64(w))
		case string:
			b = append(b, w...)
		}
	}
	return b
}

// packed are strings, not compressed, with what pads them to words.
func packed(text string) (size int, padded string) {
	blob := string([]byte{byte(len(text)), 0}) + text
	return len(blob), blob + strings.Repeat("\x00", -len(blob)&7)
}

// A data access profile names its symbols by their place among its strings; what
// it has not, and what inflates beyond reason, is refused.
func TestDataAccessOfSections(t *testing.T) {
	size, blob := packed("sym\x01a.h\x01cold")
	one := func(symbol, file int) []byte {
		return dataAccess(2, 1, size, blob, 1, 77, 1, symbol, "\x00", 9, 1, file, "\x07\x00\x00\x00")
	}
	p, err := memprof.OpenIndexed(one(0, 1), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &memprof.DataAccess{ColdSymbols: []string{"cold"}, ColdHashes: []uint64{77},
		Records: []memprof.DataAccessRecord{{Symbol: "sym", AccessCount: 9,
			Locations: []memprof.DataLocation{{File: "a.h", Line: 7}}}}}
	if diff := cmp.Diff(want, p.DataAccess); diff != "" {
		t.Error(diff)
	}
	for name, test := range map[string]struct {
		data  []byte
		kind  model.Kind
		field string
	}{
		"fewer strings than it says": {dataAccess(3, 1, size, blob, 0, 0, 0), model.KindMalformed, "NumStrings"},
		"more than can be":           {dataAccess(-1, 1, size, blob, 0, 0, 0), model.KindMalformed, "NumStrings"},
		"strings past the end":       {dataAccess(2, 1, 1<<40, blob), model.KindTruncated, "Strings"},
		"nothing at all":             {dataAccess(), model.KindTruncated, "NumStrings"},
		"a symbol past the strings":  {one(2, 1), model.KindMalformed, "Symbol"}, // the third is a cold one
		"a file past the strings":    {one(0, 2), model.KindMalformed, "FileName"},
		"more hashes than bytes":     {dataAccess(2, 1, size, blob, 1<<60), model.KindTruncated, "NumColdHashes"},
		"more records than bytes":    {dataAccess(2, 1, size, blob, 0, 1<<60), model.KindTruncated, "NumRecords"},
		"more places than bytes": {
			dataAccess(2, 1, size, blob, 0, 1, 0, "\x00", 9, 1<<60, 0, 0), model.KindTruncated, "NumLocations",
		},
		"a bomb": {
			dataAccess(0, 0, 8, "\xff\xff\xff\xff\x0f\x02xy"), model.KindTooLarge, "uncompressed size",
		},
		"no stream": {dataAccess(0, 0, 8, "\x05\x04abcd\x00\x00"), model.KindUncompressFailed, "strings"},
		"an endless number": {
			dataAccess(0, 0, 16, strings.Repeat("\xff", 16)), model.KindMalformed, "uncompressed size",
		},
	} {
		_, err := memprof.OpenIndexed(test.data, 0, nil)
		if err == nil {
			t.Errorf("%s: taken", name)
			continue
		}
		if f := fault(t, err); f.Kind != test.kind || f.Field != test.field ||
			!strings.HasPrefix(f.Section, "memprof data access") {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
