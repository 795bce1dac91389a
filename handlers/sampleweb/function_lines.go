package sampleweb

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"proflens/analyze/sources"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// How many lines the page of a function shows, and calls from one of them.
const (
	linesShown   = 1500
	targetsShown = 4
)

// spot is a place of a function or, by source, a line with all its places.
type spot struct {
	at      sampleprof.Loc
	line    uint32 // of the source; 0 where it is not known
	count   uint64 // the largest of its places
	counted bool
	inside  uint64 // inlined there
	targets []sampleprof.Target
	sites   []sampleprof.Site
}

// spotsOf lists a function's places; by line, those of a line together.
func spotsOf(f *sampleprof.Function, n *sampledb.Name, byLine bool) []spot {
	var list []spot
	at := map[sampleprof.Loc]int{}
	find := func(l sampleprof.Loc) *spot {
		line, _ := sampledb.LineOf(n.Line, l.Offset)
		if byLine {
			l.Discriminator = 0
		}
		i, ok := at[l]
		if !ok {
			i = len(list)
			at[l] = i
			list = append(list, spot{at: l, line: line})
		}
		return &list[i]
	}
	for i := range f.Body {
		r := &f.Body[i]
		s := find(r.Loc)
		s.count, s.counted = max(s.count, r.Count), true
		s.targets = append(s.targets, r.Targets...)
	}
	for _, site := range f.Sites {
		s := find(site.Loc)
		s.inside = sampleprof.Add(s.inside, sumOf(site.Callee))
		s.sites = append(s.sites, site)
	}
	slices.SortStableFunc(list, func(a, b spot) int {
		if byLine {
			return cmp.Compare(a.line, b.line)
		}
		return a.at.Compare(b.at)
	})
	return list
}

// sumOf is the counts of a function, and of what is inlined into it.
func sumOf(f *sampleprof.Function) (sum uint64) {
	for i := range f.Body {
		sum = sampleprof.Add(sum, f.Body[i].Count)
	}
	for _, s := range f.Sites {
		sum = sampleprof.Add(sum, sumOf(s.Callee))
	}
	return sum
}

