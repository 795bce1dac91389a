package sampleprof_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/decode/wire"
)

// TestVector reads the example of the format's reference.
func TestVector(t *testing.T) {
	p := open(t, []byte("main:70:1\n 1: 30 foo:20 bar:10\n 2.1: foo:40\n  3: 40\n"))
	main := p.Functions[0]
	if p.Name(main.Name) != "main" || main.Total != 70 || main.Head != 1 || len(main.Body) != 1 ||
		len(main.Body[0].Targets) != 2 || main.Body[0].Count != 30 {
		t.Errorf("%+v", main)
	}
	foo := main.Sites[0]
	if foo.Loc.String() != "2.1" || p.Name(foo.Callee.Name) != "foo" || foo.Callee.Total != 40 ||
		foo.Callee.Body[0].Count != 40 {
		t.Errorf("%+v", foo)
	}
	if got := p.Entry(main); got != 30 {
		t.Errorf("entered %d times", got)
	}
	if got := sampleprof.Hash("foo"); got != 6699318081062747564 {
		t.Errorf("hash %d", got)
	}
}

func TestFlags(t *testing.T) {
	for name, want := range map[string]string{
		"llvm-22/contexts_text.ext.afdo":   "full contexts, pre-inlined",
		"llvm-22/preinlined.ext.afdo":      "pre-inlined, probes",
		"llvm-22/probe_text.ext.afdo":      "pre-inlined, probes",
		"llvm-22/partial_md5.ext.afdo":     "partial, MD5 names, compressed, split layout",
		"llvm-13/contexts_md5.ext.afdo":    "full contexts, MD5 names",
		"llvm-22/vtables.ext.afdo":         "vtables",
		"llvm-22/discriminators.ext.afdo":  "",
		"llvm-16/md5_compressed.ext.afdo":  "MD5 names, compressed",
		"text/contexts.afdotext":           "full contexts, pre-inlined",
		"text/probe.afdotext":              "pre-inlined, probes",
		"text/plain.afdotext":              "",
		"llvm-22/contexts_nested.afdotext": "probes",
	} {
		if got := strings.Join(open(t, file(t, name)).Flags.Words(), ", "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestSections compares the sections with what the tool prints of them.
func TestSections(t *testing.T) {
	for path, data := range real(t) {
		if !strings.HasSuffix(path, ".ext.afdo") {
			continue
		}
		name := strings.TrimPrefix(path, "testdata/")
		golden := name + ".sections.golden"
		p := open(t, data)
		var b strings.Builder
		for _, s := range p.Sections {
			words := strings.Join(s.Words(), ",")
			fmt.Fprintf(&b, "%s - Offset: %d, Size: %d, Flags: {%s}\n", s.Name(), s.Offset, s.Size, words)
		}
		if strings.HasPrefix(name, "llvm-22/") && !strings.Contains(name, "line.ext") &&
			!strings.Contains(name, "contexts.ext") {
			want := string(file(t, golden))
			if want, _, _ = strings.Cut(want, "Header Size"); want != b.String() {
				t.Errorf("%s:\n%s\nwant\n%s", name, b.String(), want)
			}
		}
	}
}

// TestFunctionTwice reads functions that stand twice, of which releases make different
// things.
func TestFunctionTwice(t *testing.T) {
	p := open(t, file(t, "text/twice.afdotext"))
	if !slices.ContainsFunc(p.Found, func(f model.Finding) bool { return f.Code == "sample.function_twice" }) {
		t.Errorf("%+v", p.Found)
	}
	sound(t, p)
}

// TestSymbols reads a list of symbols.
func TestSymbols(t *testing.T) {
	p := open(t, file(t, "llvm-22/symlist.ext.afdo"))
	if len(p.Symbols) == 0 || !slices.IsSorted(p.Symbols) {
		t.Errorf("%q", p.Symbols)
	}
	if p := open(t, file(t, "llvm-22/nested.afdo")); p.Symbols != nil {
		t.Errorf("%q", p.Symbols)
	}
}

// TestOffsetTable says of functions that are not where the table says.
func TestOffsetTable(t *testing.T) {
	data := bytes.Clone(file(t, "text/small.ext.afdo"))
	p := open(t, data)
	for _, s := range p.Sections {
		if s.Type == sampleprof.SecOffsets {
			data[s.Offset+s.Size-1] ^= 1
		}
	}
	p = open(t, data)
	if !slices.ContainsFunc(p.Found, func(f model.Finding) bool { return f.Code == "sample.offset_table" }) {
		t.Errorf("%+v", p.Found)
	}
}

// TestCut cuts every small file at every byte: it is read or refused, never more.
func TestCut(t *testing.T) {
	for path, data := range real(t) {
		if len(data) > 1000 {
			continue
		}
		for n := range data {
			if p, err := sampleprof.Open(data[:n], &wire.Recorder{}); err == nil {
				sound(t, p)
			} else if f := fault(t, data[:n]); f.Offset > uint64(n) {
				t.Errorf("%s cut at %d: %v", path, n, f)
			}
		}
	}
}

// TestRefused has what no release reads.
func TestRefused(t *testing.T) {
	for path, data := range real(t) {
		if !strings.Contains(path, "bad_") {
			continue
		}
		want := model.KindMalformed
		switch {
		case strings.Contains(path, "bad_header"), strings.Contains(path, "bad_start"), strings.Contains(path, "bad_total"):
			want = model.KindUnrecognizedFormat
		}
		if f := fault(t, data); f.Kind != want {
			t.Errorf("%s: %v", path, f)
		}
	}
	deep := []byte("f:1:1\n")
	for n := range 600 {
		deep = append(deep, strings.Repeat(" ", n+1)+"1: f:1\n"...)
	}
	for _, c := range []struct {
		name string
		data []byte
		want model.Kind
	}{
		{"deep", deep, model.KindTooLarge},
		{"overflow", []byte("f:18446744073709551615:0\nf:1:0\n"), sampleprof.KindCounterOverflow},
		{"overflow of a count", []byte("f:1:0\n 1: 18446744073709551615\n 1: 1\n"), sampleprof.KindCounterOverflow},
		{"a space at the end", []byte("f:1:0\n 1: 5 g:3 \n"), model.KindMalformed},
		{"a type twice", []byte("f:1:0\n 1: vtables A:1 A:2\n"), model.KindMalformed},
		{"a type with a colon", []byte("f:1:0\n 1: vtables A:b:1\n"), model.KindMalformed},
		{"a long name", []byte(strings.Repeat("x", 70000) + ":1:1\n"), model.KindUnrecognizedFormat},
		{"a long callee", []byte("f:1:1\n 1: " + strings.Repeat("x", 70000) + ":1\n"), model.KindTooLarge},
		{"line offset", raw(1, 0, 1, 1, 70000, 0, 1, 0, 0), sampleprof.KindIllegalLineOffset},
		{"name index", raw(1, 7, 1, 0, 0), sampleprof.KindTruncatedNameTable},
		{"many records", raw(1, 0, 1, 1<<40), model.KindMalformed},
		{"records past the end", raw(1, 0, 1, 1<<30), model.KindTruncated},
		{"version", append(magic(0xff), 104), model.KindUnsupportedVersion},
		{"many sections", binary.LittleEndian.AppendUint64(append(magic(4), 103), 1<<60), model.KindTruncated},
	} {
		if f := fault(t, c.data); f.Kind != c.want {
			t.Errorf("%s: %v, want %s", c.name, f, c.want)
		}
	}
}

func magic(kind byte) []byte {
	return binary.AppendUvarint(nil, binary.BigEndian.Uint64(append([]byte("SPROF42"), kind)))
}

// raw is a raw binary file with an empty summary, one name, and these numbers for
// functions.
func raw(numbers ...uint64) []byte {
	out := append(magic(0xff), 103, 0, 0, 0, 0, 0, 0, 1, 'f', 0)
	for _, n := range numbers {
		out = binary.AppendUvarint(out, n)
	}
	return out
}

// TestHalfWritten tells files whose writers were stopped from damaged ones.
func TestHalfWritten(t *testing.T) {
	data := bytes.Clone(file(t, "text/small.ext.afdo"))
	for i := 18; i < 242; i++ {
		data[i] = 0xff
	}
	if f := fault(t, data); f.Kind != model.KindTruncated || !strings.Contains(f.Msg, "stopped") {
		t.Error(f)
	}
}

// A compressed section is read to its own end, whatever size the table of sections gives it, as by LLVM.
func TestCompressedToItsOwnEnd(t *testing.T) {
	sound := file(t, "text/small_z.ext.afdo")
	want := open(t, sound)
	for i, s := range want.Sections {
		if s.Size == 0 {
			continue
		}
		entry := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, s.Offset), s.Size)
		for _, size := range []uint64{s.Size - 1, uint64(len(sound))} {
			data := bytes.Clone(sound)
			binary.LittleEndian.PutUint64(data[bytes.Index(data, entry)+8:], size)
			if got := open(t, data); !reflect.DeepEqual(got.Functions, want.Functions) || len(got.Found) != len(want.Found)+1 {
				t.Errorf("section %d of %d bytes: %d functions, %v", i, size, len(got.Functions), got.Found)
			}
		}
	}
}

// TestBomb claims more than is there.
func TestBomb(t *testing.T) {
	p := open(t, file(t, "text/small_z.ext.afdo"))
	for _, s := range p.Sections {
		if s.Size == 0 {
			continue
		}
		data := bytes.Clone(file(t, "text/small_z.ext.afdo"))
		packed := binary.AppendUvarint(binary.AppendUvarint(nil, 16<<30), s.Size-8)
		if uint64(len(packed)) > s.Size {
			continue
		}
		copy(data[s.Offset:], packed)
		if f := fault(t, data); f.Kind != model.KindUncompressFailed && f.Kind != model.KindTruncated &&
			f.Kind != model.KindTooLarge {
			t.Error(f)
		}
	}
}
