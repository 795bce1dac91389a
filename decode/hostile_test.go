package decode_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
)

// zlibOf compresses as well as zlib can.
func zlibOf(data []byte) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// blob is names as a names section has them, compressed.
func blob(names []byte) []byte {
	packed := zlibOf(names)
	b := binary.AppendUvarint(nil, uint64(len(names)))
	return append(binary.AppendUvarint(b, uint64(len(packed))), packed...)
}

// rawProfile is a raw profile of version 8, of records of 48 bytes (instrprof.md §2).
func rawProfile(flags uint64, records, counters, names []byte, width int) []byte {
	pad := make([]byte, -len(names)&7)
	words := []uint64{
		0xff6c70726f667281, 8 | flags, 0, uint64(len(records) / 48), 0, uint64(len(counters) / width),
		uint64(-len(counters) & 7), uint64(len(names)), 0, 0, 1,
	}
	var b []byte
	for _, w := range words {
		b = le.AppendUint64(b, w)
	}
	b = append(append(b, records...), counters...)
	b = append(b, make([]byte, -len(counters)&7)...)
	return append(append(b, names...), pad...)
}

// record is a function of n counters at the section's begin, whose record is the i-th;
// where the section is counts from there.
func rawRecord(i int, n int) []byte {
	b := le.AppendUint64(nil, uint64(i))
	b = le.AppendUint64(b, uint64(i))
	b = le.AppendUint64(b, -uint64(i*48))
	b = append(b, make([]byte, 16)...)
	b = le.AppendUint32(b, uint32(n))
	return le.AppendUint32(b, 0)
}

var le = binary.LittleEndian

// names gives n names of size bytes that differ in their last.
func namesOf(n, size int) []byte {
	var b []byte
	for i := range n {
		if i > 0 {
			b = append(b, 1)
		}
		b = append(b, bytes.Repeat([]byte("x"), size-8)...)
		b = fmt.Appendf(b, "%08d", i)
	}
	return b
}

// mapOf is a map of functions that were folded into one, and a run of it.
func mapOf(functions int) (mapFile, run format.File) {
	head := func(kind mip.FileType) []byte {
		b := append([]byte("\xfbMIP"), 8, 0)
		b = le.AppendUint16(b, uint16(kind|mip.File64))
		b = le.AppendUint32(b, uint32(mip.Timestamp|mip.CallCount))
		b = le.AppendUint32(b, 1)
		b = le.AppendUint64(b, 0)
		return le.AppendUint32(le.AppendUint32(b, 0), 32)
	}
	b := head(mip.FileMap)
	for i := range functions {
		at := uint64(len(b))
		b = le.AppendUint64(le.AppendUint64(b, 32-at), uint64(i)-at)
		b = le.AppendUint32(le.AppendUint32(b, 4), 0)
		b = le.AppendUint32(b, 0)
		b = le.AppendUint32(b, 4)
		b = fmt.Appendf(b, "%04x", i)
		b = append(b, make([]byte, -len(b)&7)...)
	}
	run = format.File{Name: "a.mipraw", Data: append(head(mip.FileRaw), 1, 0, 0, 0, 1, 0, 0, 0)}
	return format.File{Name: "a.mipmap", Data: b}, run
}

