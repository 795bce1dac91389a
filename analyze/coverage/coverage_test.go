package coverage_test

import (
	"context"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
	"proflens/decode/covmap"
)

// object is a mapping in llvm-cov's testing format: the functions of one unit, whose
// files are a directory without a name and t.c.
func object(t testing.TB, functions ...function) *covmap.Object {
	t.Helper()
	o, err := open(functions...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func open(functions ...function) (*covmap.Object, error) {
	var names []byte
	covmapSection := []byte{0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 2, 5, 0, 0, 3, 't', '.', 'c'}
	key := md5.Sum(covmapSection[16:])
	var records []byte
	for i, f := range functions {
		if i > 0 {
			names = append(names, 1)
		}
		names = append(names, f.name...)
		name := md5.Sum([]byte(f.name))
		records = append(records, name[:8]...)
		records = binary.LittleEndian.AppendUint32(records, uint32(len(f.mapping)))
		records = binary.LittleEndian.AppendUint64(records, f.hash)
		records = append(records, key[:8]...)
		records = pad(append(records, f.mapping...))
	}
	names = append(append(binary.AppendUvarint(nil, uint64(len(names))), 0), names...)
	data := append([]byte("llvmcovm"), 1, 0, 0, 0, 0, 0, 0, 0)
	data = append(binary.AppendUvarint(data, uint64(len(names))), 0)
	data = append(data, names...)
	data = pad(binary.AppendUvarint(data, uint64(len(covmapSection))))
	data = append(pad(append(data, covmapSection...)), records...)
	objects, err := covmap.Open("t.covmapping", data, covmap.Options{})
	if err != nil {
		return nil, err
	}
	return objects[0], nil
}

type function struct {
	name    string
	hash    uint64
	mapping []byte
}

func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&7)...) }

// conditional is "int f(int a) { return a ? 1 : 2; }" of section 23.
var conditional = function{"f", 0x60d, []byte{
	1, 1, 1, 1, 5, 6,
	1, 1, 0x0e, 0, 0x23,
	1, 0, 0x17, 0, 0x18,
	0x20, 5, 2, 0, 0x17, 0, 0x18,
	5, 0, 0x1a, 0, 0x9b, 0x80, 0x80, 0x80, 8,
	5, 0, 0x1b, 0, 0x1c,
	2, 0, 0x1f, 0, 0x20,
}}

