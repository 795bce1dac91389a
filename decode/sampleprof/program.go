package sampleprof

import (
	"strings"

	"proflens/decode/model"
)

// Program is what the programs and lists of symbols that were given with a profile say
// of its functions. Functions stand under their names as profiles have them: without
// what the compiler put behind them (sampleprof.md §8.1). A nil Program knows nothing.
type Program struct {
	Files     []string // as they were named
	Probes    int      // functions with a descriptor of pseudo probes; 0 where staleness cannot be told
	Functions int      // functions that are known by name

	functions []known
	byHash    map[uint64]int32 // of a name, in functions
	short     map[uint64]int32 // of a name without its module, likewise: one of those that it may be of
	checksums map[probed]bool
	declared  map[uint64]model.Declaration // of the functions of the profile, by hash of the name
	whole     bool                         // what is not known here is in none of the programs
}

// known is a function that the programs have.
type known struct {
	name string
	in   origin
}

// origin is where a function was found.
type origin uint8

const (
	inCode        origin = 1 << iota // it has a symbol
	inDescriptors                    // of pseudo probes
	elsewhere     origin = 0         // in debug info, or a list of names
)

// probed is a function as it was compiled with pseudo probes.
type probed struct{ hash, checksum uint64 }

// Fit says how a function of the profile stands in the programs.
type Fit uint8

// The fits.
const (
	FitUnknown Fit = iota // it cannot be told
	FitSame               // its checksum is the profile's or, where it has no probes, there is one of its name
	FitStale              // it has another checksum: the compiler drops its samples
	FitGone               // there is none
)

// Fit is how a function with a checksum, or without one (0), stands in the programs.
func (g *Program) Fit(n Name, checksum uint64) Fit {
	if g == nil {
		return FitUnknown
	}
	hash := n.canonical()
	f, ok := g.find(hash)
	switch {
	case !ok && g.whole:
		return FitGone
	case !ok:
		return FitUnknown
	case checksum == 0, g.checksums[probed{hash, checksum}]:
		return FitSame
	case g.functions[f].in&inDescriptors == 0:
		return FitUnknown // it was compiled without probes
	}
	return FitStale
}

// NameOf is the name of which only the hash is known; false where the programs have none
// of that hash, and where the name is known.
func (g *Program) NameOf(n Name) (string, bool) {
	hash, hashed := n.Hashed()
	if g == nil || !hashed {
		return "", false
	}
	f, ok := g.find(hash)
	if !ok {
		return "", false
	}
	if name := g.functions[f].name; Hash(name) == hash {
		return name, true
	}
	return withoutModule(g.functions[f].name), true
}

// Declaration is where a function of the profile is declared, by debug info, which is what
// the offsets of a profile by lines count from; its name is left out. False for one that is
// declared at several places, such as static functions of one name, and for one of which
// only the line is known that its code begins on.
func (g *Program) Declaration(name string) (model.Declaration, bool) {
	if g == nil {
		return model.Declaration{}, false
	}
	d, ok := g.declared[Name{Text: name}.canonical()]
	if !ok || d.Line == 0 || d.Code {
		return model.Declaration{}, false
	}
	return d, true
}

// EachFunction visits the functions that the programs define, once each: those with code
// of their own.
func (g *Program) EachFunction(visit func(name string)) {
	if g == nil {
		return
	}
	for _, f := range g.functions {
		if f.in&inCode != 0 {
			visit(f.name)
		}
	}
}

// canonical is the hash of a name as profiles have it, and programs are asked by it.
func (n Name) canonical() uint64 {
	if hash, ok := n.Hashed(); ok {
		return hash
	}
	return Hash(model.CanonicalName(n.Text))
}

func newProgram() *Program {
	return &Program{
		byHash: map[uint64]int32{}, short: map[uint64]int32{}, checksums: map[probed]bool{},
		declared: map[uint64]model.Declaration{},
	}
}

// find is the function of a hash or, failing that, one of a module whose suffix the name
// was hashed without.
func (g *Program) find(hash uint64) (int32, bool) {
	f, ok := g.byHash[hash]
	if !ok {
		f, ok = g.short[hash]
	}
	return f, ok
}

// add makes a function known and returns the hash of its name.
func (g *Program) add(name string, in origin) uint64 {
	name = model.CanonicalName(name)
	hash := Hash(name)
	f, ok := g.byHash[hash]
	if !ok {
		f = int32(len(g.functions))
		g.byHash[hash] = f
		g.functions = append(g.functions, known{name: name})
		g.Functions++
		if short := withoutModule(name); short != name {
			g.short[Hash(short)] = f
		}
	}
	if in == inDescriptors && g.functions[f].in&inDescriptors == 0 {
		g.Probes++
	}
	g.functions[f].in |= in
	return hash
}

// describe adds a descriptor of pseudo probes.
func (g *Program) describe(d descriptor) {
	if d.name == "" {
		return
	}
	hash := g.add(d.name, inDescriptors)
	g.checksums[probed{hash, d.checksum}] = true
	if short := withoutModule(d.name); short != d.name {
		g.checksums[probed{Hash(short), d.checksum}] = true
	}
	if d.guid != hash {
		g.checksums[probed{d.guid, d.checksum}] = true
		if !has(g.byHash, d.guid) {
			g.byHash[d.guid] = g.byHash[hash]
		}
	}
}

// withoutModule is the name of an internal function without the suffix that makes it
// unique among modules. A profile without such names is of any module's function.
func withoutModule(name string) string {
	const suffix = ".__uniq."
	if at := strings.LastIndex(name, suffix); at > 0 && strings.LastIndexByte(name, '.') == at+len(suffix)-1 {
		return name[:at]
	}
	return name
}

// SourceFiles are the files that declare functions of the profile; none for no program.
func (g *Program) SourceFiles() (files []string) {
	if g == nil {
		return nil
	}
	for _, d := range g.declared {
		if d.File != "" {
			files = append(files, d.File)
		}
	}
	return files
}
