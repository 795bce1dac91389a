package instrweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// listBitmaps is GET /profiles/{id}/bitmaps: the functions with an MC/DC bitmap.
func (s *room) listBitmaps(w http.ResponseWriter, r *http.Request) error {
	p, err := parseBare(r.URL.Query())
	if err != nil {
		return err
	}
	return s.ListTable(w, r, p, "-bitmaps", func(_ context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.Bitmaps(s.records(r), o), nil
	})
}

// bitmapsPage is GET /p/{id}/bitmaps.
func (s *room) bitmapsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseBare(r.URL.Query())
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	rows, err := s.records(r).Bitmaps(ctx, p.Offset, p.Limit)
	if err != nil {
		return err
	}
	if !rows.Complete {
		site.Unsettled(w)
	}
	model := bitmapsModel(site.PageOf(s.Entry(r).ID), site.AddressOf(r.URL), &p, rows, site.Symbols{Cache: s.Names, Mode: p.Names})
	return s.Render(w, r, http.StatusOK, instrview.BitmapsPage(s.ProfileShell(r, site.BitmapsView, ""), model))
}

func bitmapsModel(base string, a site.Address, l *site.Listing, p *instrdb.BitmapPage, s site.Symbols) instrview.Bitmaps {
	m := instrview.Bitmaps{Shown: "no rows"}
	if p.All == 0 {
		m.Empty = &page.Blank{Title: "No MC/DC bitmaps", Text: "clang records them with -fcoverage-mcdc, since LLVM 18."}
		return m
	}
	m.CSV = a.Without("page", "cursor", "limit").With("format", "csv").String()
	m.Modes = site.ModeSegments(a, l.Names)
	m.Says = say.Plural(p.All, "function has", "functions have") + " a bitmap, " + say.Plural(p.Bytes, "byte", "bytes") + " in all; " +
		say.Int(p.Set) + " of " + say.Int(8*p.Bytes) + " bits are set."
	for i := range p.Rows {
		r := &p.Rows[i]
		share := float64(r.Set) / float64(8*r.Bytes)
		m.Rows = append(m.Rows, instrview.BitmapRow{
			Place: say.Int(l.Offset + i + 1), Name: s.Name(r.Name, r.NameRef),
			URL:   base + "/functions/" + site.FID(r.NameRef) + "?hash=" + say.Hex64(r.FuncHash) + "#bitmap-title",
			Bytes: say.Int(r.Bytes), Set: say.Int(r.Set), Bits: say.Int(8 * r.Bytes), Share: say.Percent(share, 1), Bar: chart.ShareBar(share, 1),
		})
	}
	if n := len(m.Rows); n > 0 {
		m.Shown = "rows " + say.Int(l.Offset+1) + "–" + say.Int(l.Offset+n) + " of " + say.Int(p.All)
	}
	m.Pager = site.ListPager(a, l, p.All)
	return m
}
