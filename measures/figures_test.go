package measures_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/measures"
	"proflens/profile/figure"
)

var (
	figureKeys = []string{
		"name", "label", "text", "one", "of", "whole", "unit", "aside", "note", "text-note", "title", "url", "how",
		"measure", "measured", "better", "needs", "counts",
	}
	figureUnits = []string{"", "count", "bytes", "ms", "share", "least"}
	figureKey   = regexp.MustCompile(`(\S+):"[^"]*"`)
)

// Figures say nothing that nobody reads, are of fields that the overview has, and every name
// in a list is that of a figure.
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
		names := map[string]bool{}
		for _, one := range f.Figures.All {
			names[one.Get("name")] = true
			rest := figureKey.ReplaceAllStringFunc(string(one), func(pair string) string {
				key, _, _ := strings.Cut(pair, ":")
				if !slices.Contains(figureKeys, key) || one.Get(key) == "" {
					t.Errorf("%s: %s is nothing of %s", f.Name, key, one)
				}
				return ""
			})
			if strings.TrimSpace(rest) != "" || !slices.Contains(figureUnits, one.Get("unit")) ||
				!slices.Contains([]string{"", "more", "less"}, one.Get("better")) {
				t.Errorf("%s: %q of %s", f.Name, rest, one)
			}
			if !one.Told(overview) {
				continue
			}
			figure.Value(overview, one.Get("of"))
			figure.Value(overview, one.Get("whole"))
			for _, key := range figureKeys {
				if said := figure.Page.Say(one.Get(key), overview); strings.ContainsAny(said, "{}") {
					t.Errorf("%s: %s", f.Name, said)
				}
			}
		}
		for name := range strings.FieldsSeq(f.Figures.Tiles + " " + f.Figures.Text + " " + f.Figures.Card) {
			if !names[strings.TrimSuffix(name, "?")] {
				t.Errorf("%s: no figure is called %s", f.Name, name)
			}
		}
	}
}
