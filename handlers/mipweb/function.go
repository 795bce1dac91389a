package mipweb

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/mipdb"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// blocksPerPage is how many blocks a page of a function lists.
const blocksPerPage = 1000

// functionPage is GET /p/{id}/functions/{fid} of a Machine IR Profile.
func (s *handler) functionPage(w http.ResponseWriter, r *http.Request) error {
	p, err := site.ParseRecord(r.URL.Query())
	if err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	f, err := s.function(ctx, r)
	if err != nil {
		return err
	}
	o := s.machine(r).Overview
	runs, err := s.machine(r).Runs(ctx)
	if err != nil {
		return err
	}
	v := site.FunctionRequest{RecordParams: p, Base: s.Base(r), Address: site.AddressOf(r.URL)}
	m := functionModel(v, o, f, runs, site.Symbols{Cache: s.Names, Mode: names.Full, Long: true})
	var shell page.Shell
	if shell, m.Elsewhere, _, err = s.AroundFunction(w, r, m.Title, f.Linkage, nil); err != nil {
		return err
	}
	return s.Render(w, r, mipview.FunctionPage(shell, m))
}

func functionModel(v site.FunctionRequest, o *mipdb.Overview, f *mipdb.Function, runs []mipdb.Run,
	s site.Symbols) mipview.Function {
	path, linkage := names.Split(f.Linkage)
	m := mipview.Function{JSON: site.APIOf(v.Base[len("/p/"):]) + "/functions/" + f.FID, Of: f, Profile: o, Files: runs}
	m.FunctionName = page.FunctionName{
		Name: s.Name(f.Linkage, f.Signature), FID: f.FID, NameRef: humanize.Hex64(f.Signature),
		Linkage: humanize.Long(linkage),
		Path:    humanize.Long(path),
	}
	m.Title = site.ShortName(m.Name)
	if humanize.IsCut(string(f.Name)) {
		m.Whole = m.JSON
	}
	if len(f.Name) == 0 {
		m.Missing = "The file has no name for this function, only its signature (the MD5 of the name)."
	} else if !bytes.Equal(f.Name, []byte(linkage)) {
		m.PGOName = humanize.Long(string(f.Name))
	}
	if path != "" {
		m.PathURL = v.Base + "/functions?path=" + url.QueryEscape(path)
	}
	m.Tiles = functionTiles(o, &f.Row)
	if f.Saturated {
		m.Notes = append(m.Notes, "The call count is saturated: a run reached the maximum count, so there were at least "+
			"this many calls.")
	}
	if !o.HasBlocks() {
		m.Notes = append(m.Notes, "Blocks were not counted: if a function ran, all its bytes count as covered.")
	}
	fillBlocks(v, &m, f)
	m.Facts = functionFacts(o, &f.Row)
	m.RunsSay = runsSay(f, runs)
	for i := range f.Twins {
		t := &f.Twins[i]
		m.Twins = append(m.Twins, page.Neighbour{
			Rank: "raw offset " + fmt.Sprintf("0x%x", t.RawOffset), Name: s.Name(t.Linkage, t.Signature),
			URL: v.Base + "/functions/" + t.FID,
		})
	}
	return m
}

func functionTiles(o *mipdb.Overview, f *mipdb.Row) []page.Tile {
	share := humanize.Part(f.CoveredBytes, uint64(f.Size))
	size := page.Tile{
		ID: "size", Label: "Bytes", Value: humanize.Count(uint64(f.Size)),
		Note: humanize.PartPercent(uint64(f.Size), o.Bytes, 2) + " of the profile",
	}
	covered := page.Tile{
		ID: "covered", Label: "Covered", Value: humanize.Number{Text: humanize.Percent(share, 1)},
		Note: humanize.Plural(f.CoveredBytes, "byte"), How: page.HowMIPCoverage,
	}
	if !f.Executed {
		covered.Note = "never executed"
	}
	blocks := page.Tile{
		ID: "blocks", Label: "Blocks",
		Value: humanize.Number{Text: humanize.Say("{} of {}", f.CoveredBlocks, f.Blocks)},
		Note:  "none removed", How: page.HowMIPBlocks,
	}
	if f.RemovedBlocks > 0 {
		blocks.Note = humanize.Int(f.RemovedBlocks) + " removed, not counted"
	}
	merges := page.Tile{
		ID: "runs", Label: "Merge count", Value: humanize.Count(f.MergeCount), Note: "runs in which it ran",
	}
	tiles := []page.Tile{size, covered, blocks, merges}
	if o.HasCalls() {
		calls := page.Tile{
			ID: "calls", Label: "Calls", Value: humanize.Count(f.Calls), Note: "in all runs", How: page.HowMIPCalls,
		}
		if f.Saturated {
			calls.Value.Text, calls.Note = "≥ "+calls.Value.Text, "saturated"
		}
		tiles = append(tiles, calls)
	}
	if o.HasTimestamps() {
		first := page.Tile{
			ID: "first", Label: "First position", Value: humanize.Number{Text: "–"}, Note: "never ran", How: page.HowMIPOrder,
		}
		if f.MergeCount > 0 {
			first.Value, first.Note = humanize.Number{Text: firstPosition(f.First)},
				"average of "+humanize.Plural(f.MergeCount, "run")
		}
		tiles = append(tiles, first)
	}
	return tiles
}

