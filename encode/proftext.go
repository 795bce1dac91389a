package encode

import (
	"bytes"
	"context"
	"io"
	"strconv"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/internal/parallel"
)

// Proftext writes src as llvm-profdata 22 does with "merge --text", byte for
// byte (instrprof.md §5.2): functions by name and FuncHash, targets of value
// sites by the names of the functions written, others as external symbols.
//
// A source that is not a [sums.Records] is merged first, in memory, since
// the text form has each record once and sorted. The error is the source's or
// the writer's.
//
// The text form cannot hold a function without a name. llvm-profdata then
// writes the flags and nothing else, prints a warning and succeeds; so does
// this, and the source's findings have the warning. Of a partial profile, which
// often lacks names, it writes the functions that have one, and says first, in
// comments, that they are not all.
// Names of vtables are written where they are given; llvm-profdata has them only with
// --keep-vtable-symbols.
func Proftext(w io.Writer, src instrprof.Source, vtables ...[]byte) error {
	merged, err := sums.Of(context.Background(), src)
	if err != nil {
		return err
	}
	symbols, unnamed := symbolsOf(merged)
	for _, name := range vtables {
		if known := symbols.find(instrprof.NameRef(name)); known != nil && *known == nil {
			*known = name
		}
	}
	p := proftext{symbols: symbols}
	v, partial := merged.Info().Variant, merged.Info().Partial
	p.partial(partial, unnamed)
	p.flags(v)
	left := unnamed > 0 && len(partial) == 0
	if v.Has(instrprof.TemporalProf) && !left {
		p.traces(merged)
	}
	if _, err := w.Write(p.b); err != nil || left {
		return err
	}
	order := merged.BySymbol()
	return parallel.Each(context.Background(), (len(order)+textPiece-1)/textPiece,
		func(_ context.Context, i int, b []byte) ([]byte, error) {
			p := proftext{b[:0], symbols}
			for f := range merged.Each(order[i*textPiece : min((i+1)*textPiece, len(order))]) {
				if f.FuncHash < firstLostHash && len(f.Name) > 0 {
					p.record(f)
				}
			}
			return p.b, nil
		}, func(b []byte) error {
			_, err := w.Write(b)
			return err
		})
}

// textPiece is how many functions are written in one go.
const textPiece = 1024

// firstLostHash is the first of the two FuncHashes that the hash map of
// llvm-profdata keeps for itself; it loses records that have one.
const firstLostHash = 1<<64 - 2

// symbolsOf returns the names of the functions of src, by their hash, as far
// as a value site or a trace asks for them, and how many records have no name.
func symbolsOf(src sums.Records) (wanted *Symbols, unnamed int) {
	wanted = &Symbols{}
	for t := range src.Traces() {
		for _, ref := range t.NameRefs {
			wanted.Add(ref, nil)
		}
	}
	for f := range src.Functions() {
		if len(f.Name) == 0 {
			unnamed++
			continue
		}
		for _, kind := range []instrprof.ValueKind{instrprof.IndirectCallTarget, instrprof.VTableTarget} {
			for _, site := range f.Sites[kind] {
				for _, v := range site {
					wanted.Add(v.Value, nil)
				}
			}
		}
	}
	if len(wanted.list) == 0 {
		return wanted, unnamed
	}
	var last []byte
	for f := range src.Functions() {
		if len(f.Name) == 0 || bytes.Equal(f.Name, last) {
			continue
		}
		last = f.Name
		// The hash of the name itself: a damaged file may say another.
		if name := wanted.find(instrprof.NameRef(f.Name)); name != nil {
			*name = f.Name
		}
	}
	return wanted, unnamed
}

// proftext appends lines.
type proftext struct {
	b       []byte
	symbols *Symbols
}

// line appends its parts and a line end.
func (p *proftext) line(parts ...string) {
	for _, s := range parts {
		p.b = append(p.b, s...)
	}
	p.b = append(p.b, '\n')
}

// number appends a decimal number and what ends it.
func (p *proftext) number(v uint64, end byte) {
	p.b = append(humanize.AppendUint(p.b, v), end)
}

