package instrweb_test

import (
	"slices"
	"testing"

	"proflens/decode/instrprof"
	"proflens/handlers/webtest"
)

// Suggestions have every word of the query, the hottest function first, each name once,
// and ten at most.
func TestSuggest(t *testing.T) {
	list := []instrprof.Function{
		webtest.Func("_ZN4Sass5CloneC1EPNS_8SelectorE", 1, 5), webtest.Func("_ZN4Sass8Selector5cloneEv", 1, 50),
		webtest.Func("_ZN4Sass8Selector5cloneEv", 2, 40),
		webtest.Func("_ZN4Sass8Selector4sizeEv", 1, 500),
	}
	for i := range 30 {
		list = append(list, webtest.Func("many"+string(rune('a'+i)), 1, 1))
	}
	l := webtest.Invent(irEntry, list...).Serve(t)
	for query, want := range map[string][]string{
		"selector+clone":  {"Sass::Selector::clone()", "Sass::Clone::Clone(Sass::Selector*)"},
		"+clone++SELECT+": {"Sass::Selector::clone()", "Sass::Clone::Clone(Sass::Selector*)"},
		"nothing+at+all":  nil,
		"":                nil,
	} {
		a := l.OK("/api/v1/profiles/p/suggest?q=" + query)
		if got := a.Column(t, "demangled"); !slices.Equal(got, want) {
			t.Errorf("%q suggests %q, want %q", query, got, want)
		}
	}
	if got := l.OK("/api/v1/profiles/p/suggest?q=many").Column(t, "demangled"); len(got) != 10 {
		t.Errorf("%d suggestions", len(got))
	}
}
