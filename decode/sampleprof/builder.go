package sampleprof

import (
	"fmt"

	"proflens/decode/model"
)

// Releases of LLVM that were the last to read a kind of file.
const (
	llvm13 = 13
	llvm16 = 16
)

// maxDepth is how deep functions may be inlined into each other. Compilers stop at
// some tens; what walks the records may go down as deep.
const maxDepth = 512

// builder collects the functions of a file.
type builder struct {
	p *Profile

	functions slab[Function]
	records   slab[Record]
	targets   slab[Target]
	sites     slab[Site]
	vtables   slab[VTable]

	byName    map[NameID]*Function
	byContext map[int32]*Function
	again     int                // functions that stood more than once
	late      map[*Function]bool // those that are put in order at the end, since more may come
}

func newBuilder(p *Profile) *builder {
	return &builder{p: p, byName: map[NameID]*Function{}, byContext: map[int32]*Function{}}
}

// inlined makes a function that is inlined into another.
func (b *builder) inlined(name NameID) *Function {
	f := b.functions.one()
	f.Name, f.Context = name, -1
	return f
}

// function is the top-level function of a name or, when context is not negative, of
// a context. One that the file had before is given again and added to, as today's tools
// do; those for older files replace it.
func (b *builder) function(name NameID, context int32) *Function {
	f := b.find(name, context)
	if f == nil {
		f = b.inlined(name)
		f.Context, f.Ordinal = context, uint32(len(b.p.Functions))
		b.p.Functions = append(b.p.Functions, f)
		if context >= 0 {
			b.byContext[context] = f
		} else {
			b.byName[name] = f
		}
		return f
	}
	b.again++
	if b.p.Reader != 0 {
		*f = Function{Name: name, Context: context, Ordinal: f.Ordinal}
		return f
	}
	if b.late == nil {
		b.late = map[*Function]bool{}
	}
	b.late[f] = true
	return f
}

// find is a function that the file had before, or nil.
func (b *builder) find(name NameID, context int32) *Function {
	if context >= 0 {
		return b.byContext[context]
	}
	return b.byName[name]
}

// settle puts the records of a function in order, unless more may come.
func (b *builder) settle(f *Function) (overflow bool) { return !b.late[f] && b.p.settle(f) }

// settleLate does it for those of which more could have come.
func (b *builder) settleLate() (overflow bool) {
	for f := range b.late {
		overflow = b.p.settleAll(f) || overflow
	}
	b.late = nil
	return overflow
}

// finish puts everything in order, and says what is odd about the whole. The records of
// other functions than those that stood more than once are in order already.
func (b *builder) finish() *Profile {
	b.settleLate()
	b.p.sort()
	if b.again > 0 {
		does := "their counts are added, as LLVM 17 and later do; 13 to 16 keep the last"
		if b.p.Reader != 0 {
			does = "the last of each is kept, as the releases do that read such files"
		}
		b.note("function_twice", model.Warning, fmt.Sprintf("functions that stand more than once: %s", does),
			"profiles were concatenated, or a tool other than LLVM's wrote the file",
			"merge the profiles with llvm-profdata merge --sample instead of concatenating them", uint64(b.again))
	}
	return b.p
}

// note notes a finding.
func (b *builder) note(code string, severity model.Severity, message, cause, remedy string, count uint64) {
	f := model.Finding{Severity: severity, Code: prefix + "." + code, Message: message, Cause: cause, Remedy: remedy}
	if count > 1 {
		f.Count = count
	}
	b.p.Found = append(b.p.Found, f)
}

// prefix begins the codes of findings.
const prefix = "sample"
