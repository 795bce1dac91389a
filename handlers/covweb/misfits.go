package covweb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/covdb"
	"proflens/say"
	"proflens/views/covview"
	"proflens/views/page"
)

// misfitSays is what the kinds mean.
var misfitSays = map[covdb.MisfitKind]string{
	covdb.Mismatched: "The profile has these functions with other hashes only, so they are of another build. They are " +
		"in no total.",
	covdb.Short: "The mapping speaks of counters that the records have not. These functions are in no total.",
	covdb.Bitmapless: "These functions have conditions made of several, and the profile has no bitmap of them: their " +
		"MC/DC is not known, and in no total.",
	covdb.Lost: "The profile has these records, and the mapping other functions of the same name: they are of " +
		"another program or build, or the linker kept one of several.",
	covdb.Hidden: "These functions ran. llvm-cov shows zeros, as an earlier object saw them and did not emit " +
		"them; here they have their counts.",
	covdb.DummyRecord: "A unit saw these functions and did not emit them, and the profile has them of another. Nothing " +
		"is missing.",
}

var misfitHeads = []page.Head{
	{Column: "kind", Label: "Why"}, {Column: "function", Label: "Function"}, {Column: "object", Label: "Program"},
	{Column: "hash", Label: "FuncHash", Number: true}, {Column: "found", Label: "in the profile", Number: true},
}

// misfitsPage is GET /p/{id}/misfits.
func (s *room) misfitsPage() site.Handler {
	return s.listPage("misfits", []string{"kind"}, func(v *site.Values, l *list) shows {
		kind := site.Choice(v, "kind", slices.Concat([]covdb.MisfitKind{""}, covdb.MisfitKinds)...)
		return func(context.Context) (templ.Component, error) {
			found, err := l.Misfits(kind, l.Offset, l.Limit)
			if err != nil {
				return nil, err
			}
			return covview.MisfitsPage(s.ProfileShell(l.Request, site.OtherView, "Functions that do not fit"),
				s.misfits(l, kind, found)), nil
		}
	})
}

// misfits are functions that mapping and profile do not agree on.
func (s *room) misfits(l *list, kind covdb.MisfitKind, found *covdb.MisfitPage) covview.Misfits {
	m := covview.Misfits{Says: misfitSays[kind]}
	plain := l.plain("kind")
	m.Ways = []page.Segment{{Label: "All", URL: plain.String(), Current: kind == ""}}
	for _, k := range covdb.MisfitKinds {
		if n := l.Overview.Misfits[k]; n > 0 {
			m.Ways = append(m.Ways, page.Segment{
				Label: misfitWords[k] + " " + say.Int(n), Title: misfitSays[k], URL: plain.With("kind", string(k)).String(),
				Current: kind == k,
			})
		}
	}
	m.Heads = misfitHeads
	for i := range found.Rows {
		f := &found.Rows[i]
		row := covview.MisfitRow{
			Tag:  page.Tag{Text: misfitWords[f.Kind], Tone: page.Caution, Title: misfitSays[f.Kind]},
			Name: s.name(f.Linkage, names.Full), Hash: fmt.Sprintf("%016x", f.Hash),
		}
		if f.Kind == covdb.Hidden || f.Kind == covdb.DummyRecord {
			row.Tag.Tone = page.Neutral
		}
		if f.Object >= 0 {
			row.Object = say.Printable(baseName(l.Overview.Objects[f.Object].Name))
		}
		var hashes []string
		for _, hash := range f.Found[:min(len(f.Found), 4)] {
			hashes = append(hashes, fmt.Sprintf("%016x", hash))
		}
		row.Found = strings.Join(hashes, ", ")
		m.Rows = append(m.Rows, row)
	}
	l.frame(&m.List, len(m.Rows), found.Matching)
	if found.Matching == 0 {
		m.Empty = &page.Blank{Title: "Everything fits", Text: "Mapping and profile have the same functions."}
	}
	return m
}
