package mip_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/encode"
)

// mapOf is a map of 64 bits, with the raw section at 0x1000 and the map at 0. Of
// a function there are its name, where its counters are, and its blocks.
func mapOf(kind mip.ProfileType, functions ...function) []byte {
	b := head(mip.FileMap|mip.File64, kind)
	le.PutUint64(b[16:], 0x1000)
	for i, f := range functions {
		at := uint64(len(b))
		b = le.AppendUint64(b, 0x1000+f.raw-at)
		b = le.AppendUint64(b, 0x100*uint64(i)-at) // code lies before the raw section
		b = le.AppendUint32(le.AppendUint32(b, 64), 7)
		b = le.AppendUint32(b, uint32(len(f.blocks)))
		for _, block := range f.blocks {
			b = le.AppendUint32(b, block.Offset)
		}
		b = append(le.AppendUint32(b, uint32(len(f.name))), f.name...)
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

// word is a number of a raw file.
func word(v uint32) []byte { return le.AppendUint32(nil, v) }

// never is a word that was not set.
var never = word(mip.Never)

// figures are what a test expects of a function.
type figures struct {
	Merges, Calls, Places uint64
	Blocks                []bool
}

func figuresOf(m *mip.Profile) []figures {
	var list []figures
	for i := range m.Functions {
		f := &m.Functions[i]
		one := figures{Merges: f.MergeCount, Calls: f.CallCount, Places: f.TimestampSum}
		for _, b := range f.Blocks {
			one.Blocks = append(one.Blocks, b.Covered)
		}
		list = append(list, one)
	}
	return list
}

// typed is a set of files of one profile type: the records of two functions, f
// with two blocks where the type has them, and g, in a run in which f alone ran,
// was called three times and was the first to.
type typed struct {
	name     string
	kind     mip.ProfileType
	f, g     []byte // what stands in the run
	gap      int    // padding between
	want     []figures
	measured mip.ProfileType
	warnings []mip.Warning
}

func (s *typed) functions() []function {
	f := function{name: "f", raw: 32}
	if s.kind.Has(mip.BlockCoverage) {
		f.blocks = []mip.Block{{Offset: 4}, {Offset: 8}}
	}
	return []function{f, {name: "g", raw: uint64(32 + len(s.f) + s.gap)}}
}

func (s *typed) files() []format.File {
	return []format.File{
		{Name: "a.mipmap", Data: mapOf(s.kind, s.functions()...)},
		{Name: "a.mipraw", Data: run(s.kind, slices.Concat(s.f, make([]byte, s.gap), s.g)...)},
	}
}

// everyType has each profile type alone and combined.
func everyType() []typed {
	const f, b, t, c = mip.FunctionCoverage, mip.BlockCoverage, mip.Timestamp, mip.CallCount
	blocks := []byte{0x00, 0xff}
	pair, ran := slices.Concat(never, never), slices.Concat(word(3), word(1))
	with := func(head []byte) []byte { return slices.Concat(head, blocks) }
	covered := []figures{{1, 1, 0, nil}, {}}
	blocked := []figures{{1, 1, 0, []bool{true, false}}, {}}
	counted := []figures{{1, 3, 1, nil}, {}}
	both := []figures{{1, 3, 1, []bool{true, false}}, {}}
	alone := []mip.Warning{mip.CoverageAlone}
	return []typed{
		{"1", f, []byte{0}, []byte{0xff}, 0, covered, f, nil},
		{"3", f | b, with([]byte{0}), []byte{0xff}, 0, blocked, f | b, nil},
		{"c", t | c, ran, pair, 0, counted, t | c, nil},
		{"e", t | c | b, with(ran), pair, 2, both, t | c | b, nil},

		// Without function coverage there are both words, whatever is named.
		{"2", b, with(ran), pair, 2, both, b, []mip.Warning{mip.BlocksAlone}},
		{"4", t, ran, pair, 0, counted, t, nil},
		{"6", t | b, with(ran), pair, 2, both, t | b, nil},
		{"8", c, ran, pair, 0, counted, c, nil},
		{"a", c | b, with(ran), pair, 2, both, c | b, nil},
		// The word that is not named need not have been set.
		{"4, no count", t, slices.Concat(never, word(1)), pair, 0, []figures{{1, 0, 1, nil}, {}}, t, nil},
		{"8, no place", c, slices.Concat(word(3), never), pair, 0, []figures{{1, 3, 0, nil}, {}}, c, nil},

		// Where the map has no room for both, there is the one that is named.
		{"4, one word", t, word(1), never, 0, []figures{{1, 1, 1, nil}, {}}, t, []mip.Warning{mip.EntriesByMap}},
		{
			"6, one word", t | b, with(word(1)), never, 2, []figures{{1, 1, 1, []bool{true, false}}, {}}, t | b,
			[]mip.Warning{mip.EntriesByMap},
		},
		{"8, one word", c, word(3), never, 0, []figures{{1, 3, 0, nil}, {}}, c, []mip.Warning{mip.EntriesByMap}},
		{
			"a, one word", c | b, with(word(3)), never, 2, []figures{{1, 3, 0, []bool{true, false}}, {}}, c | b,
			[]mip.Warning{mip.EntriesByMap},
		},
		{
			"2, a coverage byte", b, []byte{0x00, 0x00, 0xff}, []byte{0xff}, 0, blocked, b,
			[]mip.Warning{mip.BlocksAlone, mip.EntriesByMap},
		},
		{"2, nothing", b, blocks, nil, 0, blocked, b, []mip.Warning{mip.BlocksAlone, mip.EntriesByMap}},

		// Function coverage is a byte, whatever else is named.
		{"5", f | t, []byte{0}, []byte{0xff}, 0, covered, f, alone},
		{"7", f | t | b, with([]byte{0}), []byte{0xff}, 0, blocked, f | b, alone},
		{"9", f | c, []byte{0}, []byte{0xff}, 0, covered, f, alone},
		{"b", f | c | b, with([]byte{0}), []byte{0xff}, 0, blocked, f | b, alone},
		{"d", f | t | c, []byte{0}, []byte{0xff}, 0, covered, f, alone},
		{"f", f | t | c | b, with([]byte{0}), []byte{0xff}, 0, blocked, f | b, alone},
	}
}

// A map and a run of every profile type are read as the reference reader does, or
// as the map has room, and the profile has what was recorded and nothing else.
func TestEveryTypeJoins(t *testing.T) {
	seen := map[mip.ProfileType]bool{}
	for _, s := range everyType() {
		seen[s.kind] = true
		m := open(t, s.files()...).MIP
		if diff := cmp.Diff(s.want, figuresOf(m)); diff != "" {
			t.Errorf("type %s: %s", s.name, diff)
		}
		if m.Measured() != s.measured || !slices.Equal(m.Warnings, s.warnings) || m.Header.ProfileType != s.kind {
			t.Errorf("type %s: has %v, warns of %v", s.name, m.Measured().Words(), m.Warnings)
		}
		if !m.Runs[0].Executed.Has(0) || m.Runs[0].Executed.Has(1) {
			t.Errorf("type %s: the run executed %v", s.name, m.Runs[0].Executed)
		}
		if m.HasCalls() && m.Runs[0].Calls == nil || m.HasTimestamps() && m.Runs[0].First == nil {
			t.Errorf("type %s: %+v", s.name, m.Runs[0])
		}
		// The run adds up, and a run that was cut is told.
		twice := open(t, append(s.files(), format.File{Name: "b.mipraw", Data: s.files()[1].Data})...).MIP
		if f := twice.Functions[0]; f.MergeCount != 2 || twice.HasCalls() && f.CallCount != 6 || twice.HasTimestamps() &&
			f.TimestampSum != 2 {
			t.Errorf("type %s, twice: %+v", s.name, f)
		}
		cut := s.files()
		cut[1].Data = cut[1].Data[:len(cut[1].Data)-1]
		if _, err := decodetest.Open(t.Context(), cut, format.Options{}); model.KindOf(err) != model.KindCorrupt {
			t.Errorf("type %s, cut: %v", s.name, err)
		}
	}
	for kind := mip.ProfileType(1); kind < 0x10; kind++ {
		if !seen[kind] {
			t.Errorf("type %x is not tried", uint32(kind))
		}
	}
}

// A map of every type, with the bit of return addresses too, has its functions,
// and makes a .mip that is read again and says the same.
func TestEveryTypeOfMap(t *testing.T) {
	for kind := mip.ProfileType(1); kind < 0x20; kind++ {
		data := mapOf(kind, function{name: "f", raw: 32, blocks: []mip.Block{{Offset: 4}}}, function{name: "g", raw: 48})
		p := open(t, format.File{Name: "a.mipmap", Data: data})
		m := p.MIP
		if len(m.Functions) != 2 || m.Functions[0].RawOffset != 32 || m.Functions[1].Offset != 0x100-0x1000 ||
			m.Functions[0].Size != 64 || len(m.Functions[0].Blocks) != 1 {
			t.Errorf("type %x: %+v", uint32(kind), m.Functions)
		}
		if got := slices.Contains(m.Warnings, mip.ReturnAddresses); got != kind.Has(mip.ReturnAddress) ||
			m.Header.ProfileType != kind {
			t.Errorf("type %x: %v", uint32(kind), m.Warnings)
		}
		for _, layout := range encode.MIPLayouts {
			again := open(t, format.File{Name: "a.mip", Data: writeMIP(t, p, layout)})
			if again.MIP.Measured() != m.Measured() || again.MIP.HasTimestamps() != m.HasTimestamps() {
				t.Errorf("type %x as %s: %v", uint32(kind), layout, again.MIP.Measured().Words())
			}
			sameFunctionsOf(t, fmt.Sprintf("type %x as %s", uint32(kind), layout), m, again.MIP)
		}
	}
}

func sameFunctionsOf(t *testing.T, name string, a, b *mip.Profile) {
	t.Helper()
	if diff := cmp.Diff(figuresOf(a), figuresOf(b)); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// The .mip of every type is laid out alike. One says what its functions have;
// beside function coverage it has timestamps and calls that are there. What stands
// for damage is refused.
func TestEveryTypeOfProfile(t *testing.T) {
	for kind := mip.ProfileType(1); kind < 0x20; kind++ {
		for _, layout := range []mip.Layout{mip.Documented, mip.Tool64, mip.DocumentedCount, mip.Tool64Length} {
			l := laidOut{layout: layout, kind: kind, functions: []function{
				{name: "f", raw: 32, merges: 2, calls: 7, sums: 3, blocks: []mip.Block{{Offset: 4, Covered: true}}},
				{name: "g", raw: 48},
			}}
			m, err := mip.OpenProfile(l.bytes(), nil)
			if kind == mip.FunctionCoverage|mip.Timestamp|mip.CallCount {
				if model.KindOf(err) != model.KindBadHeader {
					t.Errorf("type %x: %v", uint32(kind), err)
				}
				continue
			}
			if err != nil {
				t.Errorf("type %x, %s: %v", uint32(kind), layout, err)
				continue
			}
			if diff := cmp.Diff([]figures{{2, 7, 3, []bool{true}}, {}}, figuresOf(m)); diff != "" || m.Measured() != kind {
				t.Errorf("type %x: %v, %s", uint32(kind), m.Measured().Words(), diff)
			}
			l.functions[0].calls, l.functions[0].sums = 1, 0
			if m = l.opened(t); kind.Has(mip.FunctionCoverage) && (m.HasTimestamps() || m.HasCalls()) {
				t.Errorf("type %x: coverage alone has %v", uint32(kind), m.Measured().Words())
			}
			if _, err := encode.PlanMIPOrder(m, encode.OrderOptions{}); (err == nil) != m.HasTimestamps() {
				t.Errorf("type %x: order: %v", uint32(kind), err)
			}
			if layout == mip.Documented || layout == mip.Tool64 {
				if b, err := written(m, layout); err != nil || !bytes.Equal(b, l.bytes()) {
					t.Errorf("type %x, %s: written otherwise, %v", uint32(kind), layout, err)
				}
			}
		}
	}
}

// What return addresses left is told for what it is: the map is read, the run and
// the samples are not.
func TestReturnAddresses(t *testing.T) {
	kind := mip.Timestamp | mip.CallCount | mip.ReturnAddress
	whole := format.File{Name: "a.mipmap", Data: mapOf(kind, function{name: "f", raw: 32})}
	raw := format.File{Name: "a.mipraw", Data: run(kind, counted(1, 1)...)}
	samples := format.File{Name: "a.mipret", Data: append(head(mip.FileRet|mip.File64, kind), counted(32, 0x100)...)}
	p := open(t, whole)
	if found := p.Findings(); len(found) != 1 || found[0].Code != "mip.return_addresses" ||
		found[0].Severity != model.Note {
		t.Errorf("%+v", found)
	}
	for _, f := range []format.File{raw, samples} {
		_, err := decodetest.Open(t.Context(), []format.File{whole, f}, format.Options{})
		if fault := faultOf(t, err); fault.Kind != model.KindUnsupportedFeature || fault.File != f.Name {
			t.Errorf("%s: %+v", f.Name, fault)
		}
		if a := decode.Inspect(f); len(a.Sections) == 0 || len(a.Sections[0].Fields) < 8 {
			t.Errorf("%s: the header is not shown: %+v", f.Name, a.Sections)
		}
	}
}

// Profiles of one type with coverage and counts add up what they have.
func TestMergeOfCoverageWithCounts(t *testing.T) {
	of := func(calls uint64) format.File {
		l := laidOut{
			layout: mip.Documented, kind: mip.FunctionCoverage | mip.CallCount,
			functions: []function{{name: "f", raw: 32, merges: 1, calls: calls}},
		}
		return format.File{Name: fmt.Sprintf("%d.mip", calls), Data: l.bytes()}
	}
	for _, test := range []struct{ a, b, sum uint64 }{{5, 7, 12}, {1, 7, 8}, {7, 1, 8}, {1, 1, 1}} {
		m := open(t, of(test.a), format.File{Name: "other.mip", Data: of(test.b).Data}).MIP
		if got := m.Functions[0].CallCount; got != test.sum || m.HasCalls() != (test.sum > 1) ||
			slices.Contains(m.Warnings, mip.CoverageAlone) == m.HasCalls() {
			t.Errorf("%d and %d are %d", test.a, test.b, got)
		}
	}
}
