package instrprof_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

func openText(t testing.TB, text string) *instrprof.Text {
	t.Helper()
	x, err := instrprof.OpenText([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestTextGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/text/*.proftext")
	if len(files) < 25 {
		t.Fatal("the test data is gone")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(filepath.Base(file), "bad_") {
				if err := textError(data); err == nil {
					t.Error("accepted, while llvm-profdata refuses it")
				}
				return
			}
			if !instrprof.IsText(data) {
				t.Error("not recognised as text")
			}
			compareGolden(t, file+".golden", proftext(t, openText(t, string(data))))
		})
	}
}

func textError(data []byte) error {
	x, err := instrprof.OpenText(data, nil)
	if err != nil {
		return err
	}
	_, _, _, err = drain(x)
	return err
}

func TestTextErrors(t *testing.T) {
	for _, test := range []struct {
		text   string
		kind   model.Kind
		offset uint64
		msg    string
	}{
		{":irr\n", model.KindBadHeader, 0, "directive"},
		{":ir\n: fe\n", model.KindBadHeader, 4, "directive"},
		{":ir \n", model.KindBadHeader, 0, "directive"},
		{":temporal_prof_traces\n", model.KindEOF, 22, "ends inside the temporal traces"},
		{":temporal_prof_traces\nx\n", model.KindMalformed, 22, "not a valid integer"},
		{":temporal_prof_traces\n1\n", model.KindEOF, 24, "ends inside the temporal traces"},
		{":temporal_prof_traces\n1\n1\n", model.KindEOF, 26, "ends inside the temporal traces"},
		{":temporal_prof_traces\n1\n1\n1\n", model.KindEOF, 28, "ends inside the temporal traces"},
		{":temporal_prof_traces\n9999999999\n1\n", model.KindEOF, 22, "exceeds the lines"},
		{"f\n", model.KindTruncated, 2, "ends inside a record"},
		{"f\nzz\n", model.KindMalformed, 2, "function hash is not a valid integer"},
		{"f\n18446744073709551616\n1\n1\n", model.KindMalformed, 2, "function hash is not a valid integer"},
		{"f\n1\n", model.KindTruncated, 4, "ends inside a record"},
		{"f\n1\n0x1\n1\n", model.KindMalformed, 4, "number of counters is not a valid integer"},
		{"f\n1\n0\n", model.KindMalformed, 4, "number of counters is zero"},
		{"f\n1\n3\n1\n2\n", model.KindTruncated, 4, "exceeds the lines"},
		{"f\n1\n18446744073709551615\n1\n", model.KindTruncated, 4, "exceeds the lines"},
		{"f\n1\n2\n100\n", model.KindTruncated, 10, "ends inside a record"},
		{"f\n1\n1\n 1\n", model.KindMalformed, 6, "count is invalid"},
		{"f\n1\n1\n1\n$x\n", model.KindMalformed, 8, "number of bitmap bytes"},
		{"f\n1\n1\n1\n$9\n", model.KindTruncated, 8, "exceeds the lines"},
		{"f\n1\n1\n1\n$1\n256\n", model.KindMalformed, 11, "bitmap byte"},
		{"f\n1\n1\n1\n0\n", model.KindMalformed, 8, "number of value kinds"},
		{"f\n1\n1\n1\n4\n", model.KindMalformed, 8, "number of value kinds"},
		{"f\n1\n1\n1\n1\n", model.KindTruncated, 10, "ends inside a record"},
		{"f\n1\n1\n1\n1\n3\n1\n", model.KindMalformed, 10, "value kind is invalid"},
		{"f\n1\n1\n1\n1\n0\nx\n", model.KindMalformed, 12, "number of value sites"},
		{"f\n1\n1\n1\n1\n0\n4294967295\n", model.KindTruncated, 12, "exceeds the lines"},
		{"f\n1\n1\n1\n1\n0\n1\n4294967295\n", model.KindTruncated, 25, "ends inside a record"},
		{"f\n1\n1\n1\n1\n0\n1\n3\nf\n", model.KindMalformed, 16, "has no count"},
		{"f\n1\n1\n1\n1\n0\n1\n1\nname\n", model.KindMalformed, 16, "no count"},
		{"f\n1\n1\n1\n1\n0\n1\n1\n:5\n", model.KindMalformed, 16, "name of the target is empty"},
		{"f\n1\n1\n1\n1\n0\n1\n1\na:b\n", model.KindMalformed, 16, "count of the value"},
		{"f\n1\n1\n1\n1\n1\n1\n1\na:5\n", model.KindMalformed, 16, "value is not a valid integer"},
		{"# c\n\nf\n1\n1\n1\ng\nx\n", model.KindMalformed, 15, "function hash"},
	} {
		fe, ok := errors.AsType[*model.FormatError](textError([]byte(test.text)))
		if !ok {
			t.Errorf("%q is accepted", test.text)
			continue
		}
		if fe.Kind != test.kind || fe.Offset != test.offset || !strings.Contains(fe.Msg, test.msg) {
			t.Errorf("%q: %v; want %s at 0x%x with %q", test.text, fe, test.kind, test.offset, test.msg)
		}
	}
}

func TestTextReading(t *testing.T) {
	text := ":IR\r\n# a comment\n:Entry_First\n:temporal_prof_traces\n0x2\n010\n3\n f , ,g,,\n# c\n4\nh\n" +
		"\n\nf:o o\n0b101\n# between\n2\n\n7\r\n18446744073709551615\n$ 0x2 \n0x1F\n007\n" +
		"3\n0\n2\n2\na:b:3\n** External Symbol **:1\n0\n1\n1\n1\n513:9\n2\n0\n" +
		"g\n1\n1\n1\n" +
		"g\n2\n1\n5\x00\nnot read\n"
	x := openText(t, text)
	info := x.Info()
	if want := instrprof.IRProf | instrprof.InstrEntry | instrprof.TemporalProf; info.Variant != want ||
		info.TraceStreamSize != 8 || info.ExplicitFE {
		t.Errorf("variant %q of %d traces, explicit front end %v", info.Variant, info.TraceStreamSize, info.ExplicitFE)
	}
	functions, traces, names, err := drain(x)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(text, "f:o o")
	second := strings.Index(text, "g\n1\n1\n1")
	third := strings.Index(text, "g\n2\n1\n5")
	want := []instrprof.Function{
		{
			Name: []byte("f:o o"), NameRef: md5of("f:o o"), FuncHash: 5, Counters: []uint64{7, 1<<64 - 1},
			Bitmap: []byte{0x1f, 7},
			Sites: [instrprof.NumValueKinds][]instrprof.ValueSite{
				{{{Value: md5of("a:b"), Count: 3}, {Value: 0, Count: 1}}, {}},
				{{{Value: 513, Count: 9}}},
			},
			Offset: uint64(first), Size: uint64(second - first),
		},
		{
			Name: []byte("g"), NameRef: md5of("g"), FuncHash: 1, Counters: []uint64{1}, Offset: uint64(second),
			Size: uint64(third - second),
		},
		{Name: []byte("g"), NameRef: md5of("g"), FuncHash: 2, Counters: []uint64{5}, Offset: uint64(third), Size: 7},
	}
	if diff := cmp.Diff(want, functions); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
	wantTraces := []instrprof.Trace{
		{Weight: 3, NameRefs: []uint64{md5of("f"), md5of(""), md5of("g")}},
		{Weight: 4, NameRefs: []uint64{md5of("h")}},
	}
	if diff := cmp.Diff(wantTraces, traces); diff != "" {
		t.Errorf("traces (-want +got):\n%s", diff)
	}
	for _, name := range []string{"f", "g", "h", "a:b", "f:o o"} {
		if names[md5of(name)] != name {
			t.Errorf("no name %q", name)
		}
	}
}

// TestTextLargeBitmap reads what llvm-profdata 22 writes and cannot read back.
func TestTextLargeBitmap(t *testing.T) {
	x := openText(t, "f\n1\n1\n1\n$300\n"+strings.Repeat("0x1\n", 300)+"\ng\n1\n1\n1\n")
	functions, _, _, err := drain(x)
	if err != nil || len(functions) != 2 || len(functions[0].Bitmap) != 300 || len(functions[1].Bitmap) != 0 {
		t.Errorf("%d functions, error %v", len(functions), err)
	}
}

func TestIsText(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "f": true, ":ir\n": true, "\t\n\v\f\r ~": true, "12345678\x00": true,
		"1234567\x00": false, "\x00": false, "\x7f": false, "\x08": false, "\xc3\xa9": false, "\xfflprofi\x81": false,
	} {
		if instrprof.IsText([]byte(text)) != want {
			t.Errorf("IsText(%q) is not %v", text, want)
		}
	}
}

func TestTextAnatomy(t *testing.T) {
	var rec wire.Recorder
	if _, err := instrprof.OpenText([]byte(":ir\n# c\nf\n1\n1\n1\n"), &rec); err != nil {
		t.Fatal(err)
	}
	want := []model.Section{{Name: "header", Offset: 0, Size: 8}, {Name: "records", Offset: 8, Size: 8}}
	if diff := cmp.Diff(want, rec.Sections()); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
}

// TestTextTruncated cuts a file with every directive at every byte.
func TestTextTruncated(t *testing.T) {
	data, err := os.ReadFile("testdata/text/ir_vp.proftext.golden")
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := textError(data[:n:n]); err != nil {
			if fe, ok := errors.AsType[*model.FormatError](err); !ok || fe.Offset > uint64(n) || fe.Kind == "" {
				t.Errorf("cut to %d: %v", n, err)
			}
		}
	}
}

// Counters are read alike whatever stands around them: comments, other line ends, many digits.
func TestTextCounters(t *testing.T) {
	text, err := instrprof.OpenText([]byte(
		"f\n1\n7\n1\n# two\n2\r\n00000000000000003\n\n4\n18446744073709551615\n6\n7"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for f, err := range text.Functions() {
		if err != nil || !slices.Equal(f.Counters, []uint64{1, 2, 3, 4, 1<<64 - 1, 6, 7}) {
			t.Errorf("%v, %v", f, err)
		}
	}
}
