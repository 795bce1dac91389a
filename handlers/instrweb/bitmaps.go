package instrweb

import (
	"net/http"
	"strconv"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/page"
)

// How many runs of bits a row names, and the inspector.
const (
	shownRuns     = 8
	inspectedRuns = 200
)

// bitmaps is the page and the table of functions with an MC/DC bitmap.
var bitmaps = lists.Declared{
	Declaration: instrdb.Bitmaps, ID: "bitmaps", API: "/bitmaps", View: site.BitmapsView, Title: "MC/DC bitmaps",
	Note: "Each bit stands for one combination of a decision's conditions and is set once that combination has been " +
		"executed. " +
		"Some bits are unused and no run can set them; the file does not say which. With the program given, the tab MC/DC " +
		"conditions shows what they mean.",
	First: "Sorted by size: the functions with the most involved decisions first.",
	None:  page.Blank{Title: "No MC/DC bitmaps", Text: "clang records them with -fcoverage-mcdc, from LLVM 18 on."},
	Opens: "Open function",
	Find:  lists.Plain(instrdb.OfAny, (*instrdb.Profile).FindBitmaps),
	Adorn: func(_ *http.Request, v *lists.Request, g *page.Grid) error {
		sums := v.Found.Around.(*instrdb.BitmapSums)
		g.Says = humanize.Say("{function has|functions have} a bitmap, {byte} in all; {} of {} bits are set.", v.Found.All,
			sums.Bytes, sums.Set, 8*sums.Bytes)
		v.Link = func(row any) string {
			b := row.(*instrdb.BitmapRow)
			return v.Base + "/functions/" + site.FID(b.Function.Ref) + "?hash=" + humanize.Hex64(b.FuncHash) + "#bitmap-title"
		}
		v.Draw = lists.Draws{
			"which": func(row any) page.GridCell {
				return page.GridCell{Text: runsOf(row.(*instrdb.BitmapRow).Bitmap, true, shownRuns)}
			},
		}
		return nil
	},
	Inspect: func(_ *http.Request, _ *lists.Request, in *page.Inspector, row any) error {
		bitmap := row.(*instrdb.BitmapRow).Bitmap
		in.Facts.Add("Set", runsOf(bitmap, true, inspectedRuns))
		in.Facts.Add("Not set", runsOf(bitmap, false, inspectedRuns))
		return nil
	},
}

// runsOf names the bits of a bitmap that are set, or not, at most so many runs of
// them: "0–3, 7 …".
func runsOf(bitmap []byte, set bool, most int) string {
	var runs []string
	size := 8 * len(bitmap)
	is := func(i int) bool { return bitmap[i/8]>>(i%8)&1 == 1 == set }
	for i := 0; i < size; i++ {
		if !is(i) {
			continue
		}
		if len(runs) == most {
			return strings.Join(runs, ", ") + " …"
		}
		first := i
		for i+1 < size && is(i+1) {
			i++
		}
		run := strconv.Itoa(first)
		if i > first {
			run += "–" + strconv.Itoa(i)
		}
		runs = append(runs, run)
	}
	if runs == nil {
		return "none"
	}
	return strings.Join(runs, ", ")
}
