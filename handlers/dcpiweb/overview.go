package dcpiweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"proflens/decode/dcpi"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/dcpidb"
	"proflens/profile/figure"
	"proflens/profile/stored"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// How much of each list the overview of a database shows.
const (
	dcpiLines      = 12
	dcpiProcedures = 8
	headers        = 40
)

// overview is GET /p/{id} of a database of samples.
func (s *handler) overview(ctx context.Context, r *http.Request, head page.Overview, base string) (site.Draw, error) {
	o := s.database(r).Overview
	d := &dcpiPage{db: o, base: base, params: params{By: dcpidb.ByEvent, Unit: dcpidb.UnitSamples},
		symbols: s.Symbols(names.Full)}
	d.address = site.NewAddress(base + "/procedures")
	v := dcpiview.Overview{
		Overview: head, HeatURL: base + "/heat", ProcedureURL: base + "/procedures", ImageURL: base + "/images",
		EpochURL: base + "/epochs",
	}
	v.Overview.Tiles, v.File.Facts = s.Tiles(dcpi.Family, o, base), d.fileFacts(s.Profile(r).Overview)
	v.HeadersURL = "/api/v1/profiles/" + s.Entry(r).ID + "/export/csv?table=dcpi-profiles"
	if o.Samples.IsZero() {
		v.Empty = "The profiles are empty: they have no samples."
	}
	err := s.fillDCPIOverview(ctx, r, d, &v)
	return func(shell page.Shell) page.Part { return dcpiview.OverviewPage(shell, v) }, err
}

func (s *handler) fillDCPIOverview(ctx context.Context, r *http.Request, d *dcpiPage, v *dcpiview.Overview) error {
	rows, err := s.database(r).Procedures(ctx, dcpidb.ProcedureQuery{Limit: dcpiProcedures})
	if err != nil {
		return err
	}
	v.Procedures = d.procedureTable("procedures", rows, 0)
	v.Notes = slices.Concat(d.lead(rows), d.notes(rows.Columns), d.rangeNote(rows.Rows))
	for _, t := range []struct {
		of dcpidb.TotalOf
		to *dcpiview.SampleTable
	}{{dcpidb.OfImage, &v.Images}, {dcpidb.OfEpoch, &v.Epochs}, {dcpidb.OfPlatform, &v.Platforms}} {
		totals, columns := s.database(r).Totals(dcpidb.Selection{}, t.of)
		if t.of == dcpidb.OfEpoch { // the last ones
			totals = totals[max(0, len(totals)-dcpiLines):]
		}
		*t.to = d.totalTable(string(t.of)+"s", t.of, totals[:min(len(totals), dcpiLines)], columns)
	}
	if err := s.fillDCPIStrip(ctx, r, d, v); err != nil {
		return err
	}
	for i := range d.db.Profiles[:min(len(d.db.Profiles), headers)] {
		lines, err := s.database(r).Lines(ctx, i)
		if err != nil {
			return err
		}
		f := &d.db.Profiles[i]
		h := dcpiview.Header{
			Title: humanize.Printable(f.File + " · " + f.Event + " · " + epochLabel(f.Epoch) + " · " + f.Platform),
			Facts: d.facts(f),
		}
		for _, l := range lines {
			h.Lines = append(h.Lines, dcpiview.Line{
				Key: humanize.Printable(l.Key), Value: humanize.Printable(l.Value), Kind: l.Kind,
			})
		}
		v.Headers = append(v.Headers, h)
	}
	if more := len(d.db.Profiles) - len(v.Headers); more > 0 {
		v.MoreHeaders = humanize.Int(more) + " more profiles are in the table."
	}
	return nil
}

// lead says in a sentence where most samples of the first event are.
func (d *dcpiPage) lead(rows *dcpidb.ProcedurePage) []string {
	if len(rows.Rows) == 0 || rows.Columns[0].Total.Samples == 0 {
		return nil
	}
	image, first := hottestImage(d.db), &rows.Rows[0]
	samples := uint64(0)
	for i := range d.db.Profiles {
		if f := &d.db.Profiles[i]; f.Image == image && f.Event == rows.Columns[0].Event {
			samples += f.Samples
		}
	}
	event := humanize.Printable(rows.Columns[0].Event)
	text := humanize.Printable(d.db.Images[image].Label) + " has " +
		humanize.Percent(float64(samples)/float64(rows.Columns[0].Total.Samples), 1) + " of the " + event + " samples"
	if name := d.short(first.Row); name != "" {
		text += "; " + map[bool]string{true: "the hottest range is ",
			false: "the hottest procedure is "}[first.Kind == dcpidb.RowRange] + name + " of " +
			humanize.Printable(d.db.Images[first.Image].Label) + " with " + humanize.Percent(first.Cum, 2)
	}
	return []string{text + "."}
}

// strip is how many cells the picture of the overview has at most.
const strip = 256

// fillDCPIStrip is the heat map of the image with the most samples.
func (s *handler) fillDCPIStrip(ctx context.Context, r *http.Request, d *dcpiPage, v *dcpiview.Overview) error {
	if len(d.db.Images) == 0 {
		return nil
	}
	q := dcpidb.HeatQuery{Image: hottestImage(d.db), Cells: strip}
	extent, err := s.database(r).HeatExtent(ctx, q.Image)
	if err != nil {
		return err
	}
	q.Cell = fittingCell(extent, strip)
	heat, err := s.database(r).HeatMap(ctx, q)
	if err != nil || len(heat.Columns) == 0 || heat.Max[0].Samples == 0 {
		return err
	}
	picture := d.heatPicture(heat, &q)
	v.Heat, v.HeatTitle = &picture, "Heat of "+humanize.Printable(d.db.Images[q.Image].Label)
	return nil
}

