package sampleprof

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// version is that of both binary forms.
const version = 103

// header is the magic, "SPROF42" and the kind as one LEB128, and the version.
func header(kind byte) []byte {
	return append(sampleprof.Magic(kind), version)
}

// PlanBinary checks that a profile can be written as raw binary, and says what it would
// lose. The error is a [*model.FormatError] of kind lossy for a profile with contexts or
// probes, for which the form has no room, and one of those of every binary form.
func PlanBinary(p *sampleprof.Profile) ([]model.Finding, error) {
	for flag, what := range map[sampleprof.Flags]string{
		sampleprof.FullContexts: "calling contexts", sampleprof.Probes: "pseudo probes",
	} {
		if p.Has(flag) {
			return nil, &model.FormatError{
				Kind: model.KindLossy, Section: "functions", Msg: "raw binary has no room for " + what + "; write sample-extbinary",
			}
		}
	}
	has, err := check(p)
	if err != nil {
		return nil, err
	}
	return losses(map[string]bool{"vtables": has.vtables, "attributes": has.attributes,
		"the symbol list": p.Symbols != nil}), nil
}

func losses(lost map[string]bool) (list []model.Finding) {
	var words []string
	for what, is := range lost {
		if is {
			words = append(words, what)
		}
	}
	slices.Sort(words)
	if words == nil {
		return nil
	}
	return []model.Finding{{Severity: model.Warning, Code: "sample.left_out", Kind: model.KindLossy,
		Message: "raw binary has no room for " + strings.Join(words, ", ") + ", which are left out",
		Remedy:  "write sample-extbinary"}}
}

// contents is what a profile has that not every form can hold.
type contents struct{ vtables, attributes bool }

// check finds what no binary form can hold: line offsets that readers refuse.
func check(p *sampleprof.Profile) (has contents, err error) {
	p.EachFunction(func(f *sampleprof.Function) {
		if n := len(f.Body); err == nil && n > 0 && f.Body[n-1].Offset > math.MaxUint16 {
			err = &model.FormatError{Kind: sampleprof.KindIllegalLineOffset, Section: "functions",
				Msg: fmt.Sprintf("%s has samples at line offset %d, which no tool would read back", p.Name(f.Name),
					f.Body[n-1].Offset), Expected: "at most 65535"}
		}
		has.vtables = has.vtables || len(f.VTables) > 0
		has.attributes = has.attributes || f.Attributes != 0
	})
	if err != nil {
		return has, err
	}
	for i := range p.Names {
		if strings.Contains(p.Names[i].Text, "\x00") {
			return has, &model.FormatError{
				Kind: model.KindLossy, Section: "names", Msg: "a name has a NUL in it, at which the others would end",
			}
		}
	}
	return has, nil
}

// Binary writes raw binary (sampleprof.md §4), byte for byte as llvm-profdata merge
// --sample --binary does, of a profile that [PlanBinary] takes.
func Binary(w io.Writer, p *sampleprof.Profile) error {
	e := newEncoder(p, false)
	out := header(0xff)
	out = appendSummary(out, sample.Summarise(p))
	out = e.appendNames(out)
	for _, f := range p.Functions {
		out = e.appendFunction(out, f)
	}
	_, err := w.Write(out)
	return err
}

// encoder writes functions with names by their numbers in the file.
type encoder struct {
	p        *sampleprof.Profile
	order    []sampleprof.NameID // of the file
	number   []uint64            // by NameID, in the file
	contexts []uint64            // by number of a context, in the file
	types    bool                // vtables are written
	split    bool                // and contexts are not
}

// newEncoder numbers the names that functions use.
func newEncoder(p *sampleprof.Profile, types bool) *encoder {
	e := &encoder{p: p, number: make([]uint64, len(p.Names)), types: types}
	used := make([]bool, len(p.Names))
	p.EachFunction(func(f *sampleprof.Function) {
		used[f.Name] = true
		for i := range f.Body {
			for _, t := range f.Body[i].Targets {
				used[t.Name] = true
			}
		}
		for i := range f.VTables {
			used[f.VTables[i].Type] = used[f.VTables[i].Type] || types
		}
		for _, frame := range p.Frames(f) {
			used[frame.Name] = true
		}
	})
	for id, is := range used {
		if is {
			e.order = append(e.order, sampleprof.NameID(id))
		}
	}
	slices.SortFunc(e.order, func(a, b sampleprof.NameID) int { return p.Names[a].Compare(p.Names[b]) })
	for i, id := range e.order {
		e.number[id] = uint64(i)
	}
	return e
}

func appendSummary(out []byte, s *sampleprof.Summary) []byte {
	out = uleb(out, s.Total, s.MaxCount, s.MaxFunction, s.Counts, s.Functions, uint64(len(s.Entries)))
	for _, e := range s.Entries {
		out = uleb(out, e.Cutoff, e.MinCount, e.Counts)
	}
	return out
}

// appendNames writes the names, each with a NUL behind it.
func (e *encoder) appendNames(out []byte) []byte {
	out = uleb(out, uint64(len(e.order)))
	for _, id := range e.order {
		out = append(append(out, e.p.Name(id)...), 0)
	}
	return out
}

func (e *encoder) appendFunction(out []byte, f *sampleprof.Function) []byte {
	return e.appendBody(uleb(out, f.Head, e.index(f)), f)
}

// index is how the file refers to a function: by [encoder.place], unless contexts are not in it.
func (e *encoder) index(f *sampleprof.Function) uint64 {
	if e.split && e.contexts != nil && f.Context >= 0 {
		return 0
	}
	return e.place(f)
}

// place is the number of a function's context, or else of its name.
func (e *encoder) place(f *sampleprof.Function) uint64 {
	if f.Context < 0 || e.contexts == nil {
		return e.number[f.Name]
	}
	return e.contexts[f.Context]
}

// appendBody writes what follows the number of a function.
func (e *encoder) appendBody(out []byte, f *sampleprof.Function) []byte {
	out = uleb(out, f.Total, uint64(len(f.Body)))
	for i := range f.Body {
		r := &f.Body[i]
		out = uleb(out, uint64(r.Offset), uint64(r.Discriminator), r.Count, uint64(len(r.Targets)))
		for _, t := range r.Targets {
			out = uleb(out, e.number[t.Name], t.Count)
		}
	}
	out = uleb(out, uint64(len(f.Sites)))
	for _, s := range f.Sites {
		out = uleb(out, uint64(s.Offset), uint64(s.Discriminator), e.number[s.Callee.Name])
		out = e.appendBody(out, s.Callee)
	}
	if e.types {
		out = e.appendTypes(out, f.VTables)
	}
	return out
}

// appendTypes writes the types of each place.
func (e *encoder) appendTypes(out []byte, list []sampleprof.VTable) []byte {
	var places [][]sampleprof.VTable
	for begin, i := 0, 1; i <= len(list); i++ {
		if i == len(list) || list[i].Loc != list[begin].Loc {
			places = append(places, list[begin:i])
			begin = i
		}
	}
	out = uleb(out, uint64(len(places)))
	for _, types := range places {
		out = uleb(out, uint64(types[0].Offset), uint64(types[0].Discriminator), uint64(len(types)))
		for _, t := range types {
			out = uleb(out, e.number[t.Type], t.Count)
		}
	}
	return out
}

func uleb(out []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		out = binary.AppendUvarint(out, n)
	}
	return out
}
