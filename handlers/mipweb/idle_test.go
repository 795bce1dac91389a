package mipweb_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// Every page of a profile of two runs, of which one executed nothing, has its figures whole.
func TestWhatIsSaidOfAnIdleRun(t *testing.T) {
	l := webtest.Start(t, nil)
	files := webtest.Files(t, webtest.Root()+"/decode/mip/testdata", webtest.MIPCounts[:3]...)
	clear(files[5].([]byte)[32:]) // after the header there are the counters
	id := l.Together(files...)
	page, fid := webtest.Page(id), "cec25e65d9653a78"
	l.Says(page,
		"Functions executed ? 5 of 25, 20.0 % Bytes covered ? 5.3 KiB of 6.5 KiB, 80.9 % Blocks covered ? 96 of 116",
		"Calls ? 1.42 M none saturated Runs ? 2 raw files Instrumented", "2 blocks were removed after", "!no name, only",
		"Bytes of code reached by the functions that ran first Functions Bytes of code 0 0 1 608 2 620 3 1 172 4 1 436 "+
			"5 2 144 Coverage", "First to run: $s4main3foo5countSiSi_tF next bar flush Table",
		"Matrix::Matrix 264 bytes ● 100 %",
		"mycrate::foo:: bar 920 k 64.9 % Stream::Node:: next () 498 k 35.1 %", "$s4main3foo5countSiSi_tF 1 < 0.1 % Largest",
		"Stream:: reset (Stream const&) 672 14.85 %", "parse_args 88 1.95 % Diagnostics", "Inputs 3 Layout documented")
	l.Says(page+"/runs", "2 runs executed 5 functions with 2.1 KiB together. "+
		"5 of these functions ran in one run alone. 1 run executed nothing:", "!The first 60",
		"2 counts.1 , functions of this run ran nothing Functions 5 0 Bytes 2.1 KiB 0 bytes", "Only this run 5 0 Only",
		"mycrate::foo:: bar 552 1 920 k Matrix", "rows 1–5 of 5", "!it ran in", "/functions?run=1",
		"!/functions?only-run=2")
	l.Says(page+"/runs?sel="+fid, "it ran in 1 of 2", "counts.0.mipraw 920 168 calls", "!more run", "!≥")
	l.Says(page+"/order", "5 functions with 2.1 KiB ran.", "By average over all runs run 1: counts.0.mipraw run 2",
		"5 $s3App5CacheC5visityyF 5 1 708 −0x16cd60", "In at least of 2 runs",
		"−0x16d370 from the counters −0x16b8f4 from")
	l.Says(page+"/calls", "1.42 M calls of 5 functions.", "!marked ≥", "5 of 25 match matching hold 32.2 % of the bytes")
	l.Says(page+"/dead", "20 functions with 4.4 KiB: 80.0 % of all functions, 67.8 % of all bytes.", "!another",
		"the most bytes that never ran, 2 more in the tree", "(global) 1.8 KiB 39.9 % Stream 688 bytes 15.2 %", "!By path",
		"Graph::Graph::Vector 64 bytes 1.4 % Filter", "20 of 25 match")
	l.Says(page+"/tree", "Removed blocks, 2 in the profile, are left out", "!0 more", "Never executed: 20",
		"utf8_next_491 660 bytes, 64.2 % covered ◐", "core::fmt::Formatter 296 bytes, 86.5 % covered", "!all others")
	l.Says(page+"/tree?path=alloc::merge", "!all others",
		"memcpy alloc::merge::qsort 120 bytes, 60.0 % covered ◐ qsort areas")
	l.Says(webtest.Page(strings.TrimPrefix(webtest.PutMIP(l, "coverage/small.mipmap", "coverage/small.mipraw"),
		webtest.API("")))+
		"/tree", "!Removed blocks,")
	l.Says("/compare/"+id+"..."+id, "The same functions ran.", "!grew", "!lost.", "!0 moved", "!new.", "!only in")
	last := 1 << 62
	for _, item := range l.OK(webtest.API(id) + "/tree?sort=-never_bytes").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		never := webtest.Number(t, item, "never_bytes")
		if never > last && item["path"] != "" || never != webtest.Number(t, item, "bytes")-webtest.Number(t, item,
			"executed_bytes") {
			t.Errorf("after %d bytes that never ran there is %v", last, item)
		}
		last = never
	}
	for run, want := range map[string]string{"": "average over all runs", "?run=2": "run 2: counts.1.mipraw"} {
		chosen := ""
		for _, option := range webtest.All(l.Page(page+"/order"+run, 200), webtest.Tag("option")) {
			for _, a := range option.Attr {
				if a.Key == "selected" && webtest.Attr(option.Parent, "name") == "run" {
					chosen += webtest.Said(option)
				}
			}
		}
		if chosen != want {
			t.Errorf("%q is chosen of %s, want %q", chosen, run, want)
		}
	}
}

// Where a count reached the maximum of a run, its run says so as well.
func TestSaturatedRuns(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, "numbers/raw.mipmap", "numbers/raw.mipraw")
	page := webtest.Page(strings.TrimPrefix(at, webtest.API("")))
	for _, saturated := range []bool{true, false} {
		query := map[bool]string{true: "true", false: "false&executed=true"}[saturated]
		for _, fid := range l.OK(at+"/functions?saturated="+query).Column(t, "fid") {
			runs := webtest.Facts(l, page+"/functions?sel="+fid)["Runs it ran in 1 of 1"]
			if strings.Contains(runs, "≥") != saturated || !strings.Contains(runs, "call") {
				t.Errorf("%s is said to have %q", fid, runs)
			}
		}
	}
}
