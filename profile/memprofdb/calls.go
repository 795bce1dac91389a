package memprofdb

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/calltree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Call is a call that leads to allocations, and what it reaches: one address of a
// function, with what was inlined there. A context that goes through it several
// times counts once.
type Call struct {
	ID      uint64    `col:"call" width:"16" is:"hex,key,script" help:"its address in pages" as:"fid null"`
	Caller  *Function `col:"caller_" parts:"fid,function,linkage_name" head:"Caller" is:"sort,up,words"`
	_       column    `help:"function containing the call"`
	At      CallPlace `col:"at" head:"At" is:"words" help:"line of the call"`
	Inlined Functions `col:"inlined" is:"words,script"`
	_       column    `help:"functions at the address, the innermost first: they call the callee" as:"list"`
	Callee  *Function `col:"callee_" parts:"fid,function,linkage_name" head:"Callee" is:"sort,up,words"`
	_       column    `help:"the called function, and frames inlined between"`
	// Sites counts the allocation sites that it reaches, by line.
	SiteTotals
	_     column `col:"classes" is:"page" help:"bytes by class"`
	Mixes bool   `facet:"mixed" label:"Mixed classes" help:"reach contexts of several classes" count:"mixes"`
	Clone bool   `facet:"clone" label:"Needs a clone" help:"reach both cold and other contexts" count:"clones"`
}

// Cell implements [table.Celler]: classes are drawn.
func (*Call) Cell(string, *table.Options) table.Cell { return table.Null }

// CallPlace is where a function has a call: the line of the outermost one at its address.
type CallPlace struct {
	File       string `col:"file" is:"omitzero"`
	Line       uint32 `col:"line" width:"8" is:"omitzero"`
	LineOffset uint32 `col:"line_offset" width:"8" help:"lines below the function's first" as:"integer 0.. null"`
	Column     uint32 `col:"column" width:"8" as:"integer 0.. null"`
}

// At implements [table.Located].
func (c *CallPlace) At() (file string, line uint32, other string) {
	return c.File, c.Line, "line +" + strconv.FormatUint(uint64(c.LineOffset), 10)
}

// Words implements [table.Sought].
func (c *CallPlace) Words(show func([]byte)) { show([]byte(c.File)) }

// Calls is the table of calls.
var Calls = table.Declare[Call](table.Declaration{
	Around: (*CallsAround)(nil),
	Noun:   "call", All: true, Usual: "-bytes", Sought: "caller, callee or file",
	Show: "caller at callee bytes contexts sites classes hot_bytes cold_bytes",
	Text: "bytes contexts sites cold_bytes hot_bytes line caller callee",
})

// CallsAround is what stands around calls.
type CallsAround struct {
	Folded int `col:"folded"` // calls that a library makes, left out
	// Library reports whether a function is a library's; nil where none is folded.
	Library func(*Function) bool
}

// FindCalls finds calls that lead to allocations, by classes with these thresholds, of
// which zero are the compiler's defaults. Calls that the library of fold makes are left
// out, unless it is nil; of what is inlined nothing is. Errors are those of Contexts.
func (p *Profile) FindCalls(ctx context.Context, t analyze.MemProfThresholds,
	fold *analyze.Library) (table.Find, error) {
	f := Filter{Thresholds: t}
	x, selected, err := p.selected(ctx, &f)
	if err != nil {
		return nil, err
	}
	calls, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof calls", f.thresholds()),
		func() ([]*Call, int64, error) {
			calls, err := x.callsOf(ctx, selected)
			return calls, int64(len(calls)) * 420, err
		})
	if err != nil {
		return nil, err
	}
	around := &CallsAround{}
	if fold != nil {
		l, err := p.framesOf(ctx, x, fold)
		if err != nil {
			return nil, err
		}
		functions := map[*Function]bool{}
		for i, frame := range x.function {
			if l.frames.Has(uint32(i)) {
				functions[&x.functions[frame]] = true
			}
		}
		around.Library = func(f *Function) bool { return functions[f] }
		all := len(calls)
		calls = slices.DeleteFunc(slices.Clone(calls), func(c *Call) bool { return functions[c.Caller] })
		around.Folded = all - len(calls)
	}
	whole := map[string]float64{"bytes": selected.totals.Bytes.Float64()}
	return Calls.Within(table.Set{Rows: calls, Around: around, Whole: whole}), nil
}