// change says which events, epochs and hosts there are.
func change(overview any, w figure.Words, s *figure.Shown) {
	o := overview.(*dcpidb.Overview)
	terminal := w == figure.Terminal
	switch {
	case s.Name == "events":
		periods := map[string]uint64{}
		for i := range o.Profiles {
			periods[o.Profiles[i].Event] = o.Profiles[i].Period
		}
		var words []string
		for _, event := range o.Events {
			words = append(words, humanize.Printable(event)+" every "+humanize.Int(periods[event]))
		}
		s.Note, s.Title = strings.Join(words[:min(len(words), 3)], ", "), strings.Join(words, ", ")
	case s.Name == "epochs" && terminal:
		if s.Note = humanize.Printable(o.FirstEpoch); len(o.Epochs) > 1 {
			s.Note += " to " + humanize.Printable(o.LastEpoch)
		}
	case s.Name == "epochs" && len(o.Epochs) == 1:
		s.Note = epochLabel(o.FirstEpoch)
	case s.Name == "hosts" && terminal:
		s.Note = site.TextWord(strings.Join(o.Platforms[:min(len(o.Platforms), 4)], ", "))
	case s.Name == "hosts":
		s.Note = humanize.Printable(strings.Join(o.Platforms[:min(len(o.Platforms), 3)], ", "))
	case s.Name == "image" && len(o.Images) == 1:
		s.Value.Text = humanize.Printable(o.Images[0].Label)
	}
}

// fileFacts say what the files are.
func (d *dcpiPage) fileFacts(o *stored.Overview) page.Facts {
	facts := page.Facts{
		{Term: "Kind", Value: o.Info.Describe},
		{Term: "Profiles", Value: humanize.Int(len(d.db.Profiles)), Note: "one per event, image, epoch and host"},
		{Term: "Inputs", Value: humanize.Int(max(len(o.Inputs), 1))},
	}
	if header, ok := d.headerLength(); ok {
		facts = append(facts, header)
	}
	for i := range d.db.Images[:min(len(d.db.Images), 3)] {
		if image := &d.db.Images[i]; image.ListingFile != "" {
			facts.Add("Procedures of "+humanize.Printable(image.Label), humanize.Printable(image.ListingFile))
		}
	}
	return facts
}

// headerLength says how the headers stand to the advice that their length be a
// multiple of four; there are none in text of dcpicat.
func (d *dcpiPage) headerLength() (page.Fact, bool) {
	var headers []dcpi.Header
	short := 0
	for i := range d.db.Profiles {
		if h := (dcpi.Header{Bytes: d.db.Profiles[i].HeaderBytes}); h.Bytes > 0 {
			headers = append(headers, h)
			if h.Padding() > 0 {
				short++
			}
		}
	}
	fact := page.Fact{Term: "Header length"}
	switch {
	case len(headers) == 1:
		fact.Value = humanize.Plural(headers[0].Bytes, "byte") + ", " + headers[0].Alignment()
	case short == 0:
		fact.Value = "multiples of 4 bytes, as the format recommends for speed"
	default:
		fact.Value = humanize.Say("{} of {} not a multiple of 4 bytes; the format recommends one, for speed only", short,
			len(headers))
	}
	return fact, len(headers) > 0
}

// facts are what a header says, in words.
func (d *dcpiPage) facts(f *dcpidb.EventProfile) page.Facts {
	facts := page.Facts{
		{Term: "Image", Value: humanize.Printable(d.db.Images[f.Image].Label), Note: "id " + d.db.Images[f.Image].ID},
		{
			Term: "Samples", Value: humanize.Int(f.Samples),
			Note: humanize.Say("{address|addresses} in {chunk}", f.Nonzero, f.Chunks),
		},
		{
			Term: "Events", Value: dcpiNumber(f.Events(f.Samples), dcpidb.UnitEvents),
			Note: "estimated: samples × period of " + humanize.Int(f.Period),
		},
	}
	if size := d.db.Images[f.Image].TextSize; size > 0 {
		facts.Add("Text sampled", humanize.Percent(min(float64(f.Nonzero)*float64(f.Stride)/float64(size), 1), 2),
			"of "+humanize.Plural(size, "byte"))
	}
	if seconds, ok := f.Seconds(f.Samples); ok && strings.EqualFold(f.Event, "cycles") {
		facts.Add("CPU time", dcpiNumber(seconds, dcpidb.UnitSeconds)+" s",
			fmt.Sprintf("estimated, at cpuspeed %d", f.CPUSpeed))
	}
	if h := (dcpi.Header{Bytes: f.HeaderBytes}); h.Bytes > 0 {
		facts.Add("Header length", humanize.Plural(h.Bytes, "byte"), h.Alignment())
	}
	if f.CPUImplVer != nil {
		facts.Add("Implementation", dcpi.Implementation(*f.CPUImplVer), "IMPLVER "+humanize.Int(*f.CPUImplVer))
	}
	if f.CPUAMask != nil {
		facts.Add("Extensions", dcpi.Extensions(*f.CPUAMask), fmt.Sprintf("AMASK 0x%x", *f.CPUAMask))
	}
	if f.CPUCount != nil {
		facts.Add("Processors", humanize.Int(*f.CPUCount))
	}
	return facts
}