func join(t testing.TB, p *coverage.Profile, o coverage.Options, objects ...*covmap.Object) *coverage.Coverage {
	t.Helper()
	c, err := coverage.Join(context.Background(), objects, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestVectorOfTheDescription(t *testing.T) {
	p := &coverage.Profile{}
	p.Add([]byte("f"), coverage.Record{Hash: 0x60d, Counters: []uint64{5, 2}})
	c := join(t, p, coverage.Options{}, object(t, conditional))
	v := c.FileView(0)
	segment := func(column uint32, count uint64, has, entry, gap bool) coverage.Segment {
		return coverage.Segment{
			Position: covmap.Position{Line: 1, Column: column}, Count: count, HasCount: has, Entry: entry, Gap: gap,
		}
	}
	want := []coverage.Segment{
		segment(14, 5, true, true, false), segment(23, 5, true, true, false), segment(24, 5, true, false, false),
		segment(26, 2, true, false, true), segment(27, 2, true, true, false), segment(28, 5, true, false, false),
		segment(31, 3, true, true, false), segment(32, 5, true, false, false), segment(35, 0, false, false, false),
	}
	if !slices.Equal(v.Segments, want) {
		t.Errorf("segments %v", v.Segments)
	}
	if b := v.Branches[0]; len(v.Branches) != 1 || b.Count != 2 || b.False != 3 || b.Folded() {
		t.Errorf("branches %+v", *b)
	}
	sum := c.Summaries(nil)[0]
	if want := (coverage.Summary{Regions: metric(4, 4), Functions: metric(1, 1), Instantiations: metric(1, 1),
		Lines: metric(1, 1), Branches: metric(2, 2)}); sum != want {
		t.Errorf("%+v", sum)
	}
	lines := slices.Collect(coverage.Lines(v.Segments))
	if len(lines) != 1 || lines[0].Count != 5 || !lines[0].Mapped || !lines[0].Multiple {
		t.Errorf("lines %+v", lines)
	}
}

func metric(total, covered int) coverage.Metric {
	return coverage.Metric{Total: total, Covered: covered}
}

// What does not fit is told, and only what is said to.
func TestMisfits(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	for _, test := range []struct {
		name, profile string
		programs      []string
		want          coverage.Misfits
	}{
		{"the library has a dummy of what the program runs", "clang-19/order/order.profdata",
			[]string{"clang-19/order/libbar.so", "clang-19/order/order.exe"}, coverage.Misfits{
				Hidden: []coverage.Misfit{
					{Name: "_Z3fooiiiiii", Object: 1, Hash: 4234954403421968407, Found: []uint64{4234954403421968407}},
				},
			}},
		{"two objects with dummies of each other's functions", "clang-22/plugin/plugin.profdata",
			[]string{"clang-22/plugin/plugin.exe", "clang-22/plugin/libplug.so"}, coverage.Misfits{
				Mismatched: []coverage.Misfit{
					{Name: "_Z8lib_onlyi", Found: []uint64{99164}, Dummy: true},
					{Name: "_Z8exe_onlyi", Object: 1, Found: []uint64{99163}, Dummy: true},
				},
			}},
		{"two static functions of one name", "clang-22/dup/dup.profdata", []string{"clang-22/dup/dup.exe"}, coverage.Misfits{
			Lost: []coverage.Lost{{Name: "util.c:helper", Hash: 640088, Ran: true}},
		}},
		{"too few counters", "odd/short/short.profdata", []string{"clang-22/tiny/tiny.exe"}, coverage.Misfits{
			Short: []coverage.Misfit{{Name: "f", Hash: 0x60d, Found: []uint64{0x60d}}},
		}},
		{"another build", "odd/mismatch/mismatch.profdata", []string{"clang-22/tiny/tiny.exe"}, coverage.Misfits{
			Mismatched: []coverage.Misfit{{Name: "f", Hash: 0x60d, Found: []uint64{5}}},
		}},
		{"another program", "clang-22/tiny/tiny.profdata", []string{"clang-22/xmac/xmac.exe"}, coverage.Misfits{Foreign: 2,
			Mismatched: []coverage.Misfit{{Name: "main", Hash: 79733108792697944, Found: []uint64{99164}}}}},
	} {
		got := coveragetest.Join(t, dir, test.profile, coverage.Options{}, test.programs...).Misfits
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A dummy hides a function from llvm-cov, whichever object comes first; not from us.
func TestFunctionsThatRanWinOverDummies(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	programs := []string{"clang-19/order/libbar.so", "clang-19/order/order.exe"}
	count := func(o coverage.Options) uint64 {
		c := coveragetest.Join(t, dir, "clang-19/order/order.profdata", o, programs...)
		return c.Functions[slices.IndexFunc(c.Functions,
			func(f coverage.Function) bool { return f.Name == "_Z3fooiiiiii" })].Count()
	}
	for range 2 {
		if n := count(coverage.Options{}); n != 1 {
			t.Errorf("%v: %d", programs, n)
		}
		slices.Reverse(programs)
	}
	if n := count(coverage.Options{AsLLVM: true}); n != 0 {
		t.Errorf("as llvm-cov: %d", n)
	}
}

// The dummy of a function that has macros in it has another list of files than the
// function.
func TestDummiesOfFunctionsWithMacros(t *testing.T) {
	dummy := function{"f", 0, []byte{1, 1, 0, 1, 0, 1, 1, 0, 5}}
	real := function{"f", 7, []byte{2, 1, 1, 0, 2, 1, 1, 1, 0, 5, 0x0c, 0, 2, 0, 3, 1, 1, 9, 9, 0, 12}}
	p := &coverage.Profile{}
	p.Add([]byte("g"), coverage.Record{Hash: 1, Counters: []uint64{1}})
	for _, o := range []coverage.Options{{}, {AsLLVM: true}} {
		c := join(t, p, o, object(t, dummy), object(t, real))
		if n := map[bool]int{false: 1, true: 2}[o.AsLLVM]; len(c.Functions) != n {
			t.Errorf("%+v: %d functions, want %d", o, len(c.Functions), n)
		}
	}
}

// Expressions of a long function refer to one another a long way down.
func TestLongChainsOfExpressions(t *testing.T) {
	const n = 200_000
	m := binary.AppendUvarint([]byte{1, 1}, n)
	for i := range uint64(n) { // each the next one and counter 0
		m = binary.AppendUvarint(m, (i+1)%n<<2|3)
		if i == n-1 {
			m[len(m)-1] = 1 // the last: counter 0 and counter 0
		}
		m = append(m, 1)
	}
	m = append(m, 1, 3, 1, 1, 0, 9)
	p := &coverage.Profile{}
	p.Add([]byte("f"), coverage.Record{Hash: 1, Counters: []uint64{1}})
	c := join(t, p, coverage.Options{}, object(t, function{"f", 1, m}))
	if len(c.Functions) != 1 || c.Functions[0].Count() != n+1 {
		t.Errorf("%+v", c.Misfits)
	}
}

// A few bytes can claim four milliards of lines: they are one piece.
func TestLinesWithoutSegmentsAreOnePiece(t *testing.T) {
	segments := []coverage.Segment{
		{Position: covmap.Position{Line: 2, Column: 3}, Count: 7, HasCount: true, Entry: true},
		{Position: covmap.Position{Line: 1 << 31, Column: 1}},
	}
	lines := slices.Collect(coverage.Lines(segments))
	if len(lines) != 3 || lines[1].First != 3 || lines[1].Last != 1<<31-1 || lines[1].Count != 7 || !lines[1].Mapped ||
		!lines[2].Mapped {
		t.Errorf("%+v", lines)
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]string{
		"/a/./b/../c": "/a/c", "a//b/": "a/b", "../../x": "../../x", "/../x": "/x", "./x": "x", `C:\a\b.c`: "C:/a/b.c",
		"/": "/", "": "",
	} {
		if got := coverage.CleanPath(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	for _, test := range []struct {
		paths []string
		want  int
	}{
		{[]string{"/a/b/c.c"}, 0}, {[]string{"/a/b/c.c", "/a/b/d.c"}, 5}, {[]string{"/a/bc.c", "/a/bd.c"}, 3},
		{[]string{"a.c", "b.c"}, 0},
		{[]string{"/a.c", "/b.c"}, 1}, {[]string{"x/a.c", "x/a.c"}, 5},
	} {
		if got := coverage.Redundant(test.paths); got != test.want {
			t.Errorf("%q: %d, want %d", test.paths, got, test.want)
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := coverage.Join(ctx, []*covmap.Object{object(t, conditional)}, &coverage.Profile{}, coverage.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The bitmap of LLVM 18 has a bit for each set of true conditions, from a byte on.
func TestConditionMasks(t *testing.T) {
	mapping := []byte{1, 1, 0, 4,
		1, 1, 1, 0, 20, // code
		5 << 3, 1, 2, 0, 5, 0, 11, // decision of two conditions, bitmap byte 1
		6 << 3, 1, 1, 1, 2, 0, 0, 5, 0, 6, // condition 1: on to 2 when true
		6 << 3, 1, 1, 2, 0, 0, 0, 10, 0, 11, // condition 2
	}
	p := &coverage.Profile{ConditionMasks: true}
	p.Add([]byte("f"), coverage.Record{Hash: 1, Counters: []uint64{3}, Bitmap: []byte{0xff, 0b1011}})
	c := join(t, p, coverage.Options{}, object(t, function{"f", 1, mapping}))
	d := c.Functions[0].Decisions
	if len(d) != 1 || len(d[0].Vectors) != 3 || d[0].False != 2 || d[0].Metric() != metric(2, 2) {
		t.Fatalf("%+v", d)
	}
	if want := [2]int{1, 3}; d[0].Conditions[0].Pair != want {
		t.Errorf("%+v", d[0].Conditions)
	}
}
