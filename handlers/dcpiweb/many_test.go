package dcpiweb_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
)

// manyOf is a database of 21 images, each in an epoch of its own on one of six hosts, and with its own event
// beside cycles: more of each than pages list.
func manyOf(l *webtest.Server) string {
	var files []any
	for i := range 21 {
		name := fmt.Sprint("img", i)
		files = append(files, name, fmt.Appendf(nil, "name %s\nimage 19970328081403c0c1%d\npath /usr/bin/%s\n"+
			"epoch 199805%d1200\nplatform host%d\ntext_start 0x000120000000\ntext_size 0x8000\n"+
			"event %d cycles:%d:10000\nevent 1 ev%d:4096:10000\n0x000120000010 %d 0\n0x000120000200 0 1\n",
			name, 10+i, name, 10+i, i%6, 100+i, 1000+i%6, i, 100+i))
	}
	return l.Together(files...)
}

// Of many events, epochs, hosts and profiles a page has the first, or the last epochs, and says how many more
// there are.
func TestWhatIsSaidOfMany(t *testing.T) {
	l := webtest.Start(t, nil)
	page := webtest.Page(manyOf(l))
	l.Says(page, "Events ? 22 cycles every 1 002, ev0 every 4 096, ev1 every 4 096 Images 21",
		"Hosts 6 host0, host1, host2 ",
		"img20 has 5.2 % of the cycles samples; the hottest range is 0x120000000–0x1200003ff of img20 with 5.19 %.",
		"A column combines profiles with different periods", "Images without symbols show address ranges",
		"# Procedure Image cycles cycles % ev0 ev1 Cum. % 1 0x120000000–0x1200003ff img20 120 240 5.19 % 0 0 5.19 %",
		"8 0x120000000–0x1200003ff img13 113 113 4.89 % 0 0 40.", "!9 0x1200", "img9 32.0 KiB", "!img8 32.0 KiB",
		"Epochs with their samples, Epoch Profiles cycles cycles % ev0 ev1 19 May 1998 12:00 UTC 2",
		"Host Profiles cycles cycles % ev0 ev1 host0 8 ", "0 0 Headers every line", "img19 · ev19 · 29 May",
		"!img20 · cycles",
		"2 more profiles are in the table.", "!Header length", "Text sampled 0.01 % of 32 768 bytes",
		"Events 100 000 estimated: samples × period of 1 000", "!Implementation", "!CPU time", "Heat of img20")
	text := l.OK(page, webtest.Terminal...).Text()
	for _, want := range []string{
		"  cycles        2310  one every 1000, 1001, 1002, 1003 …\n", "  ev14             1  one every 4096\n",
		"  other events    14\n", "1998-05-10T12:00:00Z to 1998-05-30T12:00:00Z", "  host0, host1, host2, host3\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("a terminal does not read %q:\n%s", want, text)
		}
	}
	l.Says(page+"/procedures", "Samples: cycles 2 310, ev0 1, ev1 1, ev10 1, ev11 1, ev12 1 and 16 more.",
		"Images without symbols show", "shows events (samples × period)", "by event by epoch by host", "!Estimated")
	l.Says(page+"/procedures?image=img3", "Samples: cycles 103, ev3 1.", "!more.", "image: img3 ×",
		"1 0x120000000–0x1200003ff img3 103 100 % 1 100 % 39.65 100 %", "!shows events")
	l.Says(page+"/images?by=epoch", "Samples: 10 May 1998 12:00 100, ", " and 15 more, of cycles.", "img6 img7 Filter",
		"1 img0 0x120000000 32.0 KiB 0 100 100 % 0 0 %")
	if drawn := webtest.All(l.Page(page+"/images?by=epoch", 200), func(n *html.Node) bool {
		return strings.Contains(webtest.Attr(n, "aria-label"),
			"of the images img0, img1, img2, img3, img4, img5, img6, img7;")
	}); len(drawn) != 1 {
		t.Error("the drawing does not name its lines")
	}
	l.Says(page+"/heat?image=img3", "Heat map of img3 512 cells of 64 bytes, a cache line. Samples: cycles 103, ev3 1.",
		"Cells 4 bytes 64 bytes 8.0 KiB Unit", "!all img0",
		"0x120000000: 103 samples 0x120000000 to 0x120007fff a row is 4.0 "+
			"KiB 103 103", "2 0x120000200 (no symbol) 1 0 0 % 1 100 % – rows 1–2 of 2", "2 of 512 cells have samples")
	l.Says(page+"/heat?image=img3&from=0x120000200&cells=4", "!samples of", "1 of 4 cells have samples",
		"› before › after")
	l.Says(page+"/epochs?show=difference&event=cycles", "From 10 May 1998 12:00 to 30 May 1998 12:00, of cycles. "+
		"How far 21 epochs differ, in events. Images", "1 0x120000000–0x1200003ff img20 +120 240 0 120 k",
		"img0 −100 000 100 k 0")
}
