package lists_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"proflens/handlers/lists"
	"proflens/profile/query"
	"proflens/profile/table"
)

// measured is a row with numbers of every unit.
type measured struct {
	Name     string  `col:"name" is:"words"`
	Size     uint64  `col:"size" is:"range,bytes"`
	Lifetime uint64  `col:"lifetime" is:"range,ms"`
	Mean     float64 `col:"mean" is:"range"`
	Rank     int     `col:"rank"`
	Count    uint64  `col:"count" is:"range" help:"how often"`
	Part     float64 `col:"part" is:"part,range"`
}

var measuredList = func() *lists.List {
	l := lists.ListOf(table.Declare[measured](table.Declaration{Noun: "row", Show: "name"}))
	l.Instead = map[string]string{"times": "count"}
	return l
}()

// A condition becomes a range in the unit of its column, beside the other end of the one in force; what cannot
// says why, and what is part of a name is left alone.
func TestConditionsBecomeRanges(t *testing.T) {
	for typed, want := range map[string][3]string{
		"size>=2KiB": {"", "2048.."}, "size < 1.5 MiB": {"", "..1572863"}, "size=1kB..2kB": {"", "1000..2000"},
		"size>5 bytes": {"", "6.."}, "size<=3B": {"1..", "1..3"}, "size≥1 000": {"..5", "1000.."},
		"lifetime>=5s": {"", "5000.."}, "lifetime<20ms": {"7..", "7..19"}, "lifetime=2.5s": {"", "2500"},
		"count:7": {"", "7"}, "COUNT>=2k": {"..9000", "2000..9000"}, "count>0": {"", "1.."}, "count<=0": {"", "0"},
		"count>=18446744073709551615": {"", "18446744073709551615"}, "mean>=3": {"", "3.."},
		"size>=1.2MiB": {"", "1258292.."}, "size<1.2MiB": {"", "..1258291"}, "size<=1.2MiB": {"", "..1258291"},
		"size>1.2MiB": {"", "1258292.."}, "size=0.3KiB..1.2KiB": {"", "308..1228"}, "count>=1.5": {"", "2.."},
		"part>=50": {"", "50.."}, "part<=12.5 %": {"0.1", "..12.5"}, "part=0.001%..100%": {"", "0.001..100"},
		"part >= 0.1%": {"..7.5", "0.1..7.5"}, "part=0": {"", "0"},

		"part<3": {"", "", "part takes =, >= and <=."}, "part>=1kB": {"", "", "“1kB” is not a number."},
		"part>=0.00000001": {"", "", "“0.00000001” is not a number."},
		"mean<3":           {"", "", "mean takes =, >= and <=."}, "count~3": {"", "", "count takes =, >=, <=, > and <."},
		"count!=3": {"", "", "count takes =, >=, <=, > and <."}, "count>=many": {"", "", "“many” is not a number."},
		"count=1.5":       {"", "", "“1.5” is not a whole number."},
		"size=0.3KiB":     {"", "", "“0.3KiB” is not a whole number."},
		"mean>=1.5":       {"", "", "“1.5” is not a number."},
		"size=1.2B..1.8B": {"", "", "“1.2B..1.8B” is not a range."},
		"count>=5s":       {"", "", "“5s” is not a number."}, "count=9..3": {"", "", "“9..3” is not a range."},
		"count<0": {"", "", "count is out of range."}, "count>18446744073709551615": {"", "", "count is out of range."},
		"size>=20EB": {"", "", "size is out of range."}, "size<99999999999TiB": {"", "", "size is out of range."},
		"rank>3":   {"", "", "There is no filter for rank; use size, lifetime, mean, count, part."},
		"times>=3": {"", "", "There is no filter for times; use count."},

		"count<int>": {}, "count<T": {}, "name>3": {}, "other>3": {}, "rank<int>": {}, "times=x": {}, "vector<int>::size": {},
	} {
		c, ok := query.ReadCondition(typed)
		if !ok {
			t.Errorf("%q is no condition", typed)
		}
		if span, wrong := measuredList.Range(c, want[0]); span != want[1] || wrong != want[2] {
			t.Errorf("%q beside %q is %q, %q, want %q, %q", typed, want[0], span, wrong, want[1], want[2])
		}
	}
	for _, name := range []string{"a::b", "count::x", "count", "operator>=", "count=", "<3", "std::max<5"} {
		if c, ok := query.ReadCondition(name); ok {
			t.Errorf("%q is the condition %v", name, c)
		}
	}
}

// A page leads to the range, from its first row and without what was selected, or says what is wrong.
func TestTypedLeadsToTheRange(t *testing.T) {
	for typed, want := range map[string]string{
		"size>=1KiB": "/p/x/rows?size=1024..&sort=name", "main": "", "rank>3": "no filter for rank",
	} {
		w := httptest.NewRecorder()
		moved, err := measuredList.Typed(w, httptest.NewRequest(http.MethodGet,
			"/p/x/rows?sort=name&page=3&sel=7&q="+url.QueryEscape(typed), nil))
		to, _ := url.QueryUnescape(w.Header().Get("Location"))
		if err != nil {
			to = err.Error()
		}
		if moved != strings.HasPrefix(want, "/") || !strings.Contains(to, want) || want == "" && to != "" {
			t.Errorf("%q leads to %q, %v", typed, to, moved)
		}
	}
	const none = "There is no column nosuch to filter by; use size, lifetime, mean, count, part."
	for text, says := range map[string]string{
		"nosuch<3": none, "nosuch>=2KiB": none, "nosuch<5 %": none, "nosuch=3": "", "a<b>": "",
	} {
		if said := measuredList.NoColumn(text); said != says {
			t.Errorf("of %q it says %q", text, said)
		}
	}
	if list := measuredList.Suggested(); len(list) != 5 || list[3].Value != "count>=" || list[3].Label != "how often" {
		t.Errorf("it suggests %v", list)
	}
}