// fillBlocks lays a function's blocks on its bytes, and lists a page of them.
func fillBlocks(v site.FunctionRequest, m *mipview.Function, f *mipdb.Function) {
	m.Sizes = make([]uint32, len(f.BlockData)+1)
	spans := make([]chart.RulerSpan, 0, len(f.Spans))
	for _, s := range f.Spans {
		m.Sizes[s.Block+1] = s.To - s.From
		span := chart.RulerSpan{From: s.From, To: s.To, Covered: s.Covered}
		if len(f.Spans) <= chart.RulerStretches {
			span.Title = spanTitle(&s)
		}
		spans = append(spans, span)
	}
	m.Ruler = chart.NewByteRuler(spans, f.Size)
	m.RulerSay = humanize.Say("{} of {byte} covered", f.CoveredBytes, f.Size)
	if f.RemovedBlocks > 0 {
		m.RulerSay += humanize.Say("; {removed block has|removed blocks have} no bytes", f.RemovedBlocks)
	}
	n := len(f.BlockData) + 1
	first := int(min(v.From, uint64(n-1)))
	last := int(min(max(v.To, uint64(first)), uint64(first+blocksPerPage-1), uint64(n-1)))
	m.From, m.To, m.Range = first, last, humanize.Plural(n, "block")+", the entry among them"
	if first > 0 || last < n-1 {
		m.Range = humanize.Say("{}–{} of {}", first+1, last+1, m.Range)
		m.Pager = site.CounterPager(n, first, last, func(from, to int) string {
			if from == 0 {
				return v.Address.Without("counters").String()
			}
			return v.Address.With("counters", strconv.Itoa(from)+".."+strconv.Itoa(to)).String()
		})
	}
}

// spanTitle says what the bytes of a block are.
func spanTitle(s *analyze.MIPSpan) string {
	what, state := "entry block", "not covered"
	if s.Block >= 0 {
		what = "block " + humanize.Int(s.Block)
	}
	if s.Covered {
		state = "covered"
	}
	return humanize.Say("{}, bytes {}–{}: {}", what, s.From, max(s.To, 1)-1, state)
}

func functionFacts(o *mipdb.Overview, f *mipdb.Row) page.Facts {
	source := map[mip.NameSource]string{
		mip.NameMD5:        "the name whose MD5 is the signature",
		mip.NamePositional: "position: no signature is the MD5 of a name", mip.NameNone: "none",
	}
	where, from := addressHead(o)
	facts := page.Facts{
		{Term: "Signature", Value: humanize.Hex64(f.Signature)},
		{Term: "CFG signature", Value: fmt.Sprintf("0x%08x", f.CFGSignature), Note: "changes with the shape of the function"},
		{Term: where, Value: mipAddress(o, f.Offset), Note: from},
		{Term: "Raw offset", Value: fmt.Sprintf("0x%x", f.RawOffset), Note: "where its counters are in a raw file"},
		{Term: "Link order", Value: humanize.Int(f.Index)},
		{Term: "Name from", Value: source[f.NameSource]},
	}
	if o.HasTimestamps() {
		facts.Add("Timestamp sum", humanize.Int(f.TimestampSum), "of its positions at first run")
	}
	if o.HasCalls() {
		facts.Add("Calls × size", humanize.SumCount(f.Weight()).Text)
	}
	return facts
}

// runsSay is in how many runs a function ran.
func runsSay(f *mipdb.Function, runs []mipdb.Run) string {
	switch {
	case len(runs) == 0:
		return "a .mip does not separate runs; it ran in " + humanize.Int(f.MergeCount)
	case len(f.Runs) == 0:
		return "it ran in none of " + humanize.Int(len(runs))
	}
	return humanize.Say("it ran in {} of {}", len(f.Runs), len(runs))
}
