package memprofdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/calltree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Fold says what of call stacks is not shown. The zero value shows all.
type Fold struct {
	// Library is whose frames are left out: they belong to the frame that calls
	// them. Nil leaves none out.
	Library *analyze.Library
	// Recursion leaves out what stands between two calls of one function; see
	// calltree.Collapser.
	Recursion bool
}

// key tells folds apart in the cache.
func (f Fold) key() string {
	if f.Library == nil {
		return query.CacheKey(f.Recursion)
	}
	return query.CacheKey(f.Recursion, f.Library.Key())
}

// libraryFrames is what of a profile is a library's. It is immutable.
type libraryFrames struct {
	frames query.Bitset // by frame
	// blame is, by node of the tree of calls, the first one from there to the root
	// that is not the library's; -1 where all are.
	blame []int32
	short []string // by function: its name without return type and parameters
	// forCaller are the functions that allocate for what calls them; see analyze.ForCaller.
	forCaller query.Bitset
}

// framesOf finds the frames of a library, from the cache when that was done before.
func (p *Profile) framesOf(ctx context.Context, x *index, l *analyze.Library) (*libraryFrames, error) {
	return stored.Cached(ctx, p.Profile, "memprof library "+l.Key()+x.pair, func() (*libraryFrames, int64, error) {
		found := &libraryFrames{
			frames: query.NewBitset(len(x.function)), blame: make([]int32, len(x.frame)),
			short: make([]string, len(x.functions)), forCaller: query.NewBitset(len(x.functions)),
		}
		size := int64(len(x.frame))*4 + int64(len(x.function))/8
		modules, err := p.Modules(ctx)
		if err != nil {
			return nil, 0, err
		}
		inModule := once(len(modules), func(m uint32) bool {
			return l.HasPath(modules[m].Path) || l.HasPath(modules[m].File)
		})
		functions := make([]bool, len(x.functions))
		for i := range x.functions {
			if i%stored.CheckEvery == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			f := &x.functions[i]
			found.short[i] = names.Demangle(f.Name, names.Short)
			size += int64(len(found.short[i])) + 16
			if analyze.ForCaller(found.short[i]) {
				found.forCaller.Set(uint32(i))
			}
			functions[i] = l.HasFunction(found.short[i]) || f.Module >= 0 && f.Module < len(modules) &&
				inModule(uint32(f.Module))
		}
		file := once(len(x.files), func(node uint32) bool { return l.HasPath(x.files[node]) })
		for i := range uint32(len(x.function)) {
			if functions[x.function[i]] || x.path[i] >= 0 && file(uint32(x.path[i])) {
				found.frames.Set(i)
			}
		}
		for i, frame := range x.frame { // callers stand before what they call
			found.blame[i] = int32(i)
			if found.frames.Has(frame) {
				found.blame[i] = -1
				if x.caller[i] >= 0 {
					found.blame[i] = found.blame[x.caller[i]]
				}
			}
		}
		return found, size, ctx.Err()
	})
}

// user is the function that the one at a node of the tree of calls allocates for: the first
// caller that is not the library's and does not itself allocate for its caller; -1 for none.
func (l *libraryFrames) user(x *index, node int32) int {
	if !l.forCaller.Has(x.function[x.frame[node]]) {
		return -1
	}
	for at := x.caller[node]; at >= 0; at = x.caller[at] {
		if frame := x.frame[at]; !l.frames.Has(frame) && !l.forCaller.Has(x.function[frame]) {
			return int(x.function[frame])
		}
	}
	return -1
}

// before is how many library frames a stack has before its blame frame; 0 where it has no
// such frame.
func (l *libraryFrames) before(x *index, stack int32) (n int) {
	if stack < 0 || l.blame[stack] < 0 {
		return 0
	}
	for at := stack; at != l.blame[stack]; at = x.caller[at] {
		n++
	}
	return n
}

// folder leaves frames out of stacks. It is for one goroutine.
type folder struct {
	x         *index
	folds     query.Bitset        // by frame; nil leaves none out
	recursion *calltree.Collapser // nil keeps it
}

func (p *Profile) folder(ctx context.Context, x *index, f Fold) (*folder, error) {
	fold := &folder{x: x}
	if f.Library != nil {
		l, err := p.framesOf(ctx, x, f.Library)
		if err != nil {
			return nil, err
		}
		fold.folds = l.frames
	}
	if f.Recursion {
		fold.recursion = calltree.NewCollapser(len(x.functions))
	}
	return fold, nil
}

// append appends the functions of a stack, the root first, and whether each is inlined
// into its caller. A stack of nothing but library frames keeps its outermost one.
func (f *folder) append(list []uint32, inline []bool, stack int32) ([]uint32, []bool) {
	x, from, outermost := f.x, len(list), int32(-1)
	for at := stack; at >= 0; at = x.caller[at] {
		outermost = at
		if f.folds != nil && f.folds.Has(x.frame[at]) {
			continue
		}
		list, inline = append(list, x.function[x.frame[at]]), append(inline, x.inline.Has(x.frame[at]))
	}
	if len(list) == from && outermost >= 0 {
		return append(list, x.function[x.frame[outermost]]), append(inline, x.inline.Has(x.frame[outermost]))
	}
	slices.Reverse(list[from:])
	slices.Reverse(inline[from:])
	return f.recursion.Collapse(list, inline, from)
}
