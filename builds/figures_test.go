package builds

import (
	"testing"

	"proflens/builds/measures"
	"proflens/catalog/projects"
)

// A build's figures are of the newest profile of each family, against the last before that
// has the family, however far back that is.
func TestFiguresOfABuild(t *testing.T) {
	list := Of([]projects.Profile{ // the newest first
		profile(6, "instr", "commit", "cccc"),
		profile(5, "memprof", "commit", "cccc"),
		profile(4, "instr", "commit", "bbbb"),
		profile(3, "instr", "commit", "bbbb"),
		profile(2, "memprof", "commit", "aaaa"),
		profile(1, "instr", "commit", "aaaa"),
	})
	last := list[2]
	near := Near(list, last)
	if len(near) != 3 || near[0] != list[0] || near[1] != list[1] || near[2] != last {
		t.Errorf("near: %v", near)
	}
	if near := Near(list, list[1]); len(near) != 2 || near[0] != list[0] {
		t.Errorf("near the second: %v", near)
	}
	if near := Near(nil, last); len(near) != 1 {
		t.Errorf("near in no series: %v", near)
	}
	if base, test := Compared(list, last, "memprof"); base.ID != "id2" || test.ID != "id5" {
		t.Errorf("heaps: %v, %v", base, test)
	}
	if base, test := Compared(list, list[0], "mip"); base != nil || test != nil {
		t.Errorf("machine code: %v, %v", base, test)
	}
	figures := Figures{
		{Profile: "id6"}:              {"instr.total": {N: 6}, "memprof.cold_bytes": {N: 99}}, // not of that family here
		{Profile: "id5"}:              {"memprof.cold_bytes": {N: 5}},
		{Profile: "id4"}:              {"instr.total": {N: 4}},
		{Profile: "id2"}:              {"memprof.cold_bytes": {N: 2}},
		{Profile: "id6", Base: "id4"}: {"instr.overlap": {N: 1, Of: 1}},
	}
	for _, series := range [][]*Build{list, near} {
		s := figures.Build(series, last)
		if s.Own["instr.total"] != (measures.Value{N: 6}) || s.Own["memprof.cold_bytes"].N != 5 ||
			s.Base["instr.total"].N != 4 || s.Base["memprof.cold_bytes"].N != 2 || s.Between["instr.overlap"].N != 1 {
			t.Errorf("%+v", s)
		}
		if !s.Pending {
			t.Error("the heaps were not compared yet")
		}
	}
	figures[projects.Pair{Profile: "id5", Base: "id2"}] = measures.Set{}
	if figures.Build(list, last).Pending {
		t.Error("all is measured")
	}
}
