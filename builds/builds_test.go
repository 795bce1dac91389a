package builds

import (
	"fmt"
	"math"
	"testing"
	"time"

	"proflens/builds/measures"
	"proflens/catalog/projects"
	"proflens/decode/model"
)

// profile is the i-th to arrive, a minute after the one before.
func profile(i int, family model.Family, labels ...string) projects.Profile {
	p := projects.Profile{
		ID: fmt.Sprint("id", i), Families: []model.Family{family}, Created: time.Unix(int64(i)*60, 0).UTC(),
		Labels: map[string]string{},
	}
	for n := 0; n < len(labels); n += 2 {
		p.Labels[labels[n]] = labels[n+1]
	}
	return p
}

func TestProfilesOfOneCommitAreOneBuild(t *testing.T) {
	list := Of([]projects.Profile{ // the newest first
		profile(6, "instr", "branch", "main", "commit", "aaaa111", "date", "2020-01-01T00:00:00Z", "subject", "begin"),
		profile(5, "instr"),
		profile(4, "memprof", "branch", "main", "commit", "bbbb222", "workload", "bench"),
		profile(3, "memprof", "branch", "main", "commit", "bbbb222"),
		profile(2, "instr", "branch", "main", "commit", "bbbb222"),
		profile(1, "instr", "branch", "main", "commit", "bbbb222"),
	})
	if len(list) != 4 {
		t.Fatalf("%d builds", len(list))
	}
	main := Series(list, "main", "")
	if len(main) != 2 || main[0].Commit != "bbbb222" || len(main[0].Profiles) != 3 || main[0].Of("instr").ID != "id2" ||
		main[0].Of("mip") != nil {
		t.Errorf("main: %+v", main)
	}
	if fresh := main[1]; fresh.Subject != "begin" || fresh.At.Year() != 2020 {
		t.Errorf("a commit's own date comes first: %+v", fresh)
	}
	for id, want := range map[string]string{"aaaa": "aaaa111", "bbbb222": "bbbb222", "id5": "", "id3": "bbbb222"} {
		if b := Find(list, id); b == nil || b.Commit != want {
			t.Errorf("%s: %+v", id, b)
		}
	}
	if b := Find(list, "aaa"); b != nil {
		t.Errorf("three characters are too few: %+v", b)
	}
	if pairs := Pairs(main); len(pairs) != 4 || pairs[3][0].ID != "id6" || pairs[3][1].ID != "id2" {
		t.Errorf("pairs: %v", pairs)
	}
}

// A step in 200 builds is marked once, where it is; noise is not, were all other builds
// without, nor a spike that the next builds do not keep.
func TestStepsAreMarked(t *testing.T) {
	level := func(i int) float64 {
		noise := 0.1 * math.Sin(float64(i)*12.9898)
		if i >= 100 { // some runs repeat to the last count
			noise = 0
		}
		switch {
		case i == 60:
			return 40 + noise
		case i >= 120:
			return 73.4 + noise
		}
		return 76.2 + noise
	}
	var series []*Build
	figures := Figures{}
	for i := range 200 {
		p := profile(i, "instr", "commit", fmt.Sprintf("%07d", i))
		series = append(series, Of([]projects.Profile{p})...)
		if i != 30 { // not measured yet
			figures[projects.Pair{Profile: p.ID}] = measures.Set{"instr.functions_run": {N: level(i), Of: 100}}
		}
	}
	m := measures.Measure{Family: "instr", Name: "functions_run", Unit: measures.Part}
	trend := TrendOf(series, m, "", figures)
	for i, p := range trend.Points {
		if (p.Step != 0) != (i == 120) {
			t.Errorf("build %d: a step of %v", i, p.Step)
		}
		if p.Known == (i == 30) || p.Pending != (i == 30) {
			t.Errorf("build %d: %+v", i, p)
		}
	}
	if step := trend.Points[120].Step; step > -2.5 || step < -3.1 {
		t.Errorf("step of %v", step)
	}
	last := TrendOf(series[:121], m, "", figures).Points[120]
	if last.Step == 0 || last.Before.ID != "id119" {
		t.Errorf("the newest build: %+v", last)
	}
}

// Two builds are no trend: a third says which of their values lasts.
func TestTwoBuildsHaveNoStep(t *testing.T) {
	for numbers, want := range map[[3]float64]int{{50, 60}: 0, {50, 60, 60}: 1, {50, 50, 60}: 2} {
		var trend Trend
		for _, n := range numbers {
			trend.Points = append(trend.Points, Point{Known: n > 0, Number: n})
		}
		trend.mark()
		for i := range trend.Points {
			if stepped := trend.Points[i].Step != 0; stepped != (want == i && want > 0) {
				t.Errorf("%v: build %d is a step: %v", numbers, i, stepped)
			}
		}
	}
}
