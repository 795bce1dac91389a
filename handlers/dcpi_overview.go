package handlers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"proflens/store"
	"proflens/views"
	"proflens/views/page"
)

// How much of each list the overview of a database shows.
const (
	dcpiLines   = 12
	dcpiHeaders = 40
)

// dcpiOverviewPage is GET /p/{id} of a database of samples.
func (s *server) dcpiOverviewPage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Has("format") {
		return redirectToAPI(w, r)
	}
	if _, err := newValues(r.URL.Query(), nil); err != nil {
		return err
	}
	if wantsPlain(r) {
		return s.profileText(w, r)
	}
	if s.notModifiedPage(w, r) {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	o, err := s.profile(r).Overview(ctx)
	if err != nil {
		return err
	}
	d := &dcpiPage{db: o.DCPI, base: pageOf(s.entry(r).ID), dcpiParams: dcpiParams{By: store.ByEvent, Unit: store.UnitSamples}}
	d.address, d.brief = address{path: d.base + "/procedures", query: map[string][]string{}}, true
	v := page.DCPIOverview{HeatURL: d.base + "/heat", ProcedureURL: d.base + "/procedures", ImageURL: d.base + "/images", EpochURL: d.base + "/epochs"}
	v.Describe, v.File, v.Tiles = o.Describe, fileCard(o), d.tiles()
	v.File.Facts = d.fileFacts(o)
	for _, f := range worstFirst(o.Findings)[:min(len(o.Findings), overviewLines)] {
		v.Findings = append(v.Findings, findingLine(f))
	}
	v.FindingCount = page.Int(len(o.Findings))
	if more := len(o.Findings) - len(v.Findings); more > 0 {
		v.MoreFindings = page.Int(more) + " more"
	}
	v.FindingsURL, v.RawURL, v.IDsURL = d.base+"/diagnostics", d.base+"/raw", d.base+"/binary-ids"
	v.HeadersURL = "/api/v1/profiles/" + s.entry(r).ID + "/export/csv?table=dcpi-profiles"
	if o.DCPI.Samples.IsZero() {
		v.Empty = "The profiles are empty: nothing was sampled."
	}
	if err := s.fillDCPIOverview(ctx, r, d, &v); err != nil {
		return err
	}
	shell := s.profileShell(r, overviewView, "")
	s.receipt(w, r, &shell)
	return s.render(w, r, http.StatusOK, views.DCPIOverview(shell, v))
}

func (s *server) fillDCPIOverview(ctx context.Context, r *http.Request, d *dcpiPage, v *page.DCPIOverview) error {
	rows, err := s.profile(r).Procedures(ctx, store.ProcedureQuery{Limit: dcpiLines})
	if err != nil {
		return err
	}
	v.Procedures = d.procedureTable("procedures", rows, 0)
	v.Notes = append(d.notes(rows.Columns), d.rangeNote(rows.Rows)...)
	for _, t := range []struct {
		of store.DCPIOf
		to *page.SampleTable
	}{{store.OfImage, &v.Images}, {store.OfEpoch, &v.Epochs}, {store.OfPlatform, &v.Platforms}} {
		totals, columns, err := s.profile(r).DCPITotals(ctx, store.DCPISelection{}, t.of)
		if err != nil {
			return err
		}
		if t.of == store.OfEpoch { // the last ones
			totals = totals[max(0, len(totals)-dcpiLines):]
		}
		*t.to = d.totalTable(string(t.of)+"s", t.of, totals[:min(len(totals), dcpiLines)], columns)
	}
	if err := s.fillDCPIStrip(ctx, r, d, v); err != nil {
		return err
	}
	for i := range d.db.Profiles[:min(len(d.db.Profiles), dcpiHeaders)] {
		lines, err := s.profile(r).DCPILines(ctx, i)
		if err != nil {
			return err
		}
		f := &d.db.Profiles[i]
		h := page.DCPIHeader{Title: page.Printable(f.File + " · " + f.Event + " · " + epochLabel(f.Epoch) + " · " + f.Platform), Facts: d.facts(f)}
		for _, l := range lines {
			h.Lines = append(h.Lines, page.DCPILine{Key: page.Printable(l.Key), Value: page.Printable(l.Value), Kind: l.Kind})
		}
		v.Headers = append(v.Headers, h)
	}
	if more := len(d.db.Profiles) - len(v.Headers); more > 0 {
		v.MoreHeaders = page.Int(more) + " further profiles are in the table."
	}
	return nil
}