// Files that were made to take memory take no more of it than others of their size.
func TestHostileFilesTakeNoMoreMemory(t *testing.T) {
	one := func(name string, data []byte) []format.File { return []format.File{{Name: name, Data: data}} }
	size := func(n int) int {
		if testing.Short() {
			n /= 4
		}
		return n
	}
	times := func(n int, line string) []byte { return bytes.Repeat([]byte(line), n) }
	long := strings.Repeat("x", size(32<<20))
	mapFile, run := mapOf(20_000)
	tests := []struct {
		name  string
		files []format.File
		kind  model.Kind // empty: it is read
	}{
		{
			"a hundred blobs of names", one("a.profraw", unpacked(t, "../ingest/confine/testdata/names-bomb.profraw.gz")),
			model.KindTooLarge,
		},
		{
			"blobs of a mebibyte", one("a.profraw",
				rawProfile(0, nil, nil, bytes.Repeat(blob(namesOf(64, 16<<10)), size(400)), 8)), model.KindTooLarge,
		},
		{"short names in blobs", one("a.profraw", rawProfile(0, nil, nil, blob(namesOf(size(1<<18), 9)), 8)), ""},
		{"a long name, raw", one("a.profraw", rawProfile(0, nil, nil, blob([]byte(long[:2<<20])), 8)), model.KindTooLarge},
		{
			"a long name, stored", one("a.profraw",
				rawProfile(0, nil, nil, append(append(binary.AppendUvarint(nil, uint64(len(long))), 0), long...), 8)),
			model.KindTooLarge,
		},
		{"a long name, text", one("a.proftext", []byte("x"+long+"\n1\n1\n1\n")), model.KindTooLarge},
		{"a long target", one("a.proftext", []byte("main\n1\n1\n1\n1\n0\n1\n1\nx"+long+":1\n")), model.KindTooLarge},
		{
			"a long trace", one("a.proftext", []byte(":temporal_prof_traces\n1\n1\n1\nx"+long+"\nmain\n1\n1\n1\n")),
			model.KindTooLarge,
		},
		{"a long name, YAML", one("a.yaml", []byte("---\nHeapProfileRecords:\n  - GUID: "+long+"\n")), model.KindTooLarge},
		{
			"a long name, quoted", one("a.yaml", []byte("---\nHeapProfileRecords:\n  - GUID: \""+long+"\"\n")),
			model.KindTooLarge,
		},
		{
			"a report of one line", one("a.txt", []byte("Recorded MIBs (incl. live on exit):\n #0 0x1 in "+long+"\n")),
			model.KindTooLarge,
		},
		{"counters that all records share", one("a.profraw", sharedCounters(1<<14, 1<<14, 8)), model.KindTooLarge},
		{"bytes of coverage that all records share", one("a.profraw", sharedCounters(1<<10, 1<<16, 1)), model.KindTooLarge},
		{"a mebibyte of coverage for each of many", manyShared(), model.KindTooLarge},
		{"profiles of no records", one("a.profraw", times(size(10_000), string(rawProfile(0, nil, nil, nil, 8)))), ""},
		{
			"value sites without values", one("a.proftext",
				append([]byte("main\n1\n1\n1\n1\n0\n"+strconv.Itoa(size(300_000))+"\n"), times(size(300_000), "0\n")...)), "",
		},
		{"records of one counter", one("a.proftext", times(size(300_000), "f\n1\n1\n1\n")), ""},
		{
			"a trace of short names", one("a.proftext",
				[]byte(":temporal_prof_traces\n1\n1\n1\n"+strings.Repeat("a,", size(1<<19))+"\nmain\n1\n1\n1\n")), "",
		},
		{"runs of folded functions", append([]format.File{mapFile}, sameFiles(run, size(4000))...), model.KindTooLarge},
		{"lines of a header", one("a.dcpi", append(times(size(200_000), "a b\n"), "samples\n"...)), ""},
		{
			"events", one("a.txt", append(append([]byte("name a\nimage 1\nepoch 9901010000\nplatform a\n"),
				times(size(100_000), "event 0 a:1:1\n")...), '\n')), "",
		},
		{
			"keys of a dump", one("a.txt",
				append([]byte("name a\nimage 1\nepoch 9901010000\nplatform a\nevent 0 a:1:1\n"), keys(size(100_000))...)), "",
		},
		{
			"paths of a dump", one("a.txt",
				append([]byte("name a\nimage 1\nepoch 9901010000\nplatform a\nevent 0 a:1:1\n"),
					times(size(200_000), "path a\n")...)), "",
		},
	}
	for _, test := range tests {
		total := 0
		for _, f := range test.files {
			total += len(f.Data)
		}
		var err error
		use := bound.Check(t, test.name, total, func() any {
			p, fault := decodetest.Open(t.Context(), test.files, format.Options{Record: true})
			err = fault
			if p != nil {
				for _, fault := range p.Functions() {
					if fault != nil {
						err = fault
					}
				}
				for range p.Names() {
				}
			}
			return p
		})
		inspected := bound.Check(t, test.name+", inspected", total, func() any { return decode.Inspect(test.files[0]) })
		t.Logf("%s: %d bytes; %d and %d at once: %.1f and %.1f for each beyond 16 MiB", test.name, total, use.Peak,
			inspected.Peak, beyond(use.Peak, total), beyond(inspected.Peak, total))
		if test.kind != "" && (err == nil || model.KindOf(err) != test.kind) {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.kind == model.KindTooLarge {
			if f := format.FindingOf("x", err); f.Message == "" || f.Remedy == "" {
				t.Errorf("%s: %+v", test.name, f)
			}
		}
	}
}

func beyond(used uint64, size int) float64 { return (float64(used) - 16<<20) / float64(size) }

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sharedCounters is records that all have the same counters, of a width in bytes.
func sharedCounters(records, counters, width int) []byte {
	var list []byte
	for i := range records {
		list = append(list, rawRecord(i, counters)...)
	}
	flags := uint64(0)
	if width == 1 {
		flags = 1 << 60
	}
	return rawProfile(flags, list, make([]byte, counters*width), nil, width)
}

// manyShared is files of which each claims no more than it may alone.
func manyShared() (files []format.File) {
	data := sharedCounters(16, 1<<16, 1)
	for i := range 200 {
		files = append(files, format.File{Name: fmt.Sprint(i), Data: bytes.Clone(data)})
		le.PutUint64(files[i].Data[88:], uint64(i)+1000)
		for r := range 16 {
			le.PutUint64(files[i].Data[88+48*r:], uint64(i*100+r)+1000)
		}
	}
	return files
}

func sameFiles(f format.File, n int) (files []format.File) {
	for range n {
		files = append(files, f)
	}
	return files
}

func keys(n int) (b []byte) {
	for i := range n {
		b = fmt.Appendf(b, "k%d v\n", i)
	}
	return b
}
