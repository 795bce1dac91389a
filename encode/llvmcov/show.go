package llvmcov

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"proflens/analyze/coverage"
)

// Branches are how the text shows conditions.
type Branches int

// The ways.
const (
	NoBranches Branches = iota
	BranchCounts
	BranchPercents
)

// ShowOptions are what the text shows, and what it is made with.
type ShowOptions struct {
	LineCounts, RegionMarkers, Expansions, Instantiations, MCDC bool
	Branches                                                    Branches
	Binary                                                      bool // 1 for every count above 0
	Colours                                                     bool
	Demangle                                                    func(string) string // nil: names stay as they are
	Title                                                       []string            // lines before all others
	// Dump is told what is highlighted, marked and expanded, where; nil: nobody is.
	Dump io.Writer
	// Source has the lines of a file, by index; false when it cannot be read.
	Source func(file int) ([][]byte, bool)
}

// ShowFile writes a file with its counts (section 15), named by a line before it if
// asked for. It returns false, and writes nothing, if the source cannot be read or
// nothing of it is mapped.
func ShowFile(w io.Writer, c *coverage.Coverage, file int, named bool, o ShowOptions) (bool, error) {
	s := showWriter{output: output{w: w}, c: c, options: o}
	source, ok := o.Source(file)
	if !ok {
		return false, nil
	}
	v := s.newPart(c.FileView(file), source, c.Files[file].Name)
	if len(v.view.Segments) == 0 {
		return false, nil
	}
	if o.Instantiations {
		for _, g := range c.Groups(file) {
			if len(g.Functions) > 1 {
				v.instances = append(v.instances, g.Functions...)
			}
		}
		slices.SortStableFunc(v.instances, func(a, b *coverage.Function) int { return cmp.Compare(endLine(a), endLine(b)) })
	}
	s.title()
	s.print(v, true, named, 0)
	s.byte('\n')
	return true, s.flush()
}

// ShowFunction writes the lines of one function under its name. It returns false, and
// writes nothing, if the source cannot be read or nothing is mapped.
func ShowFunction(w io.Writer, c *coverage.Coverage, f *coverage.Function, o ShowOptions) (bool, error) {
	s := showWriter{output: output{w: w}, c: c, options: o}
	view := c.FunctionView(f)
	if view == nil || len(view.Segments) == 0 {
		return false, nil
	}
	source, ok := o.Source(view.File)
	if !ok {
		return false, nil
	}
	s.title()
	s.print(s.newPart(view, source, s.demangled(f.Name)), false, true, 0)
	return true, s.flush()
}

type showWriter struct {
	output
	c       *coverage.Coverage
	options ShowOptions
	left    int // expansions that may still be shown below one of a file or function
	depth   int // of that file or function
}

func (s *showWriter) title() {
	for _, line := range s.options.Title {
		s.tint(when(s.options.Colours, cyan), line+"\n")
	}
}

// part is a view with what stands between its lines, in the order of the lines.
type part struct {
	view       *coverage.View
	source     [][]byte
	name       string
	expansions []coverage.Expansion
	instances  []*coverage.Function
	branches   [][]*coverage.Region
	decisions  [][]*coverage.Decision
}

func (s *showWriter) newPart(v *coverage.View, source [][]byte, name string) *part {
	p := &part{view: v, source: source, name: name}
	if s.options.Expansions {
		p.expansions = slices.Clone(v.Expansions)
		slices.SortStableFunc(p.expansions, func(a, b coverage.Expansion) int {
			return byPlace(a.Region.Start, b.Region.Start)
		})
	}
	if s.options.Branches != NoBranches {
		p.branches = byLine(v.Branches, lineOf)
	}
	if s.options.MCDC {
		p.decisions = byLine(v.Decisions, lastLineOf)
	}
	return p
}

func lineOf(r *coverage.Region) uint32 { return r.Start.Line }

func lastLineOf(d *coverage.Decision) uint32 { return d.End.Line }

// byLine splits a list where the line changes, and orders the pieces by line.
func byLine[T any](list []T, line func(T) uint32) [][]T {
	var pieces [][]T
	for i, n := 0, 0; i < len(list); i = n {
		for n = i + 1; n < len(list) && line(list[n]) == line(list[i]); n++ {
		}
		pieces = append(pieces, list[i:n])
	}
	slices.SortStableFunc(pieces, func(a, b []T) int { return cmp.Compare(line(a[0]), line(b[0])) })
	return pieces
}

