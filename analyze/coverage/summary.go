package coverage

import "proflens/decode/covmap"

// Metric is how many there are of something, and how many of them ran.
type Metric struct {
	Total   int      `json:"total" api:"total" col:"total" width:"8" is:"self"`
	Covered int      `json:"covered" api:"covered" col:"covered" width:"8"`
	_       struct{} `col:"share" width:"8" is:"part" help:"from 0 to 1; null of nothing"`
}

// Part is Covered of Total.
func (m *Metric) Part() (part, whole int) { return m.Covered, m.Total }

// Percent is Covered of Total in percent; 0 of nothing.
func (m Metric) Percent() float64 {
	if m.Total == 0 {
		return 0
	}
	return float64(m.Covered) / float64(m.Total) * 100
}

// Missed is how many did not run.
func (m Metric) Missed() int { return m.Total - m.Covered }

func (m *Metric) count(covered bool) {
	m.Total++
	if covered {
		m.Covered++
	}
}

// Add adds another up.
func (m *Metric) Add(o Metric) {
	m.Total += o.Total
	m.Covered += o.Covered
}

// most keeps of each number the larger.
func (m *Metric) most(o Metric) {
	m.Total, m.Covered = max(m.Total, o.Total), max(m.Covered, o.Covered)
}

// Summary is the numbers of a function, a file or more (section 11). MCDC counts
// conditions of decisions.
type Summary struct {
	Lines    Metric   `api:"lines" col:"lines_" head:"Covered" is:"sort,up" help:"lines that ran"`
	Regions  Metric   `api:"regions" col:"regions_" head:"Regions" is:"sort,up"`
	Branches Metric   `api:"branches" col:"branches_" head:"Branches" is:"sort,up" help:"sides of conditions"`
	MCDC     Metric   `api:"mcdc" col:"mcdc_" head:"MC/DC" is:"sort,up"`
	_        struct{} `help:"conditions with a pair of vectors that shows that they matter"`

	Functions      Metric `api:"functions,after=regions" col:"functions_" head:"Functions" is:"sort,up"`
	Instantiations Metric `api:"instantiations,after=functions" col:"instantiations_" head:"Instantiations" is:"sort,up"`
}

// Add adds another up.
func (s *Summary) Add(o Summary) {
	s.Regions.Add(o.Regions)
	s.Functions.Add(o.Functions)
	s.Instantiations.Add(o.Instantiations)
	s.Lines.Add(o.Lines)
	s.Branches.Add(o.Branches)
	s.MCDC.Add(o.MCDC)
}

// summarizer sums functions up one after the other.
type summarizer struct {
	segmenter
	reached []bool // file ids whose conditions count
}

func (s *summarizer) of(f *Function) Summary {
	if f.brief != nil {
		return f.brief.numbers
	}
	sum := s.begin(f)
	if f.Main < 0 {
		return sum
	}
	sum.Lines = s.lines()
	s.conditions(f, &sum)
	return sum
}

// lines counts those of what was added.
func (s *summarizer) lines() (sum Metric) {
	for l := range Lines(s.build()) {
		if l.Mapped {
			n := int(l.Last-l.First) + 1
			sum.Total += n
			if l.Count > 0 {
				sum.Covered += n
			}
		}
	}
	return sum
}

// begin counts the regions, and adds those of the main file.
func (s *summarizer) begin(f *Function) (sum Summary) {
	for i := range f.Regions {
		r := &f.Regions[i]
		if r.Kind == covmap.Code {
			sum.Regions.count(r.Count != 0)
		}
		if int(r.File) == f.Main {
			s.add(r)
		}
	}
	return sum
}

// conditions counts branches and conditions of decisions.
func (s *summarizer) conditions(f *Function, sum *Summary) {
	if len(f.Branches) > 0 {
		s.reach(f)
	}
	for i := range f.Branches {
		b := &f.Branches[i]
		if !s.reached[b.File] {
			continue
		}
		if !b.TrueFolded {
			sum.Branches.count(b.Count > 0)
		}
		if !b.FalseFolded {
			sum.Branches.count(b.False > 0)
		}
	}
	for i := range f.Decisions {
		if d := &f.Decisions[i]; int(d.File) == f.Main {
			sum.MCDC.Add(d.Metric())
		}
	}
}

// reach finds the file ids that the main one expands to, and those that these do.
func (s *summarizer) reach(f *Function) {
	s.reached = append(s.reached[:0], make([]bool, len(f.Files))...)
	s.reached[f.Main] = true
	for more := true; more; {
		more = false
		for i := range f.Regions {
			if r := &f.Regions[i]; r.Kind == covmap.Expansion && s.reached[r.File] && !s.reached[r.Expanded] {
				s.reached[r.Expanded], more = true, true
			}
		}
	}
}

// Summary is the numbers of one function. It counts no functions.
func (c *Coverage) Summary(f *Function) Summary {
	var s summarizer
	return s.of(f)
}

// Most keeps of each number the larger: a group of functions counts as its largest
// member does, in each number by itself.
func (s *Summary) Most(o Summary) {
	s.Regions.most(o.Regions)
	s.Lines.most(o.Lines)
	s.Branches.most(o.Branches)
	s.MCDC.most(o.MCDC)
}

// Summaries are the numbers of every file, of the functions that keep lets through;
// nil keeps all. A group of functions counts once, see Most.
func (c *Coverage) Summaries(keep func(*Function) bool) []Summary {
	var s summarizer
	list := make([]Summary, len(c.Files))
	for i := range list {
		for _, g := range c.Groups(i) {
			var most Summary
			some := false
			for _, f := range g.Functions {
				if keep != nil && !keep(f) {
					continue
				}
				most.Most(s.of(f))
				some = true
				list[i].Instantiations.count(f.Count() > 0)
			}
			if some {
				most.Functions.count(g.Count() > 0)
				list[i].Add(most)
			}
		}
	}
	return list
}
