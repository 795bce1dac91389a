package stacks

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/pprof/profile"
)

// allocations is a small profile with all that the formats have to cope with.
func allocations() *Profile {
	main := Frame{Name: "main", File: "main.cc", Line: 7, Address: 0x1000, Image: "/bin/app"}
	outer := Frame{
		Name: "app::run(int)", Linkage: "_ZN3app3runEi", File: "run.cc", Line: 20, Address: 0x2000, Image: "/bin/app",
	}
	inlined := Frame{
		Name: "app::grow()", Linkage: "_ZN3app4growEv", File: "run.h", Line: 3, Inlined: true, Address: 0x2000,
		Image: "/bin/app",
	}
	samples := []Sample{
		{
			Stack: []Frame{inlined, outer, main}, Values: []uint64{3, 300},
			Labels: []Label{{Key: "class", Text: "cold"}, {Key: "lifetime", Number: 5, Unit: "milliseconds"}},
		},
		{Stack: []Frame{outer, main}, Values: []uint64{0, 10}},
		{Stack: []Frame{{Name: "a;b\nc\xff"}}, Values: []uint64{math.MaxUint64, 1}},
		{Stack: []Frame{{}}, Values: []uint64{1, 1}},
	}
	return &Profile{
		Name: "app", Types: []Type{{"allocations", "count"}, {"space", "bytes"}}, Comments: []string{"made for a test"},
		Samples: func(yield func(*Sample, error) bool) {
			for i := range samples {
				if !yield(&samples[i], nil) {
					return
				}
			}
		},
	}
}

func TestFolded(t *testing.T) {
	for _, c := range []struct {
		value int
		names Names
		want  string
	}{
		{0, Demangled, "main;app::run(int);app::grow() 3\na:b c\\xff 18446744073709551615\n[unknown] 1\n"},
		{1, Linkage, "main;_ZN3app3runEi;_ZN3app4growEv 300\nmain;_ZN3app3runEi 10\na:b c\\xff 1\n[unknown] 1\n"},
	} {
		var b bytes.Buffer
		if err := Folded(&b, allocations(), c.value, c.names); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want {
			t.Errorf("got\n%s, want\n%s", b.String(), c.want)
		}
	}
}

func TestFoldedDifference(t *testing.T) {
	test := allocations()
	test.Samples = func(yield func(*Sample, error) bool) {
		for _, name := range []string{"new", "[unknown]", "new"} {
			if !yield(&Sample{Stack: []Frame{{Name: name}}, Values: []uint64{2, 0}}, nil) {
				return
			}
		}
	}
	var b bytes.Buffer
	if err := FoldedDifference(&b, allocations(), test, 0, Demangled); err != nil {
		t.Fatal(err)
	}
	if want := "main;app::run(int);app::grow() 3 0\na:b c\\xff 18446744073709551615 0\n[unknown] 1 2\nnew 0 4\n"; b.String() != want {
		t.Errorf("got\n%s, want\n%s", b.String(), want)
	}
}

func TestSpeedscope(t *testing.T) {
	var b bytes.Buffer
	if err := Speedscope(&b, allocations(), Demangled); err != nil {
		t.Fatal(err)
	}
	var file struct {
		Schema string `json:"$schema"`
		Shared struct {
			Frames []struct {
				Name, File string
				Line       int
			}
		}
		Profiles []struct {
			Type, Name, Unit string
			StartValue       json.Number
			EndValue         json.Number
			Samples          [][]int
			Weights          []json.Number
		}
	}
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	if file.Schema != "https://www.speedscope.app/file-format-schema.json" || len(file.Profiles) != 2 {
		t.Fatalf("%+v", file)
	}
	count, space := file.Profiles[0], file.Profiles[1]
	if count.Unit != "none" || space.Unit != "bytes" || count.EndValue != "18446744073709551619" ||
		space.EndValue != "312" {
		t.Errorf("%+v", file.Profiles)
	}
	if len(count.Samples) != 3 || len(count.Weights) != 3 || len(space.Samples) != 4 ||
		count.Weights[1] != "18446744073709551615" {
		t.Errorf("%+v", file.Profiles)
	}
	var names []string
	for _, i := range space.Samples[0] {
		names = append(names, file.Shared.Frames[i].Name)
	}
	if !slices.Equal(names, []string{"main", "app::run(int)", "app::grow()"}) || len(file.Shared.Frames) != 5 {
		t.Errorf("the first stack is %q of %d frames", names, len(file.Shared.Frames))
	}
}

func TestPprof(t *testing.T) {
	var b bytes.Buffer
	clamped, err := Pprof(&b, allocations())
	if err != nil || clamped != 1 {
		t.Fatalf("%d values were too large, %v", clamped, err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	if p.DefaultSampleType != "allocations" || len(p.Sample) != 4 || len(p.Function) != 5 || len(p.Mapping) != 2 ||
		p.Comments[0] != "made for a test" {
		t.Errorf("%v", p)
	}
	s := p.Sample[0]
	if len(s.Location) != 2 || len(s.Location[0].Line) != 2 || s.Location[0].Line[0].Function.Name != "app::grow()" ||
		s.Location[0].Line[0].Function.SystemName != "_ZN3app4growEv" || s.Location[0].Line[1].Line != 20 ||
		s.Location[0].Address != 0x2000 {
		t.Errorf("the first sample is %v", s)
	}
	if s.Label["class"][0] != "cold" || s.NumLabel["lifetime"][0] != 5 || s.NumUnit["lifetime"][0] != "milliseconds" {
		t.Errorf("labels are %v %v", s.Label, s.NumLabel)
	}
	if got := p.Sample[2].Value[0]; got != math.MaxInt64 {
		t.Errorf("the largest value is %d", got)
	}
}

func TestErrorsOfTheSourceEndWriting(t *testing.T) {
	fault := errors.New("the file ends here")
	p := &Profile{Types: []Type{{"n", "count"}}, Samples: func(yield func(*Sample, error) bool) { yield(nil, fault) }}
	var b bytes.Buffer
	if err := Folded(&b, p, 0, Demangled); err != fault {
		t.Error("folded:", err)
	}
	if err := Speedscope(&b, p, Demangled); err != fault {
		t.Error("speedscope:", err)
	}
	if _, err := Pprof(&b, p); err != fault {
		t.Error("pprof:", err)
	}
}
