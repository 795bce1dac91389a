package sampleprof

import (
	"bytes"
	"context"
	"slices"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// claim is that of a sample profile: it welcomes programs, and lists of symbols.
func claim(c *format.Recognised) format.Claim {
	if isCompanion(c) {
		return format.Welcomes
	}
	return format.NoClaim
}

func isCompanion(c *format.Recognised) bool {
	return c.Companion != nil && c.Is(symbol.FormatELF, symbol.FormatMachO, symbol.FormatPE, symbol.FormatNM, FormatNames)
}

// openCompanions reads what stands beside a profile among the files, and says what of the
// profile the programs have. The error is the context's.
func openCompanions(ctx context.Context, out *format.Profile, p *Profile, files []format.File, o format.Options) error {
	var c *companions
	for i, f := range files {
		if !isCompanion(f.Is) {
			continue
		}
		if c == nil {
			c = newCompanions(ctx, p, out)
		}
		if err := c.open(&out.Inputs[i], f, o); err != nil {
			return err
		}
	}
	if c != nil {
		c.finish()
	}
	return nil
}

// companions reads what stands beside a profile.
type companions struct {
	ctx      context.Context
	p        *Profile
	out      *format.Profile
	program  *Program
	asked    map[uint64]bool // the names in the profile, by hash
	own      map[uint64]bool // those of them that are functions, but for main
	ids      [][]byte
	covering bool // some file would have every function of the profile
}

func newCompanions(ctx context.Context, p *Profile, out *format.Profile) *companions {
	c := &companions{ctx: ctx, p: p, out: out, program: newProgram(), asked: map[uint64]bool{}, own: map[uint64]bool{}}
	hashes := make([]uint64, len(p.Names))
	for i, n := range p.Names {
		hashes[i] = n.canonical()
		c.asked[hashes[i]] = true
	}
	p.EachFunction(func(f *Function) { c.own[hashes[f.Name]] = true })
	if len(c.own) > 1 {
		delete(c.own, Hash("main")) // which says nothing
	}
	return c
}

// EachFunction visits all functions, also those that were inlined.
func (p *Profile) EachFunction(visit func(*Function)) {
	for _, f := range p.Functions {
		f.Each(visit)
	}
}

// Each visits a function, and all that was inlined into it.
func (f *Function) Each(visit func(*Function)) {
	visit(f)
	for i := range f.Sites {
		f.Sites[i].Callee.Each(visit)
	}
}

// open reads one file. What is wrong with it is a finding: the profile is whole without.
func (c *companions) open(in *format.Input, f format.File, o format.Options) error {
	rec := o.Recorder()
	g, ids, err := c.read(in, f, rec)
	in.Keep(rec)
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if err != nil {
		c.out.Find(format.FindingOf(f.Name, f.Is.Format.InFile(f.Name, err)))
	}
	if g == nil {
		return nil
	}
	if !c.knows(g) {
		c.out.Find(stranger(f, g))
		return nil
	}
	c.covering = c.covering || c.covers(g)
	c.ids = append(c.ids, ids...)
	c.program.take(f.Name, g)
	return nil
}

// knows reports whether a program has some function of the profile.
func (c *companions) knows(g *Program) bool {
	for hash := range c.own {
		if _, ok := g.find(hash); ok {
			return true
		}
	}
	return false
}

// stranger is the finding about a file that has none of the profile's functions.
func stranger(f format.File, g *Program) model.Finding {
	found := model.Finding{Severity: model.Warning, Code: prefix + ".another_program", Kind: model.KindIncompatible,
		File:    f.Name,
		Message: f.Name + " has none of the functions that were sampled: it is left out",
		Cause:   "it is another program than the one that was sampled",
		Remedy:  "give the program that was sampled, or a later build of it"}
	switch {
	case g.Functions == 0:
		found.Message = f.Name + " names no functions: it is left out"
		found.Cause, found.Remedy = "the program was stripped", "give the program as it was linked"
	case f.Optional:
		found.Severity = model.Note
	}
	return found
}

// read reads a program or a list; nil where nothing of it can be read.
func (c *companions) read(in *format.Input, f format.File, rec *wire.Recorder) (g *Program, ids [][]byte, err error) {
	g = newProgram()
	switch {
	case f.Is.Is(FormatNames):
		eachName(f.Data, func(name string) { g.add(name, elsewhere) })
		return g, nil, nil
	case f.Is.Is(symbol.FormatNM):
		list, err := symbol.ListNM(f.Data)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range list {
			g.add(p.Name, inCode)
		}
		return g, nil, nil
	}
	images, err := symbol.OpenProgram(f.Name, f.Data, rec)
	if err != nil {
		return nil, nil, err
	}
	in.Info = *images[0].Info()
	for _, image := range images {
		if id := image.BuildID(); len(id) > 0 {
			ids = append(ids, id)
		}
		image.FunctionNames(func(name string) { g.add(name, inCode) })
		if err := readDescriptors(image, g.describe); err != nil {
			return g, ids, err
		}
		if err := c.readDebugInfo(g, image); err != nil {
			return g, ids, err
		}
	}
	return g, ids, nil
}

// readDebugInfo reads which functions of the profile a program was compiled from, and
// where they are declared.
func (c *companions) readDebugInfo(g *Program, image *symbol.Image) error {
	s, err := symbol.NewSymbolizer(image)
	if err != nil || !s.HasDebugInfo() {
		return err
	}
	wanted := func(name []byte) bool {
		text := model.CanonicalName(string(name))
		if !c.asked[Hash(text)] && !c.asked[Hash(withoutModule(text))] {
			return false
		}
		g.add(text, elsewhere)
		return true
	}
	err = s.Declarations(c.ctx, wanted, g.declare)
	if err == nil && len(s.Faults()) > 0 {
		err = s.Faults()[0]
	}
	g.whole = err == nil
	return err
}

// declare notes where a function is declared; on line 0 where there are several places.
func (g *Program) declare(d model.Declaration) {
	text := model.CanonicalName(string(d.Name))
	d.Name = nil
	for _, hash := range []uint64{Hash(text), Hash(withoutModule(text))} {
		switch had, ok := g.declared[hash]; {
		case !ok, had.Code && !d.Code:
			g.declared[hash] = d
		case d.Code == had.Code && (d.File != had.File || d.Line != had.Line):
			had.Line = 0
			g.declared[hash] = had
		}
	}
}

// covers reports whether a function that a program does not know was left out of it: of
// the profile's functions with code, nearly all have a descriptor of pseudo probes, or
// debug info. A function that was inlined everywhere has nothing else.
func (c *companions) covers(g *Program) bool {
	code, described, declared := 0, 0, 0
	for hash := range c.own {
		f, ok := g.find(hash)
		if !ok {
			continue
		}
		_, placed := g.declared[hash]
		is := g.functions[f].in
		if is&inCode != 0 {
			code++
		}
		if is&inDescriptors != 0 {
			described++
		}
		if placed {
			declared++
		}
	}
	nearly := func(n int) bool { return n > 0 && 10*n >= 9*code }
	return nearly(described) || g.whole && nearly(declared)
}

// take adds what another file says.
func (g *Program) take(name string, of *Program) {
	g.Files = append(g.Files, name)
	if len(g.Files) == 1 {
		of.Files, of.whole = g.Files, false
		*g = *of
		return
	}
	for _, f := range of.functions {
		for _, in := range []origin{f.in & inCode, f.in & inDescriptors} {
			g.add(f.name, in)
		}
	}
	for hash, f := range of.byHash { // of descriptors
		if !has(g.byHash, hash) {
			g.byHash[hash] = g.byHash[Hash(of.functions[f].name)]
		}
	}
	for key := range of.checksums {
		g.checksums[key] = true
	}
	for hash, d := range of.declared {
		if had, ok := g.declared[hash]; !ok || had.Code && !d.Code {
			g.declared[hash] = d
		}
	}
}

// finish gives the profile what the files say of its functions.
func (c *companions) finish() {
	if len(c.program.Files) == 0 {
		return // none is of the profile
	}
	c.program.whole = c.covering && !c.p.Has(Partial)
	c.p.Program = c.program
	slices.SortFunc(c.ids, bytes.Compare)
	c.out.Info.BinaryIDs = slices.CompactFunc(c.ids, bytes.Equal)
	c.out.Find(c.p.lost()...)
}