// dcpiStrip is how many cells the picture of the overview has at most.
const dcpiStrip = 256

// fillDCPIStrip is the heat map of the image with the most samples.
func (s *server) fillDCPIStrip(ctx context.Context, r *http.Request, d *dcpiPage, v *page.DCPIOverview) error {
	if len(d.db.Images) == 0 {
		return nil
	}
	q := store.HeatQuery{Image: hottestImage(d.db), Cells: dcpiStrip}
	extent, err := s.profile(r).HeatExtent(ctx, q.Image)
	if err != nil {
		return err
	}
	q.Cell = fittingCell(extent, dcpiStrip)
	heat, err := s.profile(r).HeatMap(ctx, q)
	if err != nil || len(heat.Columns) == 0 || len(heat.Cells) == 0 || heat.Max[0].Samples == 0 {
		return err
	}
	picture := d.heatPicture(heat, &q)
	v.Heat, v.HeatTitle = &picture, "Heat of "+page.Printable(d.db.Images[q.Image].Label)
	return nil
}

// tiles are the figures at the top.
func (d *dcpiPage) tiles() []page.Tile {
	events := map[string]uint64{}
	symbols := 0
	for i := range d.db.Profiles {
		events[d.db.Profiles[i].Event] = d.db.Profiles[i].Period
	}
	for i := range d.db.Images {
		symbols += d.db.Images[i].Symbols
	}
	var words []string
	for _, event := range d.db.Events {
		words = append(words, page.Printable(event)+" every "+page.Int(events[event]))
	}
	epochs := page.Tile{ID: "epochs", Label: "Epochs", Value: page.Number{Text: page.Int(len(d.db.Epochs))}, URL: d.base + "/epochs", Note: "over time"}
	if len(d.db.Epochs) == 1 {
		epochs.Note = epochLabel(d.db.Epochs[0])
	}
	return []page.Tile{
		{ID: "samples", Label: "Samples", Value: page.BigCount(d.db.Samples.String()), Note: "of all events", URL: d.base + "/procedures", How: page.HowDCPISamples},
		{ID: "events", Label: "Events", Value: page.Number{Text: page.Int(len(d.db.Events))}, Note: strings.Join(words[:min(len(words), 3)], ", "), Title: strings.Join(words, ", "), How: page.HowDCPIUnits},
		{ID: "images", Label: "Images", Value: page.Number{Text: page.Int(len(d.db.Images))}, Note: page.Plural(symbols, "procedure", "procedures") + " known", URL: d.base + "/images"},
		epochs,
		{ID: "hosts", Label: "Hosts", Value: page.Number{Text: page.Int(len(d.db.Platforms))}, Note: page.Printable(strings.Join(d.db.Platforms[:min(len(d.db.Platforms), 3)], ", ")), URL: d.base + "/epochs?by=platform"},
	}
}

// fileFacts say what the files are.
func (d *dcpiPage) fileFacts(o *store.Overview) []page.Fact {
	facts := []page.Fact{
		{Term: "Kind", Value: o.Describe}, {Term: "Profiles", Value: page.Int(len(d.db.Profiles)), Note: "an event of an image in an epoch on a host each"},
		{Term: "Inputs", Value: page.Int(max(len(o.Inputs), 1))},
	}
	for i := range d.db.Images[:min(len(d.db.Images), 3)] {
		if image := &d.db.Images[i]; image.ListingFile != "" {
			facts = append(facts, page.Fact{Term: "Procedures of " + page.Printable(image.Label), Value: page.Printable(image.ListingFile)})
		}
	}
	return facts
}

