package memprofdb

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// CallSite is a call on the way to an allocation, as an indexed profile has it of
// a function (memprof.md §3.8).
type CallSite struct {
	Index int `col:"index" width:"8" head:"#" is:"sort,up,key" help:"position in the file, from 0"`
	// that has it
	Function *Function    `col:"function" parts:"fid,function,linkage_name,guid" head:"Function" is:"sort,up,words"`
	Stack    Stack        `col:"stack" head:"Call" is:"words"`
	_        column       `help:"call and inlined frames, innermost first" as:"list StackFrame"`
	Depth    int          `col:"stack_depth" head:"Frames" is:"page,sort,range"`
	Callees  FunctionRefs `col:"callees" parts:"fid,function" is:"sort,range,words" help:"sorted by their number"`
}

// RecordedCalls is the table of call sites.
var RecordedCalls = table.Declare[CallSite](table.Declaration{
	Noun: "call site", Usual: "index", Sought: "function, callee or file", Least: "callees",
	Show: "index function stack callees",
})

// FindCallSites finds call sites. Where a query leaves them as they are, those of its
// page alone are read.
func (p *Profile) FindCallSites(ctx context.Context) (table.Find, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	var find table.Find
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		all := p.Overview.CallSites
		if q.Plain() {
			from, to := query.Clamp(q.Offset, q.Limit, all)
			rows, err := p.callSites(ctx, x, from, to)
			return table.Page{Set: table.Set{Rows: rows}, All: all, Matching: all}, err
		}
		if find == nil {
			rows, err := stored.Cached(ctx, p.Profile, "memprof call sites", func() ([]CallSite, int64, error) {
				rows, err := p.callSites(ctx, x, 0, all)
				return rows, int64(len(rows)) * 96, err
			})
			if err != nil {
				return table.Page{}, err
			}
			find = RecordedCalls.Within(table.Set{Rows: rows})
		}
		return find(ctx, q)
	}, nil
}

// callSites reads rows of the table.
func (p *Profile) callSites(ctx context.Context, x *index, from, to int) ([]CallSite, error) {
	table, err := p.Table("heap_call_site")
	if err != nil {
		return nil, err
	}
	rows := make([]CallSite, to-from)
	return rows, stored.Pick(ctx, table, len(rows), func(n int) int { return from + n + 1 },
		func(n int, row *btree.Row) error {
			stack := row.Int(2) - 1
			if stack >= int64(len(x.frame)) || stack < -1 {
				return stored.Damaged("call site %d has stack %d of %d", row.ID, stack+1, len(x.frame))
			}
			site := CallSite{Index: from + n, Function: x.byGUID(row.Uint(1)), Stack: Stack{x, int32(stack), MaxRowFrames}}
			for node := site.Stack.leaf; node >= 0 && site.Depth < MaxRowFrames; node = x.caller[node] {
				site.Depth++
			}
			for callees := range slices.Chunk(row.Bytes(3), 8) {
				if len(callees) == 8 {
					site.Callees = append(site.Callees, x.byGUID(binary.LittleEndian.Uint64(callees)))
				}
			}
			rows[n] = site
			return nil
		})
}

// wordsOf is what words are sought in: a function's name, or the number that stands
// for it.
func (f *Function) wordsOf() []byte {
	if f.Name != "" {
		return []byte(f.Name)
	}
	return fmt.Appendf(nil, "0x%016x", max(f.GUID, f.Address))
}

// byGUID is the function with a GUID, which need not be in any stack.
func (x *index) byGUID(guid uint64) *Function {
	if n, ok := x.byFID[guid]; ok {
		return &x.functions[n]
	}
	return &Function{FID: guid, GUID: guid, Module: -1}
}
