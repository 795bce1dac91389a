package projectweb_test

import (
	"maps"
	"testing"

	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/handlers/webtest"
)

// thousand is a thousand builds of three profiles each, with all that is measured of them.
func thousand() []invented {
	families := [][]model.Family{{"instr", "coverage"}, {"memprof"}, {"mip"}}
	var list []invented
	for i, p := range step("app", 1000, 600) {
		for j, own := range families {
			one := p
			one.families, one.own, one.between, one.before = own, measures.Set{}, measures.Set{}, 3*(i-1)+j
			if i == 0 {
				one.before = -1
			}
			maps.Copy(one.own, p.own)
			for _, f := range measures.Families {
				for _, m := range f.Measures {
					if v := (measures.Value{N: float64(762 + i%7), Of: 1000}); m.Each || f.Name != own[0] &&
						(len(own) == 1 || f.Name != own[1]) {
						continue
					} else if m.Pair {
						one.between[m.Key()] = v
					} else {
						one.own[m.Key()] = v
					}
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// BenchmarkProject asks for what looks at all builds of a project: its first page, the
// table, a trend as JSON, and the builds.
func BenchmarkProject(b *testing.B) {
	l, _ := webtest.Idle(b, nil)
	invent(b, l, thousand())
	for name, path := range map[string]string{
		"page": "/projects/app", "table": "/projects/app?view=table",
		"trend": "/api/v1/projects/app/trends?measure=coverage", "trends": "/api/v1/projects/app/trends",
		"builds": "/projects/app/builds", "build": "/projects/app/builds/" + commit(500),
		"latest": "/api/v1/projects/app/latest/main", "badge": "/projects/app/badge/main.svg", "list": "/projects",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				l.OK(path, "Accept", "text/html, application/json;q=0.9")
			}
		})
	}
}
