package instrweb

import (
	"fmt"
	"net/url"
	"testing"

	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
)

// A range of percentages is of numbers from 0 to 100, and open at one end at most.
func TestRangesOfPercentages(t *testing.T) {
	for text, want := range map[string]string{
		"": "- -", "50..90": "0.5 0.9", "..90": "- 0.9", "50..": "0.5 -", "0..100": "0 1", "..": "wrong", "50": "wrong",
		"x..": "wrong", "..x": "wrong", "-1..": "wrong", "..101": "wrong", "NaN..": "wrong",
	} {
		v := site.NewValues(url.Values{"share": {text}}, []string{"share"})
		low, high := percentages(v, "share")
		word := func(f *float64) string {
			if f == nil {
				return "-"
			}
			return fmt.Sprint(*f)
		}
		got := word(low) + " " + word(high)
		if v.Err != nil {
			got = "wrong"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Text has no byte order; a scale without a threshold goes from 1 to the maximum.
func TestFactsOfFiles(t *testing.T) {
	info := func(name string, big bool) *instrprof.Info {
		i := &instrprof.Info{}
		i.BigEndian, i.Format, i.Version = big, instrprof.FormatRaw, 9
		if name == "text" {
			i.Format = instrprof.FormatText
		}
		return i
	}
	got := fmt.Sprint(byteOrder(info("text", true)), byteOrder(info("raw", true)), byteOrder(info("raw", false)),
		versionText(info("raw", true)), versionText(info("text", true)))
	if got != "–biglittleraw 9text" {
		t.Error(got)
	}
	o := &instrdb.Overview{}
	o.Max = 50
	if l := legendOf(o); l.Low != "1" || l.High != "50" {
		t.Errorf("%+v", l)
	}
	if o.Thresholds.Hot, o.Thresholds.Cold = 7, 2; legendOf(o).Low != "cold ≤ 2" || legendOf(o).High != "hot ≥ 7" {
		t.Errorf("%+v", legendOf(o))
	}
}