// endLine is the last line of a function, in the file of its first region.
func endLine(f *coverage.Function) uint32 {
	last := uint32(0)
	for i := range f.Regions {
		if r := &f.Regions[i]; r.File == f.Regions[0].File {
			last = max(last, r.End.Line)
		}
	}
	return last
}

// print writes a view's lines, all of the file or those with counts. What stands at a
// line before the first that is written is never reached, nor what follows it.
func (s *showWriter) print(p *part, whole, named bool, depth int) {
	if named {
		s.tint(when(s.options.Colours, cyan), coverage.CleanPath(p.name)+":\n")
	}
	next, stop := iter.Pull(coverage.Lines(p.view.Segments))
	defer stop()
	line, more := next()
	for i, text := range p.source {
		n := uint32(i + 1)
		for more && line.Last < n {
			line, more = next()
		}
		if !whole && !more {
			break
		}
		stats := coverage.Line{First: n, Last: n}
		if more && line.First <= n {
			stats = line
		} else if !whole {
			continue
		}
		s.line(p, text, n, &stats, depth)
		s.spill()
	}
}

func (s *showWriter) line(p *part, text []byte, n uint32, stats *coverage.Line, depth int) {
	s.prefix(depth)
	number := strconv.Itoa(int(n))
	s.right(number[:min(len(number), 5)], 5)
	s.byte('|')
	if s.options.LineCounts {
		if count := s.count(stats.Count); stats.Mapped {
			s.repeat(' ', 7-len(count))
			s.tint(when(s.options.Colours && stats.Multiple, magenta), count)
		} else {
			s.repeat(' ', 7)
		}
		s.byte('|')
	}
	column := uint32(0)
	if s.options.Colours && len(p.expansions) > 0 && lineOf(p.expansions[0].Region) == n {
		column = p.expansions[0].Region.Start.Column
	}
	s.code(text, n, stats, column)
	s.markers(stats, depth)
	s.below(p, text, n, stats, depth)
}

// below is what stands between a line and the next.
func (s *showWriter) below(p *part, text []byte, n uint32, stats *coverage.Line, depth int) {
	some := false
	for ; len(p.expansions) > 0 && lineOf(p.expansions[0].Region) == n; p.expansions = p.expansions[1:] {
		e := p.expansions[0]
		if depth == s.depth {
			s.left = len(e.Function.Regions)
		}
		if s.left--; s.left < 0 {
			continue
		}
		view := s.c.ExpansionView(e)
		if len(view.Segments) == 0 {
			continue
		}
		source, ok := s.options.Source(view.File)
		if !ok {
			continue
		}
		s.divider(depth)
		if some {
			s.prefix(depth)
			s.repeat(' ', s.margin())
			if depth > 0 {
				s.byte(' ')
			}
			s.code(text, n, stats, e.Region.Start.Column)
			s.divider(depth)
		}
		s.dump("Expansion at line %d, %d -> %d\n", n, e.Region.Start.Column, e.Region.End.Column)
		s.print(s.newPart(view, source, e.Function.Name), false, false, depth+2)
		some = true
	}
	for ; len(p.instances) > 0 && endLine(p.instances[0]) == n; p.instances = p.instances[1:] {
		s.divider(depth)
		s.instance(p, p.instances[0], depth+1)
		some = true
	}
	for ; len(p.branches) > 0 && lineOf(p.branches[0][0]) == n; p.branches = p.branches[1:] {
		s.divider(depth)
		s.dump("Branch at line %d\n", n)
		for _, b := range p.branches[0] {
			s.branch(b, depth+1)
		}
		some = true
	}
	for ; len(p.decisions) > 0 && lastLineOf(p.decisions[0][0]) == n; p.decisions = p.decisions[1:] {
		s.divider(depth)
		for _, d := range p.decisions[0] {
			s.decision(d, depth+1)
		}
		some = true
	}
	if some {
		s.divider(depth)
	}
}

func (s *showWriter) prefix(depth int) {
	for range depth {
		s.text("  |")
	}
}

// margin is how wide the columns before the code are.
func (s *showWriter) margin() int {
	if s.options.LineCounts {
		return 14
	}
	return 6
}

func (s *showWriter) divider(depth int) {
	s.prefix(depth)
	s.text("  ")
	s.repeat('-', s.margin()+4)
	s.byte('\n')
}

// dump tells the reader of the dump something.
func (s *showWriter) dump(format string, args ...any) {
	if s.options.Dump != nil {
		fmt.Fprintf(s.options.Dump, format, args...)
	}
}

