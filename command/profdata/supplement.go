package profdata

import (
	"crypto/md5"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/analyze/sample"
	"proflens/decode/instrprof"
	"proflens/decode/sampleprof"
	"proflens/names"
)

// uniqueSuffix is how the compiler makes names of static functions unique.
const uniqueSuffix = ".__uniq."

// duplicated stands for a static function whose name several have.
const duplicated = "\x00"

// raised is how many times the threshold the largest counter of a function becomes.
const raised = 3

// supplementing is an instrumentation profile that a sample profile corrects: functions that
// are cold by counters and not by samples get pseudo counts, or larger counts.
type supplementing struct {
	samples   *sampleprof.Profile
	functions map[string]*countedFunction // by PGO name, of those with one record
	static    map[string]string           // PGO names by those that samples have
	flat      map[string]*flatSamples     // by PGO name, or the sample's where no record has one
	order     []string                    // of flat
}

// countedFunction is what counters say of a function, and what becomes of them.
type countedFunction struct {
	most, counters, zeros uint64
	pseudo                uint64 // to be set; 0 for none
	times, by             uint64 // what counts are multiplied and divided by
}

// flatSamples are those of a function, wherever it was inlined.
type flatSamples struct{ entry, most uint64 }

// supplementBy is a source with its counters corrected by the sample profile that was given.
func (t *tool) supplementBy(file string, src instrprof.Source) (instrprof.Source, error) {
	data, err := t.read(file, t.std.In)
	if err != nil {
		return nil, err
	}
	p, err := t.openSample(file, data)
	if err != nil {
		return nil, err
	}
	zeros, err := strconv.ParseFloat(t.MostZeros, 32)
	if err != nil {
		return nil, commandLineError(fmt.Sprintf("%s: for the --zero-counter-threshold option: '%s' value invalid for "+
			"floating point argument!", name, t.MostZeros))
	}
	s := &supplementing{
		samples: p, functions: map[string]*countedFunction{}, static: map[string]string{}, flat: map[string]*flatSamples{},
	}
	sum, err := s.count(src)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Functions {
		s.flatten(f, p.Name(f.Name))
	}
	hot, cold := entryOf(sum, sample.HotCutoff), entryOf(sum, sample.ColdCutoff)
	if t.ColdCounters > 0 {
		cold = t.ColdCounters
	}
	s.adjust(hot, cold, t.LeastCounters, zeros)
	return &changed{src, s.change}, nil
}

// entryOf is the least of the counts that make up a share of all.
func entryOf(s *instrprof.Summary, cutoff uint64) uint64 {
	for _, e := range s.Detailed {
		if e.Cutoff >= cutoff {
			return e.MinCount
		}
	}
	return 0
}

// count looks at all records.
func (s *supplementing) count(src instrprof.Source) (*instrprof.Summary, error) {
	unique := false
	for _, f := range s.samples.Functions {
		unique = unique || strings.Contains(s.samples.ContextText(f), uniqueSuffix)
	}
	var sum analyze.Summarizer
	several := map[string]bool{}
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		sum.Add(f)
		name := string(f.Name)
		if several[name] || s.functions[name] != nil {
			several[name] = true
			delete(s.functions, name)
			continue
		}
		c := &countedFunction{counters: uint64(len(f.Counters))}
		for _, n := range f.Counters {
			c.most = max(c.most, n)
			if n == 0 {
				c.zeros++
			}
		}
		s.functions[name] = c
	}
	for name := range s.functions {
		s.addStatic(name, unique)
	}
	return sum.Summary(), nil
}

// addStatic notes under which name samples have a static function.
func (s *supplementing) addStatic(name string, unique bool) {
	path, linkage := names.Cut([]byte(name))
	if len(path) == 0 || len(linkage) == 0 {
		return
	}
	short := string(linkage)
	plain, _, isUnique := strings.Cut(short, uniqueSuffix)
	switch {
	case unique == isUnique:
	case isUnique:
		short = plain
	default:
		hash := md5.Sum(path)
		s.static[short+uniqueSuffix+new(big.Int).SetBytes(hash[:]).String()] = name
		return
	}
	if s.static[short] != "" {
		name = duplicated
	}
	s.static[short] = name
}

// flatten gives samples of a function to the record that has its counters: its own, or else
// that of the function it was inlined into.
func (s *supplementing) flatten(f *sampleprof.Function, root string) {
	name, entry := s.samples.Name(f.Name), s.samples.Entry(f)
	static, isStatic := s.static[name]
	switch {
	case s.functions[name] != nil:
		root = name
	case isStatic && static != duplicated:
		root = static
	case !isStatic:
		entry = 0
	}
	flat := s.flat[root]
	if flat == nil {
		flat = &flatSamples{}
		s.flat[root] = flat
		s.order = append(s.order, root)
	}
	flat.entry += entry
	for i := range f.Body {
		flat.most = max(flat.most, f.Body[i].Count)
	}
	for _, site := range f.Sites {
		s.flatten(site.Callee, root)
	}
}

// adjust decides what becomes of counters.
func (s *supplementing) adjust(hot, cold, leastCounters uint64, zeros float64) {
	summary := sample.Summary(s.samples)
	hotSamples, _ := summary.MinCount(sample.HotCutoff)
	coldSamples, _ := summary.MinCount(sample.ColdCutoff)
	for _, name := range s.order {
		most := max(s.flat[name].entry, s.flat[name].most)
		c := s.functions[name]
		if c == nil || most < coldSamples || c.most > cold || c.counters < leastCounters {
			continue
		}
		isHot := most >= hotSamples
		switch {
		case c.most == 0 || float32(c.zeros)/float32(c.counters) > float32(zeros):
			c.pseudo = instrprof.PseudoWarm
			if isHot {
				c.pseudo = instrprof.PseudoHot
			}
		case isHot && raised*hot > c.most:
			c.times, c.by = raised*hot, c.most
		case !isHot && raised*cold > c.most:
			c.times, c.by = raised*cold, c.most
		}
	}
}

// change corrects a record, of which the source keeps what it yields.
func (s *supplementing) change(f *instrprof.Function) bool {
	c := s.functions[string(f.Name)]
	switch {
	case c == nil || len(f.Counters) == 0:
	case c.pseudo != 0:
		f.Counters = slices.Clone(f.Counters)
		f.Counters[0] = c.pseudo
	case c.by > 0:
		f.Counters = slices.Clone(f.Counters)
		for i, n := range f.Counters {
			f.Counters[i] = scaled(n, c.times, c.by)
		}
		for kind, sites := range f.Sites {
			f.Sites[kind] = slices.Clone(sites)
			for i, site := range sites {
				site = slices.Clone(site)
				for j := range site {
					site[j].Count = scaled(site[j].Count, c.times, c.by)
				}
				f.Sites[kind][i] = site
			}
		}
	}
	return true
}

// scaled multiplies and divides; the product stops at the largest number.
func scaled(n, times, by uint64) uint64 {
	if hi, lo := bits.Mul64(n, times); hi == 0 {
		return min(lo/by, instrprof.MaxCount)
	}
	return min(uint64(1<<64-1)/by, instrprof.MaxCount)
}