// fillLines lists the lines of a function: those of its source where that is known, else
// its places.
func (s *handler) fillLines(ctx context.Context, r *http.Request, v *functionRequest, m *sampleview.Function,
	f *sampleprof.Function) error {
	n, probes := v.name, v.o.Has(sampleprof.Probes)
	m.Numbered = "Offset"
	if probes {
		m.Numbered = "Probe"
	}
	csv := site.NewAddress(site.APIOf(v.Base[len("/p/"):])+"/records").With("function", site.FID(n.GUID))
	m.CSV = csv.With("format", "csv").String()
	located := !probes && n.File != "" && n.Line > 0
	m.Located = located
	var text [][]byte
	if located {
		m.FileURL = site.FileURL(v.Base, sources.Clean(n.File))
		body, ok, err := s.SourceText(ctx, s.Entry(r), sources.Clean(n.File))
		if err != nil {
			return err
		}
		if ok {
			text = sources.Lines(body)
		}
		a := v.Address.Without("rows")
		m.Ways = []page.Segment{
			{Label: "Source", URL: a.String(), Current: v.bySource, Title: "line by line"},
			{
				Label: "Offsets", URL: a.With("rows", "offsets").String(), Current: !v.bySource,
				Title: "each offset and discriminator",
			},
		}
	}
	byLine := located && v.bySource
	spots := spotsOf(f, n, byLine)
	m.LinesSay = humanize.Say("{place}; head {}", len(spots), f.Head)
	switch {
	case byLine:
		m.LinesSay = humanize.Say("{line} from {}; head {}", len(spots), strconv.Itoa(int(n.Line)), f.Head)
		if text == nil {
			m.Ask = "The program has line numbers only. Add the sources on the page of the file to see the text beside them."
		}
	case probes:
		m.Ask = "Places are pseudo probes, which number blocks and calls; they are no lines."
	case !located && !v.o.Program.Given():
		m.Ask = "Offsets count from the line on which the function is declared. Give the program, with debug info, " +
			"together with the profile to see lines."
	case !located:
		m.Ask = "Offsets count from the line on which the function is declared, which the program does not tell."
	}
	if byLine && text != nil {
		spots = withText(spots, n.Line, len(text))
	}
	if len(spots) > linesShown {
		m.MoreLines = humanize.Int(len(spots)-linesShown) + " more lines are in the CSV."
		spots = spots[:linesShown]
	}
	t := inlineeRows{all: v.all, base: v.Base, symbols: v.symbols, handler: inlineesMost, whole: max(n.Sum, n.Own())}
	mostCount, mostInside := uint64(0), uint64(0)
	for i := range spots {
		mostCount, mostInside = max(mostCount, spots[i].count), max(mostInside, spots[i].inside)
	}
	for i := range spots {
		sp := &spots[i]
		line := sampleview.Line{Has: sp.counted || len(sp.sites) > 0, Place: placeWords(v.o, sp.at)}
		if !line.Has {
			line.Place = ""
		}
		if located && sp.line == 0 && line.Has {
			line.Number = "none" // what the compiler made up
		}
		if located && sp.line > 0 {
			line.Number = strconv.FormatUint(uint64(sp.line), 10)
			line.URL = site.LineURL(v.Base, sources.Clean(n.File), sp.line)
			if byLine {
				line.ID = "L" + line.Number
			}
		}
		if byLine && sp.line > 0 && int64(sp.line) <= int64(len(text)) {
			line.Text = new(humanize.Visible(string(text[sp.line-1])))
		}
		if sp.counted {
			line.Count, line.Bar = humanize.Count(sp.count), chart.ShareBar(humanize.Part(sp.count, mostCount), 1)
		}
		if len(sp.sites) > 0 {
			line.Inside, line.InsideBar = humanize.Count(sp.inside), chart.ShareBar(humanize.Part(sp.inside, mostInside), 1)
			line.Inlined, _ = t.rows(inlineesOf(&sampleprof.Function{Sites: sp.sites}), 0)
		}
		v.targets(&line, sp)
		m.Lines = append(m.Lines, line)
	}
	return nil
}

// withText adds the lines of the source between the first and the last that have samples,
// from that of the declaration on.
func withText(all []spot, declared uint32, lines int) []spot {
	nowhere := 0 // places of no line come first
	for nowhere < len(all) && all[nowhere].line == 0 {
		nowhere++
	}
	spots := all[nowhere:]
	if len(spots) == 0 {
		return all
	}
	first, last := min(declared, spots[0].line), spots[len(spots)-1].line
	if first == 0 || int64(last) > int64(lines) || last-first > linesShown {
		return all // text of another version, or too much of it
	}
	list := slices.Clone(all[:nowhere])
	for line := first; line <= last; line++ {
		if len(spots) > 0 && spots[0].line == line {
			for len(spots) > 0 && spots[0].line == line {
				list, spots = append(list, spots[0]), spots[1:]
			}
			continue
		}
		list = append(list, spot{line: line})
	}
	return list
}

// targets are the functions called from a place, with their shares.
func (v *functionRequest) targets(line *sampleview.Line, sp *spot) {
	whole := uint64(0)
	for _, t := range sp.targets {
		whole = sampleprof.Add(whole, t.Count)
	}
	slices.SortStableFunc(sp.targets, func(a, b sampleprof.Target) int { return cmp.Compare(b.Count, a.Count) })
	for _, t := range sp.targets[:min(len(sp.targets), targetsShown)] {
		line.Targets = append(line.Targets, sampleview.Target{
			Name: &v.all[t.Name], Share: humanize.PartPercent(t.Count, whole, 0),
		})
	}
	line.MoreTargets = humanize.More(len(sp.targets) - targetsShown)
}
