package covmap_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/decode/covmap"
	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// fault is the FormatError that an error must be.
func fault(t testing.TB, err error) *model.FormatError {
	t.Helper()
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok || f.Kind == "" || f.Kind == model.KindInternal || f.Msg == "" || f.File == "" {
		t.Fatalf("error %#v is no FormatError with kind, file and message", err)
	}
	return f
}

// ulebs are numbers as a mapping has them.
func ulebs(numbers ...uint64) (b []byte) {
	for _, v := range numbers {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// record is a function of version 4 and later, built.
type record struct {
	name    string
	hash    uint64
	mapping []byte
}

// built is an object of one translation unit in the testing format.
type built struct {
	version uint32   // on disk
	files   []string // with the directory
	packed  []byte   // the file names instead, as they are stored
	records []record
}

func (b built) bytes() []byte {
	files := b.packed
	if files == nil {
		var plain []byte
		for _, f := range b.files {
			plain = append(append(plain, ulebs(uint64(len(f)))...), f...)
		}
		files = append(ulebs(uint64(len(b.files)), uint64(len(plain)), 0), plain...)
	}
	var names []string
	var covfun []byte
	for _, r := range b.records {
		if !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
		covfun = le.AppendUint64(covfun, instrprof.NameRef([]byte(r.name)))
		covfun = le.AppendUint32(covfun, uint32(len(r.mapping)))
		covfun = le.AppendUint64(covfun, r.hash)
		covfun = le.AppendUint64(covfun, instrprof.NameRef(files))
		covfun = pad(append(covfun, r.mapping...))
	}
	blob := strings.Join(names, "\x01")
	blob = string(ulebs(uint64(len(blob)), 0)) + blob
	covmap := le.AppendUint32(le.AppendUint32(nil, 0), uint32(len(files)))
	covmap = append(le.AppendUint32(le.AppendUint32(covmap, 0), b.version), files...)
	out := append([]byte("llvmcovm"), 1, 0, 0, 0, 0, 0, 0, 0)
	out = append(append(out, ulebs(uint64(len(blob)), 0)...), blob...)
	out = pad(append(out, ulebs(uint64(len(covmap)))...))
	return append(pad(append(out, covmap...)), covfun...)
}

var le = binary.LittleEndian

func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&7)...) }

