package covweb

import (
	"context"
	"errors"
	"slices"
	"strings"

	"proflens/analyze/sources"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// filesOf reads what a request is about, by file or by directory: it gives the files of a
// profile, nil for all. Their error says that there are none.
func filesOf(v *site.Values) func(p *covdb.Profile) ([]int, error) {
	name, dir, without := v.One("file"), strings.Trim(v.One("path"), "/"), withoutOf(v)
	return func(p *covdb.Profile) ([]int, error) {
		f, err := namedFile(p, name)
		switch {
		case err != nil:
			return nil, err
		case f != nil:
			return []int{f.Index}, nil
		case dir != "" || len(without) > 0:
			return below(p, dir, without)
		}
		return nil, nil
	}
}

// within finds rows in a profile: on a page without what labels and rules leave out.
func within(onPage bool, find func(context.Context, *covdb.Profile) (table.Find, error)) lists.Finder {
	return func(ctx context.Context, p *stored.Profile) (table.Find, error) {
		c, err := covdb.Of(p)
		if onPage && err == nil {
			c, err = covdb.Counted(ctx, p)
		}
		if err != nil {
			return nil, err
		}
		return find(ctx, c)
	}
}

// below are the files in a directory, empty for all, but for some kinds; an error that says so where
// there is no such directory.
func below(p *covdb.Profile, dir string, without []sources.Kind) ([]int, error) {
	list, found := []int{}, dir == ""
	for i := range p.Overview.Files {
		if f, err := p.FileAt(i); err == nil && (dir == "" || f.Path == dir || strings.HasPrefix(f.Path, dir+"/")) {
			if found = true; !slices.Contains(without, f.Kind) {
				list = append(list, i)
			}
		}
	}
	if !found {
		return nil, &site.Absent{
			Title:  "No such directory",
			Detail: "no file of the coverage mapping is below " + humanize.Printable(dir),
		}
	}
	return list, nil
}

// namedFile is the file of a path or of a recorded name; nil of no name.
func namedFile(p *covdb.Profile, name string) (*covdb.File, error) {
	if name == "" {
		return nil, nil
	}
	f, err := p.FileOf(name)
	if noPart(err) {
		err = &site.Absent{
			Title:  "No such file",
			Detail: "the coverage mapping has no file " + humanize.Printable(name),
		}
	}
	return f, err
}

// noPart reports whether a profile has nothing of something.
func noPart(err error) bool { return errors.Is(err, stored.ErrNoPart) }

// plain is the address of a table from its first row.
func plain(v *lists.Request) site.Address { return v.Address.FirstPage(lists.Selected) }

// chipsOf says by which file or directory the rows are chosen.
func chipsOf(v *lists.Request, g *page.Grid) {
	g.Chips = append(g.Chips, plain(v).Chips([]string{"path", "file", "without"}, site.ChipText)...)
}

// placeCell is where something begins in the source, which leads to an address, with its line
// on another host.
func placeCell(p *covdb.Place, to string, links *sources.Links) page.GridCell {
	if p.File == nil {
		return page.GridCell{Place: true}
	}
	at := ":" + span{p.Line, p.Line}.String()
	text := humanize.Printable(p.File.Base()) + at
	c := page.GridCell{Place: true, Text: text, Title: humanize.Printable(p.File.Path) + at, URL: to}
	if e := sourceweb.Elsewhere(links, p.File.Name, p.File.Path, p.Line); e != nil {
		c.Drawn = sourceview.SourceSign(e, text)
	}
	return c
}
