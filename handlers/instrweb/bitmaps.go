package instrweb

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// bitmapList is the list of functions with an MC/DC bitmap.
var bitmapList = lists.List{
	Heads: []site.Column{
		{Key: "place", Label: "#", Title: "position in this order", Number: true},
		{Key: "function", Label: "Function", Sort: instrdb.ColName, Ascending: true},
		{Key: "bytes", Label: "Bytes", Title: "of the bitmap", Number: true, Sort: instrdb.BitmapBytes},
		{Key: "set", Label: "Bits set", Title: "combinations that were executed", Number: true, Sort: instrdb.BitmapSet},
		{Key: "unset", Label: "Not set", Title: "never executed, or not in use", Number: true, Sort: instrdb.BitmapUnset},
		{Key: "share", Label: "Share set", Title: "of all bits of the bitmap", Sort: instrdb.BitmapShare},
		{Key: "which", Label: "Which bits are set", Title: "by their number in the bitmap, from 0"},
	},
	Sorts: instrdb.BitmapColumns, Ranges: []query.Column{instrdb.BitmapBytes, instrdb.BitmapSet, instrdb.BitmapUnset},
	Usual: query.Key{Column: instrdb.BitmapBytes, Desc: true}, Noun: [2]string{"function", "functions"},
}

// How many runs of bits a row names, and the inspector.
const (
	shownRuns     = 8
	inspectedRuns = 200
)

// openBitmaps is the functions with an MC/DC bitmap.
func openBitmaps(_ context.Context, records *instrdb.Profile, p lists.Params, o tables.Options,
	whole bool) (tables.Table, error) {
	p.Query.Whole = whole
	return tables.Bitmaps(records, p.Query, o), nil
}

// bitmapsPage is GET /p/{id}/bitmaps.
func (s *room) bitmapsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := bitmapList.Parse(r.URL.Query(), lists.Selected)
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	rows, err := s.records(r).Bitmaps(ctx, p.Query)
	if err != nil {
		return err
	}
	if !rows.Complete {
		site.Unsettled(w)
	}
	model := bitmapsModel(site.PageOf(s.Entry(r).ID), site.AddressOf(r.URL), &p, rows, s.records(r).Overview,
		site.Symbols{Cache: s.Names, Mode: p.Names})
	return s.Render(w, r, http.StatusOK, instrview.BitmapsPage(s.ProfileShell(r, site.BitmapsView, ""), model))
}

func bitmapsModel(base string, a site.Address, p *lists.Params, rows *instrdb.BitmapPage, o *instrdb.Overview,
	s site.Symbols) instrview.Bitmaps {
	if rows.All == 0 {
		return instrview.Bitmaps{
			List: page.List{
				Shown: "no rows", Empty: &page.Blank{Title: "No MC/DC bitmaps",
					Text: "clang records them with -fcoverage-mcdc, from LLVM 18 on."},
			},
		}
	}
	m := instrview.Bitmaps{
		List: bitmapList.Frame(a, p, lists.Found{
			Shown: len(rows.Rows), Matching: rows.Matching, All: rows.All, Scanned: rows.Scanned, Functions: o.Functions,
		}),
	}
	m.Says = say.Plural(rows.All, "function has", "functions have") + " a bitmap, " +
		say.Plural(rows.Bytes, "byte", "bytes") + " in all; " +
		say.Int(rows.Set) + " of " + say.Int(8*rows.Bytes) + " bits are set."
	for i := range rows.Rows {
		r := &rows.Rows[i]
		size := 8 * len(r.Bitmap)
		share := float64(r.Set) / float64(size)
		row := instrview.BitmapRow{
			Selected: a.Selected(recordID(r.NameRef, r.FuncHash)),
			Place:    say.Int(p.Offset + i + 1), Name: s.Name(r.Name, r.NameRef),
			URL:   base + "/functions/" + site.FID(r.NameRef) + "?hash=" + say.Hex64(r.FuncHash) + "#bitmap-title",
			Bytes: say.Int(len(r.Bitmap)), Set: say.Int(r.Set), Unset: say.Int(size - r.Set), Share: say.Percent(share, 1),
			Bar:   chart.ShareBar(share, 1),
			Which: runsOf(r.Bitmap, true, shownRuns),
		}
		if row.Selected.Selected {
			*m.Inspector = page.Inspector{
				Label: m.Inspector.Label, Close: m.Inspector.Close, Name: row.Name, URL: row.URL, Open: "Open function",
				Facts: []page.Fact{
					{Term: "Bitmap", Value: say.Plural(len(r.Bitmap), "byte", "bytes")},
					{Term: "Bits set", Value: row.Set, Note: "of " + say.Int(size)},
					{Term: "FuncHash", Value: say.Hex64(r.FuncHash)},
					{Term: "Set", Value: runsOf(r.Bitmap, true, inspectedRuns)},
					{Term: "Not set", Value: runsOf(r.Bitmap, false, inspectedRuns)},
				},
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return m
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
