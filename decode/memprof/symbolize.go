package memprof

import (
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// runtimeFiles are the source files of the runtime's allocation functions,
// whose frames are no part of a context (memprof.md §2.3).
var runtimeFiles = map[string]bool{
	"memprof_malloc_linux.cpp": true, "memprof_interceptors.cpp": true, "memprof_new_delete.cpp": true,
}

// Profile makes a profile of what was recorded. With the executables it has
// functions, as llvm-profdata has them (memprof.md §2): what they do not know
// is left out. Without, or when their debug info knows nothing, it has addresses, and a
// finding that asks for them; what a symbol table names has that name.
//
// The error is the context's, or about the debug info of an executable.
func (r *Raw) Profile(ctx context.Context, programs []*Program) (*Profile, error) {
	places := locate(r.modules, r.version, programs)
	if anyProgram(places) {
		p, err := r.symbolized(ctx, places)
		if p != nil || err != nil {
			return p, err
		}
	}
	p, err := r.addresses(ctx, places, slices.ContainsFunc(programs, (*Program).Used))
	for _, program := range programs {
		if p != nil && program.used && program.symbolizer != nil && !program.told {
			program.told = true
			p.Findings = append(p.Findings, program.findings()...)
		}
	}
	return p, err
}

func anyProgram(places []loaded) bool {
	return slices.ContainsFunc(places, func(l loaded) bool { return l.program != nil })
}

// symbolizing makes functions of addresses.
type symbolizing struct {
	*builder
	raw    *Raw
	places []loaded
	index  moduleIndex
	pcs    map[uint64]int32 // of known
	known  []pc
	frames []uint32         // of all known, those of each together
	lost   map[int32]uint64 // addresses of a module that nothing is known of
}

// pc is what is known of one address.
type pc struct {
	first, end  int32   // in frames: leaf first; equal when it is left out
	stack       StackID // of these frames alone
	leaf, outer bool    // its call sites have been added: all, or all but that of the leaf frame
}

// ctxEvery is how many stacks pass between two looks at the context.
const ctxEvery = 1024

// symbolized is the profile with functions, or nil when there are none.
func (r *Raw) symbolized(ctx context.Context, places []loaded) (*Profile, error) {
	s := &symbolizing{
		builder: newBuilder(FormatRaw, r.version, r.size), raw: r, places: places,
		index: newModuleIndex(r.modules), pcs: map[uint64]int32{}, lost: map[int32]uint64{},
	}
	records := newRecords(s)
	dropped := uint64(0)
	var frames []uint32
	var stack []int32
	s.profile.Contexts = make([]Context, 0, len(r.sites))
	for i := range r.sites {
		site := &r.sites[i]
		if i%ctxEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		frames, stack = frames[:0], stack[:0]
		for b := site.stack; len(b) > 0; b = b[8:] {
			n, err := s.pc(binary.LittleEndian.Uint64(b))
			if err != nil {
				return nil, err
			}
			if p := s.known[n]; p.first < p.end {
				stack = append(stack, n)
				frames = append(frames, s.frames[p.first:p.end]...)
			}
		}
		if len(stack) == 0 {
			dropped++
			continue
		}
		whole, err := s.inlined(frames)
		if err != nil {
			return nil, err
		}
		records.add(s.site(whole, site, r.isCut(site)), frames, stack)
	}
	if len(s.profile.Contexts) == 0 {
		return nil, nil
	}
	records.finish()
	p := s.profile
	p.Symbolized, p.Dumps, p.Modules, p.StackIDs = true, r.dumps, r.modules, r.stackIDs
	p.Findings = append(slices.Clone(r.findings), s.findings(dropped)...)
	r.countTruncated(p)
	return p, nil
}

// pc is the number of an address, whose frames are found when it is new.
func (s *symbolizing) pc(address uint64) (int32, error) {
	if n, ok := s.pcs[address]; ok {
		return n, nil
	}
	n := int32(len(s.known))
	s.pcs[address] = n
	first := int32(len(s.frames))
	if err := s.symbolize(address); err != nil {
		return 0, err
	}
	p := pc{first: first, end: int32(len(s.frames)), stack: NoStack}
	if p.first < p.end {
		var err error
		if p.stack, err = s.inlined(s.frames[p.first:p.end]); err != nil {
			return 0, err
		}
	}
	s.known = append(s.known, p)
	return n, nil
}

// frameBytes is what a frame of a stack takes in memory, and its place in an index.
const frameBytes = 20

// inlined is the stack of frames, which is of the allowance: an address of eight
// bytes may be in a hundred functions that were inlined into each other.
func (s *symbolizing) inlined(frames []uint32) (StackID, error) {
	before := len(s.profile.Stacks)
	id := s.stack(frames)
	if allowed := s.raw.allowance; !allowed.Take(frameBytes * uint64(len(s.profile.Stacks)-before)) {
		return 0, &model.FormatError{Kind: model.KindTooLarge, Section: "stacks",
			Msg:      "the call stacks have more frames, with those that were inlined, than any real profile of this size",
			Expected: allowed.Most(), Found: wire.Plural(len(s.profile.Stacks), "frame")}
	}
	return id, nil
}

// symbolize adds the frames of an address, or none.
func (s *symbolizing) symbolize(address uint64) error {
	module := s.index.of(address)
	if module < 0 || s.places[module].program == nil {
		s.lost[module]++
		return nil
	}
	l := s.places[module]
	symbolizer, err := l.program.Symbolizer()
	if err != nil {
		return err
	}
	frames := symbolizer.Frames(address - l.bias)
	if len(frames) == 0 || frames[0].Function == "" {
		s.lost[module]++
		return nil
	}
	if runtimeFiles[path.Base(frames[0].File)] {
		return nil
	}
	for i, f := range frames {
		name := model.CanonicalName(f.Function)
		s.frames = append(s.frames, s.frame(Frame{
			Function: model.GUID(name), LineOffset: f.Line - f.StartLine, Column: f.Column, Inline: i+1 < len(frames),
			Name: name, File: f.File, Line: f.Line, Discriminator: f.Discriminator, Module: -1,
		}))
	}
	return nil
}

// findings say what was left out.
func (s *symbolizing) findings(dropped uint64) []model.Finding {
	var list []model.Finding
	var addresses uint64
	var where []string
	without := "" // which of the modules without a build ID is said
	for module, n := range s.lost {
		addresses += n
		if module < 0 || s.places[module].program != nil {
			continue
		}
		switch m := &s.raw.modules[module]; {
		case len(m.BuildID) > 0:
			where = append(where, fmt.Sprintf("%x", m.BuildID))
		case s.raw.version < 3: // of which none has an ID
		case module == 0:
			without = "the program"
		case without == "":
			without = "a library"
		}
	}
	if addresses > 0 {
		f := model.Finding{Severity: model.Note, Code: "memprof.addresses_left_out", Count: addresses,
			Message: model.Amount(addresses, "address has", "addresses have") +
				" no function in the executables that were given, and " + model.Left(addresses) +
				" out of the call stacks, as llvm-profdata leaves them out"}
		if len(where) > 0 {
			slices.Sort(where)
			f.Remedy = "for more complete stacks, also upload the binary with build ID " +
				strings.Join(slices.Compact(where), ", ") + ", with debug info"
		}
		if without != "" {
			f.Message += "; " + without + " has no build ID, so its functions cannot be found"
			if f.Remedy != "" {
				f.Remedy += "; "
			}
			f.Remedy += "link with -Wl,--build-id and record again"
		}
		list = append(list, f)
	}
	if dropped > 0 {
		list = append(list, model.Finding{Severity: model.Note, Code: "memprof.contexts_left_out", Count: dropped,
			Message: model.Amount(dropped, "allocation context has", "allocation contexts have") +
				" no function in the call stack and " + model.Left(dropped) + " out"})
	}
	if s.raw.version < 3 {
		list = append(list, model.Finding{Severity: model.Note, Code: "memprof.no_build_ids",
			Message: fmt.Sprintf("raw MemProf version %d has no build IDs, so the executable cannot be verified",
				s.raw.version)})
	}
	for _, l := range s.places {
		if l.program != nil && l.program.symbolizer != nil && !l.program.told {
			l.program.told = true
			list = append(list, l.program.findings()...)
		}
	}
	return list
}

// findings are what is wrong with the debug info, told once.
func (p *Program) findings() []model.Finding {
	var list []model.Finding
	missing := p.symbolizer.MissingSplits()
	for _, err := range p.symbolizer.Faults() {
		if model.KindOf(err) == model.KindUnableToSymbolize {
			continue // that debug info is missing, which is said of the addresses, or below
		}
		list = append(list, model.Finding{Severity: model.Warning, Code: "elf.debug_info", Kind: model.KindOf(err),
			File:    p.Image.Name,
			Message: "a part of the debug info cannot be read, and its functions are missing: " + err.Error()})
	}
	if len(missing) > 0 {
		list = append(list, model.Finding{Severity: model.Warning, Code: "elf.split_debug_info", File: p.Image.Name,
			Count: uint64(len(missing)),
			Message: "the debug info of " + wire.Plural(len(missing), "compilation unit") +
				" was split off into files of their own",
			Remedy: "give also the .dwp package of the program, or " + strings.Join(missing[:min(len(missing), 5)], ", ")})
	}
	return list
}

// moduleIndex finds the module that an address is in.
type moduleIndex struct {
	modules []Module
	order   []int32 // by Start
}

func newModuleIndex(modules []Module) moduleIndex {
	x := moduleIndex{modules: modules, order: make([]int32, len(modules))}
	for i := range x.order {
		x.order[i] = int32(i)
	}
	slices.SortStableFunc(x.order, func(a, b int32) int {
		switch {
		case modules[a].Start < modules[b].Start:
			return -1
		case modules[a].Start > modules[b].Start:
			return 1
		}
		return 0
	})
	return x
}

// of is the module of an address, -1 when it is in none. Start < pc ≤ End is
// LLVM's rule: no call has its address before it.
func (x moduleIndex) of(address uint64) int32 {
	i := sort.Search(len(x.order), func(i int) bool { return x.modules[x.order[i]].Start >= address })
	if i == 0 || address > x.modules[x.order[i-1]].End {
		return -1
	}
	return x.order[i-1]
}
