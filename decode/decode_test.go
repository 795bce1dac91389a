package decode_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/internal/memtest"
)

// real is a real profile kept beside the decoder of its format.
func real(t testing.TB, path string) format.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("instrprof", "testdata", path))
	if err != nil {
		t.Fatal(err)
	}
	return format.File{Name: filepath.Base(path), Data: data}
}

func text(name, s string) format.File { return format.File{Name: name, Data: []byte(s)} }

const record = "f\n1\n2\n10\n20\n\n"

func open(t testing.TB, files ...format.File) *decodetest.Profile {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func counters(t testing.TB, p *decodetest.Profile) map[string][]uint64 {
	t.Helper()
	out := map[string][]uint64{}
	for f, err := range p.Functions() {
		if err != nil {
			t.Fatal(err)
		}
		out[string(f.Name)] = append([]uint64{}, f.Counters...)
	}
	return out
}

func TestRecogniseProfiles(t *testing.T) {
	future := append([]byte("\x81rforpl\xff"), make([]byte, 200)...)
	future[8] = 12
	for _, test := range []struct {
		file     format.File
		format   model.Format
		describe string
	}{
		{real(t, "raw/clang-13_ir_c.profraw"), instrprof.FormatRaw, "LLVM raw v7, 64-bit, little-endian, IR"},
		{real(t, "raw/clang-22_ir_m32.profraw"), instrprof.FormatRaw, "LLVM raw v10, 32-bit, little-endian, IR"},
		{
			real(t, "raw/clang-22_ir_entry_first.profraw"), instrprof.FormatRaw,
			"LLVM raw v10, 64-bit, little-endian, IR, entry first",
		},
		{real(t, "indexed/clang-15_ir_c.profdata"), instrprof.FormatIndexed, "LLVM indexed v8, IR"},
		{text("a", ":ir\n"+record), instrprof.FormatText, "LLVM text, IR"},
		{text("a", record), instrprof.FormatText, "LLVM text, front end"},
		{text("a", "# nothing\n\n"), instrprof.FormatText, "LLVM text, front end"},
		{text("a", ""), instrprof.FormatRaw, "empty file"},
		{text("a", "f\nnot a hash\n1\n1\n"), instrprof.FormatText, "LLVM text, front end"},
		{format.File{Data: future}, instrprof.FormatRaw, "LLVM raw v12, an unknown version"},
	} {
		r := decode.Recognise(test.file.Name, test.file.Data)
		if r.Err != nil || !r.Is(test.format) || r.Describe != test.describe {
			t.Errorf("%s: %s, %q, %v; want %s, %q", test.file.Name, r.Format.Name, r.Describe, r.Err, test.format, test.describe)
		}
	}
}

func TestRecogniseOtherFiles(t *testing.T) {
	for _, test := range []struct{ data, what, remedy string }{
		{"\x7fELF\x02\x01\x01", "ELF", "run the program"},
		{"\xcf\xfa\xed\xfe\x07", "Mach-O", "run the program"},
		{"MZ\x90\x00\x03\x00", "Windows", "run the program"},
		{"BC\xc0\xde\x35", "bitcode", "run the program"},
		{"PERFILE2\x00\x00", "perf.data", "llvm-profgen"},
		{"adcg*33A", "gcda", "gcov"},
		{"oncg*33A", "gcno", "gcov"},
		{"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03", "pprof", "pprof"},
		{"{\"data\": []}\n", "JSON", "llvm-cov"},
		{"\n<!DOCTYPE html>\n<html>", "web page", "download"},
		{"\x1f\x8b\x08\x00abcd", "gzip", "unpack"},
		{"PK\x03\x04abcdef", "zip", "unpack"},
		{"\x28\xb5\x2f\xfdabcd", "zstd", "unpack"},
		{"\xff\xfe:\x00i\x00r\x00\n\x00", "UTF-16", "UTF-8"},
		{"\xef\xbb\xbf:ir\n", "byte order mark", "mark"},
		{"\xef\xbf\xbdlprofi\xef\xbf\xbd\x0d", "copied as text", "binary mode"},
		{"\x81rfor", "cut short", "copy"},
		{"SQLite format 3\x00abc", "SQLite", "profile"},
		{"TN:\nSF:/a.c\n", "lcov", "profraw"},
		{"mode: set\na.go:1.2,3.4 1 1\n", "coverage profile of Go", "go tool cover"},
		{"Instrumentation level: IR  entry_first = 0\nTotal functions: 1\n", "llvm-profdata show", "--text"},
	} {
		r := decode.Recognise("x", []byte(test.data))
		f := format.FindingOf("x", r.Err)
		if r.Err == nil || f.Kind != model.KindUnrecognizedFormat || !strings.Contains(f.Message, test.what) ||
			!strings.Contains(f.Remedy, test.remedy) {
			t.Errorf("%q: %+v", test.data, f)
		}
	}
	for _, test := range []struct{ data, what string }{
		{"\xffmprofr\x81\x00\x00\x00\x00\x00\x00\x00\x03", "big-endian"},
	} {
		r := decode.Recognise("x", []byte(test.data))
		if model.KindOf(r.Err) != model.KindUnsupportedVersion || !strings.Contains(r.Describe, test.what) {
			t.Errorf("%q: %q, %v", test.data, r.Describe, r.Err)
		}
	}
	if r := decode.Recognise("x", []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}); model.KindOf(r.Err) != model.KindUnrecognizedFormat {
		t.Errorf("%+v", r)
	}
}

