package covweb

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/covdb"
	"proflens/say"
	"proflens/views/covview"
	"proflens/views/page"
)

var misfitKeys = slices.Concat([]string{"kind"}, site.ListingKeys)

// misfitSays is what the kinds mean.
var misfitSays = map[covdb.MisfitKind]string{
	covdb.Mismatched:  "The profile has these functions with other hashes only, so they are of another build. They are in no total.",
	covdb.Short:       "The mapping speaks of counters that the records have not. These functions are in no total.",
	covdb.Lost:        "The profile has these records, and the linker kept the mapping of other functions of the same name.",
	covdb.Hidden:      "These functions ran. llvm-cov shows zeros, as an earlier object saw them and did not emit them; here they have their counts.",
	covdb.DummyRecord: "A unit saw these functions and did not emit them, and the profile has them of another. Nothing is missing.",
}

// misfitsPage is GET /p/{id}/misfits.
func (s *room) misfitsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), misfitKeys)
	if err != nil {
		return err
	}
	l, kind := v.Listing(), site.Choice(v, "kind", append([]covdb.MisfitKind{""}, covdb.MisfitKinds...)...)
	if v.Err != nil {
		return v.Err
	}
	p, a := s.coverage(r), site.AddressOf(r.URL)
	api := a.Without("page", "cursor")
	api.Path = site.APIOf(s.Entry(r).ID) + "/coverage/misfits"
	if l.Format != "" {
		http.Redirect(w, r, api.With("format", string(l.Format)).String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	defer end()
	list, err := p.Misfits(kind, l.Offset, l.Limit)
	if err != nil {
		return err
	}
	m := covview.Misfits{Says: misfitSays[kind]}
	m.CSV = api.With("format", "csv").String()
	plain := a.Without("page", "cursor", "kind")
	m.Ways = []page.Segment{{Label: "All", URL: plain.String(), Current: kind == ""}}
	for _, k := range covdb.MisfitKinds {
		if n := p.Overview.Misfits[k]; n > 0 {
			m.Ways = append(m.Ways, page.Segment{Label: misfitWords[k] + " " + say.Int(n), Title: misfitSays[k], URL: plain.With("kind", string(k)).String(), Current: kind == k})
		}
	}
	m.Heads = []page.Head{{Column: "kind", Label: "Why"}, {Column: "function", Label: "Function"}, {Column: "object", Label: "Program"}, {Column: "hash", Label: "FuncHash", Number: true}, {Column: "found", Label: "in the profile", Number: true}}
	for i := range list.Rows {
		f := &list.Rows[i]
		row := covview.MisfitRow{Tag: page.Tag{Text: misfitWords[f.Kind], Tone: page.Caution, Title: misfitSays[f.Kind]}, Name: s.name(f.Linkage, names.Full), Hash: fmt.Sprintf("%016x", f.Hash)}
		if f.Kind == covdb.Hidden || f.Kind == covdb.DummyRecord {
			row.Tag.Tone = page.Neutral
		}
		if f.Object >= 0 {
			row.Object = say.Printable(baseName(p.Overview.Objects[f.Object].Name))
		}
		var found []string
		for _, hash := range f.Found[:min(len(f.Found), 4)] {
			found = append(found, fmt.Sprintf("%016x", hash))
		}
		row.Found = strings.Join(found, ", ")
		m.Rows = append(m.Rows, row)
	}
	m.Shown, m.Pager = shownRows(l.Offset, len(m.Rows), list.Matching), site.ListPager(a, &l, list.Matching)
	if list.Matching == 0 {
		m.Empty = &page.Blank{Title: "Everything fits", Text: "Mapping and profile have the same functions."}
	}
	return s.Render(w, r, http.StatusOK, covview.MisfitsPage(s.ProfileShell(r, site.OtherView, "Functions that do not fit"), m))
}