// amaskBits are the bits of Alpha's AMASK (dcpi.md §1).
var amaskBits = []struct {
	bit  uint
	word string
}{
	{0, "BWX: byte and word loads and stores"}, {1, "FIX: square root and moves between registers"}, {2, "CIX: counting of bits"},
	{8, "MVI: multimedia"}, {9, "precise traps"}, {12, "prefetch with intent to modify"},
}

// implementations are the values of Alpha's IMPLVER.
var implementations = []string{"EV4 (21064)", "EV5 (21164, EV56)", "EV6 (21264)"}

// facts are what a header says, in words.
func (d *dcpiPage) facts(f *store.DCPIProfile) []page.Fact {
	facts := []page.Fact{
		{Term: "Image", Value: page.Printable(d.db.Images[f.Image].Label), Note: "id " + d.db.Images[f.Image].ID},
		{Term: "Samples", Value: page.Int(f.Samples), Note: page.Plural(f.Nonzero, "address", "addresses") + " in " + page.Plural(f.Chunks, "chunk", "chunks")},
		{Term: "Events", Value: dcpiNumber(f.Events(f.Samples), store.UnitEvents), Note: "estimated: samples × period of " + page.Int(f.Period)},
	}
	if size := d.db.Images[f.Image].TextSize; size > 0 {
		facts = append(facts, page.Fact{Term: "Text sampled", Value: page.Percent(min(float64(f.Nonzero)*float64(f.Stride)/float64(size), 1), 2), Note: "of " + page.Int(size) + " bytes"})
	}
	if seconds, ok := f.Seconds(f.Samples); ok && strings.EqualFold(f.Event, "cycles") {
		facts = append(facts, page.Fact{Term: "CPU time", Value: dcpiNumber(seconds, store.UnitSeconds) + " s", Note: fmt.Sprintf("estimated, at a cpuspeed of %d", f.CPUSpeed)})
	}
	if f.CPUImplVer != nil {
		word := "not known"
		if *f.CPUImplVer < uint64(len(implementations)) {
			word = implementations[*f.CPUImplVer]
		}
		facts = append(facts, page.Fact{Term: "Implementation", Value: word, Note: "IMPLVER " + page.Int(*f.CPUImplVer)})
	}
	if f.CPUAMask != nil {
		facts = append(facts, page.Fact{Term: "Extensions", Value: amaskWords(*f.CPUAMask), Note: fmt.Sprintf("AMASK 0x%x", *f.CPUAMask)})
	}
	if f.CPUCount != nil {
		facts = append(facts, page.Fact{Term: "Processors", Value: page.Int(*f.CPUCount)})
	}
	return facts
}

// amaskWords says which extensions a processor has.
func amaskWords(mask uint64) string {
	var words []string
	for _, b := range amaskBits {
		if mask>>b.bit&1 == 1 {
			words = append(words, b.word)
			mask &^= 1 << b.bit
		}
	}
	if mask != 0 {
		words = append(words, fmt.Sprintf("others (0x%x)", mask))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// dcpiTabs are the tabs of a database of samples.
func dcpiTabs(o *store.DCPIOverview, base string, current view) []page.Tab {
	count := func(n int) page.Number { return page.Number{Text: page.Int(n)} }
	tabs := []page.Tab{
		{Label: string(proceduresView), URL: base + "/procedures", Current: current == proceduresView},
		{Label: string(addressesView), URL: base + "/addresses", Current: current == addressesView},
		{Label: string(heatView), URL: base + "/heat", Current: current == heatView},
		{Label: string(imagesView), URL: base + "/images", Current: current == imagesView, Count: count(len(o.Images))},
		{Label: string(epochsView), URL: base + "/epochs", Current: current == epochsView, Count: count(len(o.Epochs))},
	}
	return slices.Clip(tabs)
}