func TestOpenEqualsTheFormatsOfOneProfile(t *testing.T) {
	write := func(f format.File) string {
		var b bytes.Buffer
		if err := encode.Proftext(&b, open(t, f).Source); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	raw := write(real(t, "raw/clang-22_ir_c.profraw"))
	if diff := cmp.Diff(raw, write(text("again.proftext", raw))); diff != "" {
		t.Error(diff)
	}
}

func TestOpenEmptyFiles(t *testing.T) {
	alone := open(t, text("empty.profraw", ""))
	if n := len(counters(t, alone)); n != 0 || alone.Info() == nil {
		t.Errorf("%d functions, %v", n, alone.Info())
	}
	among := open(t, text("empty.profraw", ""), text("a", record))
	if n := len(counters(t, among)); n != 1 || len(among.Inputs) != 2 {
		t.Errorf("%d functions, %v", n, among.Inputs)
	}
	for _, p := range []*decodetest.Profile{alone, among} {
		f := p.Findings()
		if len(f) != 1 || f[0].Code != "raw.empty_raw_profile" || f[0].Severity != model.Warning ||
			f[0].File != "empty.profraw" {
			t.Errorf("%+v", f)
		}
	}
}

func TestOpenNamesFilesThatCannotMerge(t *testing.T) {
	_, err := decodetest.Open(t.Context(),
		[]format.File{text("ir.proftext", ":ir\n"+record), text("fe.proftext", ":fe\n"+record)}, format.Options{})
	f := format.FindingOf("", err)
	if f.Kind != model.KindIncompatible || f.File != "fe.proftext" || !strings.Contains(f.Message, "ir.proftext") {
		t.Errorf("%v: %+v", err, f)
	}
}

func TestOpenNamesTheFileAtFault(t *testing.T) {
	bad := real(t, "raw/clang-22_ir_c.profraw")
	bad.Data = bad.Data[:100]
	_, err := decodetest.Open(t.Context(), []format.File{text("a", record), bad}, format.Options{})
	f := format.FindingOf("", err)
	if f.Code != "raw.bad_header" || f.File != bad.Name || f.Cause == "" || f.Remedy == "" {
		t.Errorf("%+v", f)
	}
}

// A program that would tell the lines of counters says what is wrong with it.
func TestOpenSaysWhereAProgramIsCut(t *testing.T) {
	whole, err := os.ReadFile("llvm/testdata/shapes/ir.exe")
	if err != nil {
		t.Fatal(err)
	}
	object := bytes.Clone(whole)
	object[16] = 1 // ET_REL
	for program, want := range map[string]string{
		"\x7fELF":            "lines.truncated e_ident 0",
		string(whole[:1000]): "lines.truncated e_shoff 40",
		string(object):       "lines.unsupported_version e_type 16",
		string(whole):        "",
	} {
		p, err := decodetest.Open(t.Context(), []format.File{text("a.proftext", ":ir\n"+record), text("a.exe", program)},
			format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, f := range p.Findings() {
			if f.File == "a.exe" {
				got = fmt.Sprint(f.Code, " ", f.Field, " ", f.Offset)
			}
		}
		if got != want {
			t.Errorf("%.20q: %q, want %q", program, got, want)
		}
	}
}

func TestOpenNamesAVersionOfTheFuture(t *testing.T) {
	f := real(t, "indexed/clang-15_ir_c.profdata")
	f.Data = bytes.Clone(f.Data)
	f.Data[8] = 15
	_, err := decodetest.Open(t.Context(), []format.File{f}, format.Options{})
	if model.KindOf(err) != model.KindUnsupportedVersion ||
		!strings.Contains(err.Error(), "indexed version 15; newest known is 14") {
		t.Error(err)
	}
	f = real(t, "raw/clang-22_ir_c.profraw")
	f.Data = bytes.Clone(f.Data)
	f.Data[8] = 12
	_, err = decodetest.Open(t.Context(), []format.File{f}, format.Options{})
	if model.KindOf(err) != model.KindRawVersionMismatch ||
		!strings.Contains(err.Error(), "raw version 12; newest known is 11") {
		t.Error(err)
	}
}

func TestOpenRecordsAndReports(t *testing.T) {
	var last, of uint64
	files := []format.File{real(t, "raw/clang-22_ir_c.profraw"), real(t, "raw/clang-22_ir_zero.profraw")}
	p, err := decodetest.Open(t.Context(), files, format.Options{Record: true, Progress: func(done, total uint64) {
		if done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last, of = done, total
	}})
	if err != nil {
		t.Fatal(err)
	}
	if last != of || of != uint64(len(files[0].Data)+len(files[1].Data)) {
		t.Errorf("%d of %d", last, of)
	}
	if s := p.Inputs[1].Sections; len(s) < 4 || s[0].Name != "header" || len(s[0].Fields) != 16 {
		t.Errorf("%+v", s)
	}
}

func TestOpenStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := decodetest.Open(ctx, []format.File{text("a", record)}, format.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}

	ctx, cancel = context.WithCancel(t.Context())
	p, err := decodetest.Open(ctx, []format.File{real(t, "indexed/clang-15_ir_c.profdata")}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if n := len(counters(t, p)); n == 0 { // fewer records than pass between two looks
		t.Error("no functions")
	}
}

func TestInspectKeepsWhatCouldBeRead(t *testing.T) {
	f := real(t, "raw/clang-22_ir_c.profraw")
	whole := decode.Inspect(f)
	if len(whole.Findings) != 0 || whole.Format != "LLVM raw v10, 64-bit, little-endian, IR" {
		t.Errorf("%s, %+v", whole.Format, whole.Findings)
	}
	f.Data = f.Data[:len(f.Data)-100]
	cut := decode.Inspect(f)
	last := cut.Findings[len(cut.Findings)-1]
	if len(cut.Sections) < len(whole.Sections)-1 || last.Code != "raw.too_large" || last.Offset == 0 {
		t.Errorf("%d sections of %d, %+v", len(cut.Sections), len(whole.Sections), last)
	}
	elf := decode.Inspect(text("a.out", "\x7fELF\x02\x01\x01\x00"))
	if len(elf.Findings) != 1 || elf.Format != "an ELF executable or object file" || elf.Sections == nil {
		t.Errorf("%+v", elf)
	}
}

func TestGroup(t *testing.T) {
	files := []format.File{
		real(t, "raw/clang-22_ir_c.profraw"),      // 0
		real(t, "indexed/clang-15_ir_c.profdata"), // 1
		text("empty", ""),                         // 2
		real(t, "raw/clang-22_ir_c.profraw"),      // 3: the same program
		real(t, "raw/clang-22_cs_c.profraw"),      // 4: another
		text("a", record),                         // 5
		text("b", record),                         // 6
		text("elf", "\x7fELF\x02\x01\x01\x00"),    // 7: of no use, and left out
	}
	counters := bytes.Clone(files[3].Data) // of another run: other counts, other addresses
	counters[0x60]++
	files[3].Data = counters
	var is []format.Recognised
	for _, f := range files {
		is = append(is, decode.Recognise(f.Name, f.Data))
	}
	want := [][]int{{0, 3, 2, 7}, {1}, {4}, {5}, {6}}
	if diff := cmp.Diff(want, format.Group(is)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryKindHasAdvice(t *testing.T) {
	for _, kind := range []model.Kind{
		model.KindTruncated, model.KindMalformed, model.KindBadMagic, model.KindBadHeader, model.KindUnrecognizedFormat,
		model.KindUnsupportedVersion, model.KindRawVersionMismatch, model.KindUnsupportedHashType, model.KindTooLarge,
		model.KindEOF,
		model.KindUncompressFailed, model.KindEmpty, model.KindIncompatible, model.KindTimeout, model.KindInternal,
	} {
		f := format.FindingOf("a", &model.FormatError{Kind: kind})
		if f.Cause == "" || f.Remedy == "" || f.Code != "input."+string(kind) {
			t.Errorf("%s: %+v", kind, f)
		}
	}
	if f := format.FindingOf("a", fmt.Errorf("decoding: %w", context.DeadlineExceeded)); f.Kind != model.KindTimeout {
		t.Errorf("%+v", f)
	}
	if f := format.FindingOf("a", errors.New("disk on fire")); f.Kind != model.KindInternal ||
		strings.Contains(f.Message, "fire") {
		t.Errorf("%+v", f)
	}
}

func FuzzRecognise(f *testing.F) {
	for _, file := range []string{
		"raw/clang-22_ir_zero.profraw", "raw/clang-13_ir_hostile.profraw", "indexed/clang-13_hostile.profdata",
	} {
		f.Add(real(f, file).Data)
	}
	for _, s := range []string{"", record, ":ir\n" + record, "\x7fELF", "{}", "main:1:0\n 1: 2\n", "\x81rfor"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		r := decode.Recognise("x", data)
		if r.Describe == "" || (r.Err == nil) != (r.Format != nil && r.Companion == nil) {
			t.Fatalf("%+v", r)
		}
		p, err := decodetest.Open(t.Context(), []format.File{{Name: "x", Data: data}}, format.Options{})
		if (p == nil) == (err == nil) || r.Err != nil && err == nil {
			t.Fatalf("recognised %+v, opened %v, %v", r, p, err)
		}
		a := decode.Inspect(format.File{Name: "x", Data: data})
		if err != nil && len(a.Findings) == 0 {
			t.Fatalf("%v, but the anatomy has no finding", err)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	var s bytes.Buffer
	s.WriteString(":ir\n")
	for i := range 20_000 {
		fmt.Fprintf(&s, "function_%d\n%d\n4\n1\n2\n%d\n4\n\n", i, i*7919, i)
	}
	for _, bench := range []struct {
		name string
		file format.File
	}{
		{"raw", real(b, "raw/clang-22_ir_concat.profraw")},
		{"text", format.File{Name: "a", Data: s.Bytes()}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.file.Data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decodetest.Open(b.Context(), []format.File{bench.file}, format.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
