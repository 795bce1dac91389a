package mipweb

import (
	"context"
	"net/url"

	"proflens/decode/mip"
	"proflens/names"
	"proflens/profiledb/mipdb"
	"proflens/say"
	"proflens/views/page"
)

// inspectedRuns is how many runs of a function the inspector lists.
const inspectedRuns = 12

// inspect shows a function: its figures, and the runs in which it ran.
func inspect(ctx context.Context, in *page.Inspector, p *mipdb.Profile, r *mipdb.Row, name say.Name,
	base string) error {
	path, _ := names.Split(r.Linkage)
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Rank: "no. " + say.Int(r.Index) + " in link order", Name: name,
		Place: say.Printable(path),
		URL:   base + "/functions/" + r.FID, Open: "Open function",
	}
	if !r.Executed {
		in.Tags = []page.Tag{{Text: "never ran", Tone: page.Caution}}
	}
	o := p.Overview
	for _, t := range functionTiles(o, r) {
		in.Facts = append(in.Facts, page.Fact{Term: t.Label, Value: t.Value.Text, Note: t.Note})
	}
	for _, f := range functionFacts(o, r) {
		if f.Term != "Name from" && f.Term != "Link order" {
			in.Facts = append(in.Facts, page.Fact{Term: f.Term, Value: f.Value})
		}
	}
	if path != "" {
		in.Links = []page.Segment{{Label: "Functions of the file", URL: base + "/functions?path=" + url.QueryEscape(path)}}
	}
	ran, err := p.FunctionRuns(ctx, []uint32{uint32(r.Index)})
	if err != nil || len(ran) == 0 || len(ran[0]) == 0 {
		return err
	}
	files, err := p.Runs(ctx)
	if err != nil {
		return err
	}
	list := page.Lines{Title: "Runs", Note: "it ran in " + say.Int(len(ran[0])) + " of " + say.Int(len(files))}
	for _, run := range ran[0][:min(len(ran[0]), inspectedRuns)] {
		line := page.NoteLine{Text: "run " + say.Int(run.Run)}
		if run.Run >= 1 && run.Run <= len(files) {
			line.Text = say.Printable(files[run.Run-1].File)
		}
		if o.HasCalls() {
			line.Note = say.Plural(run.Calls, "call", "calls")
			if run.Calls >= mip.MaxCalls {
				line.Note = "≥ " + line.Note
			}
		}
		list.List = append(list.List, line)
	}
	if more := len(ran[0]) - len(list.List); more > 0 {
		list.More = say.Plural(more, "more run", "more runs")
	}
	in.Lists = []page.Lines{list}
	return nil
}