// partial says in comments what the profile is not.
func (p *proftext) partial(files []model.Partial, unnamed int) {
	for _, line := range model.PartialLines(files) {
		p.line("# ", line)
	}
	if len(files) > 0 && unnamed > 0 {
		p.line("# partial: ", strconv.Itoa(unnamed), " records without a name are left out")
	}
}

func (p *proftext) flags(v instrprof.Variant) {
	switch {
	case v.Has(instrprof.CSIRProf):
		p.line("# CSIR level Instrumentation Flag\n:csir")
	case v.Has(instrprof.IRProf):
		p.line("# IR level Instrumentation Flag\n:ir")
	}
	if v.Has(instrprof.InstrEntry) {
		p.line("# Always instrument the function entry block\n:entry_first")
	}
	if v.Has(instrprof.InstrLoopEntries) {
		p.line("# Always instrument the loop entry blocks\n:instrument_loop_entries")
	}
	if v.Has(instrprof.ByteCoverage) {
		p.line("# Instrument block coverage\n:single_byte_coverage")
	}
}

// traces writes the temporal traces; a function that has no record shows as
// its comma alone.
func (p *proftext) traces(src sums.Records) {
	var n uint64
	for range src.Traces() {
		n++
	}
	p.line(":temporal_prof_traces\n# Num Temporal Profile Traces:")
	p.number(n, '\n')
	p.line("# Temporal Profile Trace Stream Size:")
	p.number(src.Info().TraceStreamSize, '\n')
	for t := range src.Traces() {
		p.line("# Weight:")
		p.number(t.Weight, '\n')
		for _, ref := range t.NameRefs {
			p.write(p.symbols.Of(ref))
			p.write([]byte{','})
		}
		p.line()
	}
	p.line()
}

func (p *proftext) write(b []byte) { p.b = append(p.b, b...) }

func (p *proftext) record(f *instrprof.Function) {
	p.write(f.Name)
	p.line("\n# Func Hash:")
	p.number(f.FuncHash, '\n')
	p.line("# Num Counters:")
	p.number(uint64(len(f.Counters)), '\n')
	p.line("# Counter Values:")
	for _, c := range f.Counters {
		p.number(c, '\n')
	}
	if len(f.Bitmap) > 0 {
		p.line("# Num Bitmap Bytes:\n$", strconv.Itoa(len(f.Bitmap)), "\n# Bitmap Byte Values:")
		for _, b := range f.Bitmap {
			p.line("0x", strconv.FormatUint(uint64(b), 16))
		}
		p.line()
	}
	p.valueData(f)
	p.line()
}

func (p *proftext) valueData(f *instrprof.Function) {
	kinds := 0
	for _, sites := range f.Sites {
		if len(sites) > 0 {
			kinds++
		}
	}
	if kinds == 0 {
		return
	}
	p.line("# Num Value Kinds:\n", strconv.Itoa(kinds))
	for k, sites := range f.Sites {
		if len(sites) == 0 {
			continue
		}
		kind := instrprof.ValueKind(k)
		p.line("# ValueKind = ", kind.String(), ":\n", strconv.Itoa(k), "\n# NumValueSites:\n", strconv.Itoa(len(sites)))
		for _, site := range sites {
			p.number(uint64(len(site)), '\n')
			for _, v := range site {
				p.value(kind, v)
			}
		}
	}
}

func (p *proftext) value(kind instrprof.ValueKind, v instrprof.Value) {
	if kind == instrprof.MemOPSize {
		p.number(v.Value, ':')
	} else if name := p.symbols.Of(v.Value); len(name) > 0 {
		p.write(name)
		p.write([]byte{':'})
	} else {
		p.write([]byte("** External Symbol **:"))
	}
	p.number(v.Count, '\n')
}

// AppendProftext appends a record as the text form has it.
func AppendProftext(b []byte, f *instrprof.Function, symbols *Symbols) []byte {
	p := proftext{b, symbols}
	p.record(f)
	return p.b
}
