package mipweb

import (
	"context"
	"net/url"

	"proflens/decode/mip"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/mipdb"
	"proflens/views/page"
)

// inspectedRuns is how many runs of a function the inspector lists.
const inspectedRuns = 12

// inspect shows a function: its figures, and the runs in which it ran.
func inspect(ctx context.Context, in *page.Inspector, p *mipdb.Profile, r *mipdb.Row, name humanize.Name,
	base string) error {
	path, _ := names.Split(r.Linkage)
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Rank: "no. " + humanize.Int(r.Index) + " in link order", Name: name,
		Place: humanize.Printable(path),
		URL:   base + "/functions/" + r.FID, Open: "Open function",
	}
	if !r.Executed {
		in.Tags = []page.Tag{{Text: "never ran", Tone: page.Caution}}
	}
	o := p.Overview
	for _, t := range functionTiles(o, r) {
		in.Facts.Add(t.Label, t.Value.Text, t.Note)
	}
	for _, f := range functionFacts(o, r) {
		if f.Term != "Name from" && f.Term != "Link order" {
			in.Facts.Add(f.Term, f.Value)
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
	list := page.Lines{Title: "Runs", Note: humanize.Say("it ran in {} of {}", len(ran[0]), len(files))}
	for _, run := range ran[0][:min(len(ran[0]), inspectedRuns)] {
		line := page.NoteLine{Text: "run " + humanize.Int(run.Run)}
		if run.Run >= 1 && run.Run <= len(files) {
			line.Text = humanize.Printable(files[run.Run-1].File)
		}
		if o.HasCalls() {
			line.Note = humanize.Plural(run.Calls, "call")
			if run.Calls >= mip.MaxCalls {
				line.Note = "≥ " + line.Note
			}
		}
		list.List = append(list.List, line)
	}
	if more := len(ran[0]) - len(list.List); more > 0 {
		list.More = humanize.Plural(more, "more run")
	}
	in.Lists = []page.Lines{list}
	return nil
}