// open reads what was built, whose object it is.
func (b built) open(t testing.TB, o covmap.Options) *covmap.Object {
	t.Helper()
	list, err := covmap.Open("built", b.bytes(), o)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// line is a mapping of one region on a line, of counter 0.
func line(n uint64) []byte { return ulebs(1, 1, 0, 1, 1, n, 1, 0, 9) }

var dummy = ulebs(1, 1, 0, 1, 0, 7, 1, 0, 9)

// TestVector is formats/covmap.md, section 23.
func TestVector(t *testing.T) {
	mapping := []byte("\x01\x01\x01\x01\x05\x06\x01\x01\x0e\x00\x23\x01\x00\x17\x00\x18\x20\x05\x02\x00\x17\x00\x18\x05\x00\x1a\x00\x9b\x80\x80\x80\x08\x05\x00\x1b\x00\x1c\x02\x00\x1f\x00\x20")
	o := built{version: 6, files: []string{"", "t.c"}, records: []record{{"f", 0x60d, mapping}}}.open(t, covmap.Options{})
	var m covmap.Mapping
	if err := o.Functions[0].Read(&m); err != nil {
		t.Fatal(err)
	}
	const first, second, expression = 0<<2 | 1, 1<<2 | 1, 0<<2 | 2
	at := func(from, to uint32) covmap.Region {
		return covmap.Region{
			Start: covmap.Position{Line: 1, Column: from}, End: covmap.Position{Line: 1, Column: to}, Counter: first,
		}
	}
	want := []covmap.Region{at(14, 35), at(23, 24), at(23, 24), at(26, 27), at(27, 28), at(31, 32)}
	want[2].Kind, want[2].Counter, want[2].False = covmap.Branch, second, expression
	want[3].Kind, want[3].Counter = covmap.Gap, second
	want[4].Counter, want[5].Counter = second, expression
	if !slices.Equal(m.Regions, want) || !slices.Equal(m.Files, []string{"t.c"}) ||
		!slices.Equal(m.Expressions, []covmap.Expression{{Left: first, Right: second}}) {
		t.Errorf("%+v", m)
	}
	if f := o.Functions[0]; f.Name != "f" || f.Hash != 0x60d || f.Dummy {
		t.Errorf("%+v", f)
	}
}

func TestOneRecordAFunction(t *testing.T) {
	o := built{version: 6, files: []string{"", "t.c"}, records: []record{
		{"dummy first", 0, dummy}, {"kept", 1, line(3)}, {"dummy first", 5, line(4)}, {"dummy first", 6, line(5)},
		{"kept", 2, line(6)}, {"kept", 0, dummy}, {"dummy", 0, dummy}, {"no dummy", 0, line(8)},
	}}.open(t, covmap.Options{})
	var got []string
	var m covmap.Mapping
	for _, f := range o.Functions {
		if err := f.Read(&m); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(f.Name, f.Hash, m.Regions[0].Start.Line, f.Dummy))
	}
	if want := "[dummy first5 4 false kept1 3 false dummy0 7 true no dummy0 8 false]"; fmt.Sprint(got) != want {
		t.Errorf("%v", got)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for _, test := range []struct{ dir, given, name, want string }{
		{"/src", "", "a.c", "/src/a.c"},
		{"/src/", "", "./b/../a.c", "/src/a.c"},
		{"/src", "", "../../../a.c", "/a.c"},
		{"", "", "../x/../../a.c", "../../a.c"},
		{".", "", "calc/main.c", "calc/main.c"},
		{"", "", "a/..", ""},
		{"x/y", "", "../../../z//q/", "../z/q"},
		{"//host/share", "", "../../a.c", "//host/a.c"},
		{"/src", "", "/abs/./a.c", "/abs/./a.c"},
		{"/src", "", `C:\x\a.c`, `C:\x\a.c`},
		{"/src", "", `\\host\a.c`, `\\host\a.c`},
		{"/src", "/else", "a.c", "/else/a.c"},
		{"/src", "/else", "/abs/a.c", "/abs/a.c"},
	} {
		o := built{version: 6, files: []string{test.dir, test.name}, records: []record{{"f", 1, line(1)}}}.open(
			t, covmap.Options{CompilationDir: test.given})
		var m covmap.Mapping
		if err := o.Functions[0].Read(&m); err != nil || m.Files[0] != test.want {
			t.Errorf("%+v: %q, %v", test, m.Files, err)
		}
	}
	o := built{version: 4, files: []string{"x", "a/../b.c"}, records: []record{{"f", 1, line(1)}}}.open(
		t, covmap.Options{})
	var m covmap.Mapping
	if err := o.Functions[0].Read(&m); err != nil || m.Files[0] != "a/../b.c" {
		t.Errorf("version 5: %q, %v", m.Files, err)
	}
}

// TestExpansionsCountAsWhatTheyBeginWith: file 0 begins with an expansion of 1, that of 2,
// whose first region has counter 3; an expansion of the last file id, which has no
// regions, and one of its own file id, count nothing.
func TestExpansionsCountAsWhatTheyBeginWith(t *testing.T) {
	expand := func(file uint64) uint64 { return file<<3 | 4 }
	mapping := ulebs(4, 1, 1, 1, 1, 0,
		3, expand(1), 1, 1, 0, 5, expand(3), 1, 1, 0, 5, expand(0), 1, 1, 0, 5,
		1, expand(2), 1, 1, 0, 5,
		2, 3<<2|1, 1, 1, 0, 5, 1<<2|1, 1, 1, 0, 5,
		0)
	o := built{version: 6, files: []string{"", "t.c"}, records: []record{{"f", 1, mapping}}}.open(t, covmap.Options{})
	var m covmap.Mapping
	if err := o.Functions[0].Read(&m); err != nil {
		t.Fatal(err)
	}
	var got []covmap.Counter
	for _, r := range m.Regions {
		got = append(got, r.Counter)
	}
	// The expansion of file 0 has the counter of that file's first region.
	if want := []covmap.Counter{13, 0, 13, 13, 13, 5}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestConditions(t *testing.T) {
	mapping := ulebs(1, 1, 0, 2, 5<<3, 12, 2, 1, 1, 0, 9, 6<<3, 5, 9, 1, 0, 2, 0, 1, 0, 4)
	o := built{version: 6, files: []string{"", "t.c"}, records: []record{{"f", 1, mapping}}}.open(t, covmap.Options{})
	var m covmap.Mapping
	if err := o.Functions[0].Read(&m); err != nil {
		t.Fatal(err)
	}
	d, c := m.Regions[0], m.Regions[1]
	if d.Kind != covmap.Decision || d.Bitmap != 12 || d.Conditions != 2 {
		t.Errorf("%+v", d)
	}
	if c.Kind != covmap.MCDCBranch || c.Counter != 5 || c.False != 9 || c.ID != 0 || c.NextTrue != -1 || c.NextFalse != 1 {
		t.Errorf("%+v", c)
	}
}

// TestReadUsesItsSlicesAgain: a program of many functions is read through one Mapping.
func TestReadUsesItsSlicesAgain(t *testing.T) {
	list, err := covmap.Open("rules", real(t, "clang-22/rules/rules.exe"), covmap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m covmap.Mapping
	read := func() {
		for n := range list[0].Functions {
			_ = list[0].Functions[n].Read(&m)
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
