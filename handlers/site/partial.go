package site

import (
	"net/http"
	"strconv"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// markPartial sets partialHeader.
func markPartial(h http.Header, e *catalog.Entry) {
	partial := e.Partial()
	for i := range partial[:min(len(partial), partialLines)] {
		h.Add(partialHeader, strconv.QuoteToASCII(partial[i].File)+": "+partial[i].String())
	}
}

// PartialCount is "records 1–41 of 90", with digits grouped.
func PartialCount(p *model.Partial) string {
	return p.Count(func(n uint64) string { return humanize.Int(n) }, "–")
}

// partialNotice is the standing bar of a partial profile: "records 1–41 of 90;
// the file ends at byte 3 250 176". Nil for a whole profile.
func partialNotice(e *catalog.Entry) []page.Notice {
	partial := e.Partial()
	if len(partial) == 0 {
		return nil
	}
	p := &partial[0]
	text := humanize.Say("Partial: {}; the file ends at byte {}, in the {}.", PartialCount(p), p.End,
		humanize.Printable(p.Section))
	if len(e.Files) > 1 {
		text = humanize.Say("Partial: of {} {}; it ends at byte {}, in the {}.", humanize.Printable(p.File), PartialCount(p),
			p.End, humanize.Printable(p.Section))
	}
	if more := len(partial) - 1; more > 0 {
		text += humanize.Say(" The same is true of {more file}.", more)
	}
	return []page.Notice{{Tone: page.Caution, Text: text, URL: PageOf(e.ID) + "/diagnostics", Link: "What is missing"}}
}

// partialHeader tells whoever downloads anything of a partial profile that it
// is one; a line for each file, up to partialLines.
const (
	partialHeader = "X-Proflens-Partial"
	partialLines  = 8
)
