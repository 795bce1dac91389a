package stored

import (
	"slices"
	"testing"

	"proflens/decode/model"
)

// The spark of a list has a bar for what there is, the tallest as high as can be,
// and never hides what is there.
func TestSpark(t *testing.T) {
	of := func(counts map[int]uint64) *[65]uint64 {
		var m [65]uint64
		for i, n := range counts {
			m[i] = n
		}
		return &m
	}
	for name, test := range map[string]struct {
		magnitudes *[65]uint64
		want       []byte
	}{
		"nothing":           {of(nil), nil},
		"only zeros":        {of(map[int]uint64{0: 100}), nil},
		"zeros do not show": {of(map[int]uint64{0: 100, 1: 1}), []byte{255}},
		"halves":            {of(map[int]uint64{1: 2, 3: 1}), []byte{255, 0, 127}},
		"next to nothing":   {of(map[int]uint64{1: 1, 2: 1 << 20}), []byte{1, 255}},
	} {
		if got := spark(test.magnitudes); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, expected %v", name, got, test.want)
		}
	}
	var all [65]uint64
	for i := range all {
		all[i] = 1
	}
	if bars := spark(&all); len(bars) != 24 || slices.Contains(bars, 0) {
		t.Errorf("%v", bars)
	}
	top := spark(of(map[int]uint64{64: 1})) // the largest counts that there are
	if len(top) != 24 || top[23] != 255 || top[22] != 0 {
		t.Errorf("%v", top)
	}
}

func TestWorstFinding(t *testing.T) {
	note, warning, second, fault := model.Finding{Severity: model.Note, Code: "n"}, model.Finding{
		Severity: model.Warning, Code: "w",
	},
		model.Finding{Severity: model.Warning, Code: "x"}, model.Finding{Severity: model.Error, Code: "e"}
	for _, test := range []struct {
		list []model.Finding
		want string
	}{
		{nil, ""}, {[]model.Finding{note}, ""}, {[]model.Finding{note, warning, second}, "w"},
		{[]model.Finding{warning, note, fault, second}, "e"},
	} {
		got := ""
		if w := worst(test.list); w != nil {
			got = w.Code
		}
		if got != test.want {
			t.Errorf("%v: %q, expected %q", test.list, got, test.want)
		}
	}
}

func TestFiguresOf(t *testing.T) {
	cut := &model.Partial{File: "b", Records: 1, Promised: 2}
	o := &Overview{
		Info:   model.Info{Describe: "a profile", Format: "mip", Version: 8, Families: []model.Family{"mip"}},
		Inputs: []Input{{Name: "a"}, {Name: "b", Partial: cut}},
	}
	f := FiguresOf(o, Counts{Functions: 3, Total: "18446744073709551616"})
	if f.Functions != 3 || f.Total != "18446744073709551616" || f.Spark != nil || f.Finding != nil ||
		f.Describe != "a profile" || f.Version != 8 {
		t.Errorf("%+v", f)
	}
	if len(f.Partial) != 2 || f.Partial[0] != nil || f.Partial[1] != cut {
		t.Errorf("%+v", f.Partial)
	}
}