func (c *Call) compare(o *Call) int {
	return cmp.Or(c.Caller.compare(o.Caller), cmp.Compare(c.At.Line, o.At.Line),
		cmp.Compare(c.At.LineOffset, o.At.LineOffset),
		cmp.Compare(c.At.Column, o.At.Column), c.Callee.compare(o.Callee), cmp.Compare(c.ID, o.ID))
}

// callsOf finds all calls, and adds up what they reach.
func (x *index) callsOf(ctx context.Context, of *selection) ([]*Call, error) {
	calls, at := x.findCalls()
	sites := make([]map[place]struct{}, len(calls))
	seen := make([]uint32, len(calls)) // the context that went through it last, from 1
	most := x.keptDepth(math.MaxInt32)
	for n, i := range of.ids {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		where, _ := x.place(i)
		class := of.classes[i]
		for node, left := x.contexts.stack[i], most; node >= 0 && left > 0; node, left = x.caller[node], left-1 {
			id := at[node]
			if id < 0 || seen[id] == i+1 {
				continue
			}
			seen[id] = i + 1
			c := &calls[id]
			x.contexts.addTo(&c.MemProfTotals, i)
			c.Classes[class].Contexts++
			c.Classes[class].Bytes.Add(x.contexts.get(i, memprof.TotalSize))
			if sites[id] == nil {
				sites[id] = map[place]struct{}{}
			}
			sites[id][where] = struct{}{}
		}
	}
	var list []*Call
	for i := range calls {
		c := &calls[i]
		if c.Contexts == 0 {
			continue
		}
		c.Sites = len(sites[i])
		classes, known := classSet(0), 0
		for class := range c.Classes {
			if c.Classes[class].Contexts > 0 {
				classes = classes.with(class)
				if analyze.MemProfClasses[class] != analyze.MemProfUnknown {
					known++
				}
			}
		}
		if c.Mixes, c.Clone = known > 1, classes.mixed(); c.Clone {
			c.Mixed = 1
		}
		list = append(list, c)
	}
	slices.SortFunc(list, (*Call).compare)
	return list, nil
}

// maxInlined is how many functions of an address a call lists.
const maxInlined = 64

// findCalls numbers the calls of the tree, and gives for each of its nodes the call
// that made it: -1 where the node is inlined, or a root.
func (x *index) findCalls() (calls []Call, at []int32) {
	at = make([]int32, len(x.frame))
	numbers := map[uint64]int32{}
	for i, frame := range x.frame {
		at[i] = -1
		if x.inline.Has(frame) || x.caller[i] < 0 {
			continue
		}
		callee := &x.functions[x.function[frame]]
		id := calltree.Address(0x63616c6c, callee.FID)
		c := Call{Callee: callee}
		for node := x.caller[i]; node >= 0; node = x.caller[node] {
			f := x.frame[node]
			function := &x.functions[x.function[f]]
			id = calltree.Address(calltree.Address(calltree.Address(id, function.FID),
				uint64(x.line[f])<<32|uint64(x.lineOffset[f])), uint64(x.column[f]))
			if x.inline.Has(f) && x.caller[node] >= 0 {
				if len(c.Inlined) < maxInlined {
					c.Inlined = append(c.Inlined, function)
				}
				continue
			}
			c.Caller = function
			c.At = CallPlace{analyze.ResolvePath(x.file(f)), x.line[f], x.lineOffset[f], x.column[f]}
			break
		}
		n, ok := numbers[id]
		if !ok {
			n = int32(len(calls))
			numbers[id] = n
			c.ID = id
			calls = append(calls, c)
		}
		at[i] = n
	}
	return calls, at
}
