package measures_test

import (
	"reflect"
	"strings"
	"testing"

	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/profile/figure"
)

// Figures are of fields that the overview has.
func TestFiguresAreOfFields(t *testing.T) {
	files := map[model.Family][]string{
		"instr":    {oracles + "ir_c.profdata"},
		"coverage": {mapped + "clang-22/rules/rules.profdata", mapped + "clang-22/rules/rules.exe"},
		"sample":   {sampled + "text/contexts.afdotext"}, "memprof": {heaps + "mem_cold_v4.profdata"},
		"mip":  {machine + "merged/coverage_a.mip"},
		"dcpi": {database + "9711040900/pecan/app_660b03cd5eed_cycles"},
	}
	for i := range measures.Families {
		f := &measures.Families[i]
		p := opened(t, files[f.Name]...)
		overview, err := f.Figures.Overview.Open(t.Context(), p)
		if err != nil {
			t.Fatal(f.Name, err)
		}
		for i := range f.Figures.All {
			one := &f.Figures.All[i]
			if !one.Told(overview) {
				continue
			}
			figure.Value(overview, one.Of)
			figure.Value(overview, one.Whole)
			for _, text := range reflect.ValueOf(one).Elem().Fields() {
				if said := figure.Page.Say(text.String(), overview); strings.ContainsAny(said, "{}") {
					t.Errorf("%s: %s", f.Name, said)
				}
			}
		}
	}
}
