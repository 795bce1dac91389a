package covdb

import (
	"context"
	"slices"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/internal/recovery"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// tables is a coverage with all that its tables add to it.
type tables struct {
	objects   []Object
	files     []string
	other     []*Misfit // functions that another program has on other lines; not stored
	sums      []Sums
	unions    []coverage.FileUnion
	functions []coverage.Function // without their regions, which bodies has
	summaries []coverage.Summary
	starts    []span
	first     []int32 // by function: the first of its place
	bodies    pieces
	mentions  [][]byte
	decisions []decision
	byName    []uint32
	misfits   []Misfit
	single    bool
	foreign   int
	records   int
	joined    int
	prefix    string
}

// span is where a function begins and ends.
type span struct {
	start covmap.Position
	end   uint32
}

// pieces is byte strings one after another, in chunks that never move.
type pieces struct {
	chunks [][]byte
	at     [][]byte
	size   int
}

func (p *pieces) add(b []byte) {
	const chunk = 1 << 20
	n := len(p.chunks) - 1
	if n < 0 || cap(p.chunks[n])-len(p.chunks[n]) < len(b) {
		p.chunks = append(p.chunks, make([]byte, 0, max(chunk, len(b))))
		n++
	}
	from := len(p.chunks[n])
	p.chunks[n] = append(p.chunks[n], b...)
	p.at = append(p.at, p.chunks[n][from:])
	p.size += len(b)
}

func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	r := in.Records.(*covmap.Records)
	profile, err := coverage.ProfileOf(ctx, r.Counters)
	if err != nil {
		return nil, err
	}
	c, err := coverage.Join(ctx, r.Objects, profile, coverage.Options{})
	if err != nil {
		return nil, err
	}
	t := &tables{
		single: c.SingleByte, foreign: c.Misfits.Foreign, records: profile.Len(), misfits: misfitsOf(&c.Misfits),
		other: otherLines(&c.Misfits), files: make([]string, len(c.Files)),
	}
	for _, o := range r.Objects {
		t.objects = append(t.objects, Object{o.Name, o.Version, o.BuildID, len(o.Functions), len(o.Faults)})
	}
	for i := range c.Files {
		t.files[i] = c.Files[i].Name
	}
	t.prefix = prefixOf(t.files)
	g, ctx := recovery.WithContext(ctx)
	g.Go(func() error {
		t.summaries, t.unions = c.Totals()
		return ctx.Err()
	})
	g.Go(func() error {
		t.mentioned(c)
		return t.pack(ctx, c)
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	t.sum(c)
	t.keep(c)
	return t, nil
}

// prefixOf is what all file names begin with, of one file its directory.
func prefixOf(files []string) string {
	if len(files) == 0 {
		return ""
	}
	if len(files) == 1 {
		return files[0][:lastSlash(files[0])+1]
	}
	return files[0][:min(coverage.Redundant(files), lastSlash(files[0])+1)]
}

func lastSlash(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			return i
		}
	}
	return -1
}

// sum finds the functions of one place, and works out the numbers of files.
func (t *tables) sum(c *coverage.Coverage) {
	type place struct {
		file  int32
		start covmap.Position
	}
	type group struct {
		most        coverage.Summary
		ran         bool  // one of them
		file, first int32 // first: of its functions
	}
	at := make(map[place]int32, len(c.Functions)) // index of groups
	groups := make([]group, 0, len(c.Functions))
	t.sums, t.first, t.starts = make([]Sums, len(c.Files)), make([]int32, len(c.Functions)), make([]span, len(c.Functions))
	for i := range c.Functions {
		f := &c.Functions[i]
		t.first[i] = int32(i)
		if f.Profiled {
			t.joined++
		}
		if f.Main < 0 {
			continue
		}
		t.starts[i] = span{start: f.Start()}
		for r := range f.Regions {
			if r := &f.Regions[r]; int(r.File) == f.Main {
				t.starts[i].end = max(t.starts[i].end, r.End.Line)
			}
		}
		p := place{f.Files[f.Main], t.starts[i].start}
		n, known := at[p]
		if !known {
			n = int32(len(groups))
			at[p] = n
			groups = append(groups, group{file: p.file, first: int32(i)})
		}
		g := &groups[n]
		t.first[i] = g.first
		g.most.Most(t.summaries[i])
		ran := f.Count() > 0
		g.ran = g.ran || ran
		count(&t.sums[p.file].Instantiations, ran)
	}
	for i := range groups {
		g := &groups[i]
		count(&g.most.Functions, g.ran)
		t.sums[g.file].Summary.Add(g.most)
	}
	for i := range t.sums {
		t.sums[i].Union, t.sums[i].Partly = t.unions[i].Union, t.unions[i].Partly
	}
}

func count(m *coverage.Metric, covered bool) {
	m.Total++
	if covered {
		m.Covered++
	}
}

// mentioned packs which functions have something in each file.
func (t *tables) mentioned(c *coverage.Coverage) {
	var p packer
	for i := range c.Files {
		p.b = p.b[:0]
		last := int32(-1)
		for _, f := range c.Mentions(i) {
			p.uint(uint64(f - last))
			last = f
		}
		t.mentions = append(t.mentions, slices.Clone(p.b))
	}
}

// decision is one to write: where it is, and what was shown of it.
type decision struct {
	function, number, file int32
	start                  covmap.Position
	coverage.Metric
}

// pack packs what functions are made of.
func (t *tables) pack(ctx context.Context, c *coverage.Coverage) error {
	var p packer
	for i := range c.Functions {
		f := &c.Functions[i]
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b := p.pack(f)
		if len(b) > stored.MaxRow {
			return stored.TooLarge("coverage of a function", 0, stored.MaxRow)
		}
		t.bodies.add(b)
		for n := range f.Decisions {
			d := &f.Decisions[n]
			t.decisions = append(t.decisions, decision{int32(i), int32(n), f.Files[d.File], d.Start, d.Metric()})
		}
	}
	t.byName = query.All(len(c.Functions))
	slices.SortFunc(t.byName, compareNames(c.Functions))
	return nil
}

// keep keeps of the functions what is written besides.
func (t *tables) keep(c *coverage.Coverage) {
	t.functions = c.Functions
	for i := range t.functions {
		f := &t.functions[i]
		if f.Main >= 0 {
			f.Files = f.Files[f.Main : f.Main+1]
		}
		count := f.Count()
		f.Regions, f.Branches, f.Decisions = nil, nil, nil
		if count > 0 {
			f.Regions = []coverage.Region{{Count: count}}
		}
	}
}

// SourceFiles implements [stored.Sourced].
func (t *tables) SourceFiles() []string { return t.files }