// code is a line of the source; what never ran is coloured, and the expansion that
// begins at a column.
func (s *showWriter) code(text []byte, n uint32, stats *coverage.Line, expansion uint32) {
	if s.options.Colours || s.options.Dump != nil {
		var shade colour
		if w := stats.Wrapped; w != nil && !w.Gap && w.HasCount && w.Count == 0 {
			shade = onRed
		}
		at := 0
		for i := range stats.Segments {
			g := &stats.Segments[i]
			end := max(min(int(g.Column)-1, len(text)), at)
			s.tint(when(s.options.Colours, shade), string(text[at:end]))
			if shade != "" {
				s.dump("Highlighted line %d, %d -> %d\n", n, at+1, end+1)
			}
			at = end
			switch {
			case (!g.Gap || shade == onRed) && g.HasCount && g.Count == 0:
				shade = onRed
			case uint32(at+1) == expansion:
				shade = onCyan
			default:
				shade = ""
			}
		}
		s.tint(when(s.options.Colours, shade), string(text[at:]))
		if shade != "" {
			s.dump("Highlighted line %d, %d -> ?\n", n, at+1)
		}
	} else {
		s.bytes(text)
	}
	s.byte('\n')
}

// markers are counts below the regions of a line that differ from the line's. They are
// counts also where others are 1 or 0.
func (s *showWriter) markers(stats *coverage.Line, depth int) {
	if !s.options.RegionMarkers || len(stats.Segments) < 2 {
		return
	}
	marked := func(g coverage.Segment) bool { return g.Entry && g.Count != stats.Count }
	segments := stats.Segments[:len(stats.Segments)-1]
	if !slices.ContainsFunc(segments, func(g coverage.Segment) bool { return marked(g) && g.HasCount }) {
		return
	}
	s.prefix(depth)
	s.repeat(' ', s.margin())
	at := 1
	for _, g := range segments {
		if !marked(g) {
			continue
		}
		s.repeat(' ', min(int(g.Column), 1<<16)-at)
		count := short(g.Count)
		s.text("^" + count)
		s.dump("Marker at %d:%d = %s\n", g.Line, g.Column, count)
		at = int(g.Column) + 1 + len(count)
	}
	s.byte('\n')
}

func (s *showWriter) demangled(name string) string {
	if s.options.Demangle != nil {
		return s.options.Demangle(name)
	}
	return name
}

func (s *showWriter) instance(p *part, f *coverage.Function, depth int) {
	name := s.demangled(f.Name)
	s.prefix(depth)
	s.byte(' ')
	if f.Count() == 0 {
		s.tint(when(s.options.Colours, red), "Unexecuted instantiation: "+name+"\n")
		return
	}
	s.depth = depth
	s.print(s.newPart(s.c.FunctionView(f), p.source, name), false, true, depth)
	s.depth = 0
}

func (s *showWriter) branch(b *coverage.Region, depth int) {
	s.prefix(depth)
	s.text("  Branch (")
	s.uint(uint64(b.Start.Line))
	s.byte(':')
	s.uint(uint64(b.Start.Column))
	s.text("): [")
	if b.Folded() {
		s.text("Folded - Ignored]\n")
		return
	}
	total := float64(b.Count) + float64(b.False) // as integers they might wrap
	s.side("True", b.Count, total, b.TrueFolded)
	s.text(", ")
	s.side("False", b.False, total, b.FalseFolded)
	s.text("]\n")
}

func (s *showWriter) side(name string, n uint64, total float64, folded bool) {
	if folded {
		s.text("Folded")
		return
	}
	s.text(name + ": ")
	if s.options.Branches == BranchCounts {
		s.text(s.count(n))
		return
	}
	percent := 0.0
	if total != 0 {
		percent = 100 * float64(n) / total
	}
	s.text(strconv.FormatFloat(percent, 'f', 2, 64) + "%")
}

// count is a count as the options want it.
func (s *showWriter) count(n uint64) string {
	if s.options.Binary {
		n = min(n, 1)
	}
	return short(n)
}

// short is a count in seven characters at most, cut and not rounded.
func short(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	if len(digits) <= 3 {
		return digits
	}
	whole := (len(digits)-1)%3 + 1
	kept := digits[:3]
	if whole < 3 {
		kept = digits[:whole] + "." + digits[whole:3]
	}
	return kept + " kMGTPEZY"[(len(digits)-1)/3:][:1]
}
