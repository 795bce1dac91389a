package memprofdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze/sources"
	"proflens/decode/memprof"
	"proflens/profile/lines"
	"proflens/profile/stored"
)

// The columns of lines, in this order.
var lineColumns = []lines.Column{
	{Key: "bytes", Label: "Bytes", Title: "allocated on the line itself", Bytes: true},
	{Key: "allocations", Label: "Allocations", Title: "made on the line itself"},
	{
		Key: "through_bytes", Label: "Bytes through", Title: "allocated by call stacks that pass the line", Bytes: true,
		Shared: true,
	},
}

// mostCallers is more frames than the runtime records, with all that is inlined.
const mostCallers = 4096

const (
	lineBytes = iota
	lineAllocations
	lineThrough
)

// Lines are bytes and allocations by line of the frames; nil where no frame has one.
func (p *Profile) Lines(ctx context.Context) (*lines.Table, error) {
	return stored.Cached(ctx, p.Profile, "memprof lines", func() (*lines.Table, int64, error) {
		x, err := p.index(ctx)
		if err != nil {
			return nil, 0, err
		}
		t := x.lines()
		if t == nil {
			return nil, 0, nil
		}
		return t, t.Bytes(), nil
	})
}

// lines adds up contexts by the lines of their frames: those of the leaf, and those of all
// on the way, of which each counts once a stack.
func (x *index) lines() *lines.Table {
	if !slices.ContainsFunc(x.line, func(n uint32) bool { return n > 0 }) {
		return nil
	}
	b := lines.New(lineColumns...)
	through := make([]uint64, len(x.frame)) // by node, with what it calls
	for i := range uint32(len(x.contexts.stack)) {
		stack := x.contexts.stack[i]
		if stack < 0 {
			continue
		}
		size := x.contexts.get(i, memprof.TotalSize)
		through[stack] += size
		if file, line, ok := x.lineOf(stack); ok {
			b.Add(file, line, lineBytes, size)
			b.Add(file, line, lineAllocations, x.contexts.get(i, memprof.AllocCount))
		}
	}
	order := make([]int32, len(x.frame))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(x.depth[b], x.depth[a]) })
	for _, node := range order {
		if caller := x.caller[node]; caller >= 0 {
			through[caller] += through[node]
		}
	}
	for _, node := range order {
		file, line, ok := x.lineOf(node)
		if !ok || through[node] == 0 {
			continue
		}
		sameFile, sameLine := false, false
		for up, n := x.caller[node], 0; up >= 0 && !sameLine && n < mostCallers; up, n = x.caller[up], n+1 {
			if over, at, ok := x.lineOf(up); ok && over == file {
				sameFile, sameLine = true, at == line
			}
		}
		if !sameLine {
			b.AddLine(file, line, lineThrough, through[node])
		}
		if !sameFile {
			b.AddFile(file, lineThrough, through[node])
		}
	}
	return b.Table()
}

// lineOf is the file and line of a node of the tree of calls.
func (x *index) lineOf(node int32) (file string, line uint32, ok bool) {
	frame := x.frame[node]
	line = x.line[frame]
	if line == 0 || x.path[frame] < 0 {
		return "", 0, false
	}
	return x.files[x.path[frame]], line, true
}

// AtLine are the functions that have a frame on a line, with the bytes allocated by call
// stacks that pass it there: most first, at most limit; and how many there are.
func (p *Profile) AtLine(ctx context.Context, file string, line uint32,
	limit int) (list []LineFunction, all int, err error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, 0, err
	}
	seen := map[uint32]int{}
	frames := map[uint32]bool{}
	for i := range x.line {
		if x.line[i] == line && x.path[i] >= 0 && sources.Clean(x.files[x.path[i]]) == file {
			frames[uint32(i)] = true
		}
	}
	for i := range uint32(len(x.contexts.stack)) {
		size := x.contexts.get(i, memprof.TotalSize)
		node := x.contexts.stack[i]
		for n := 0; node >= 0 && n < mostCallers; node, n = x.caller[node], n+1 {
			frame := x.frame[node]
			if !frames[frame] {
				continue
			}
			function := x.function[frame]
			n, ok := seen[function]
			if !ok {
				n = len(list)
				seen[function] = n
				list = append(list, LineFunction{Function: &x.functions[function]})
			}
			if list[n].last != i+1 {
				list[n].Through += size
				list[n].last = i + 1
			}
		}
	}
	slices.SortStableFunc(list, func(a, b LineFunction) int { return cmp.Compare(b.Through, a.Through) })
	return list[:min(len(list), limit)], len(list), nil
}

// LineFunction is a function with a frame on a line.
type LineFunction struct {
	*Function
	Through uint64 // bytes of the call stacks that pass the line in it
	last    uint32 // the context that was added last, plus one
}
