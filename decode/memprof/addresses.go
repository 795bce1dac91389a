package memprof

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/model"
)

// addresses is the profile without debug info: every context by module and address, or
// by the names that symbol tables have. given says that the executable was there.
func (r *Raw) addresses(ctx context.Context, places []loaded, given bool) (*Profile, error) {
	b := newBuilder(FormatRaw, r.version, r.size)
	index := newModuleIndex(r.modules)
	pcs := map[uint64]uint32{}
	counts := map[int32]int{} // addresses of each module that have no name
	named := 0
	var frames []uint32
	empty := uint64(0)
	b.profile.Contexts = make([]Context, 0, len(r.sites))
	for i := range r.sites {
		site := &r.sites[i]
		if i%ctxEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		frames = frames[:0]
		leaf, runtime := uint32(0), false // of the runtime
		for s := site.stack; len(s) > 0; s = s[8:] {
			address := binary.LittleEndian.Uint64(s)
			frame, ok := pcs[address]
			if !ok {
				module := index.of(address)
				f := r.located(address, module)
				if name := nameAt(places, module, address); name != "" {
					f = Frame{Function: model.GUID(name), Name: name, Module: -1}
					named++
				} else {
					counts[module]++
				}
				frame = b.frame(f)
				pcs[address] = frame
			}
			if len(frames) == 0 && isRuntime(b.profile.Frames[frame].Name) {
				leaf, runtime = frame, true
				continue
			}
			frames = append(frames, frame)
		}
		if len(frames) == 0 && runtime {
			frames = append(frames, leaf)
		}
		if len(frames) == 0 {
			empty++
			continue
		}
		b.site(b.stack(frames), site, r.isCut(site))
	}
	p := b.profile
	p.Dumps, p.Modules = r.dumps, r.modules
	p.Findings = append(slices.Clone(r.findings), r.unsymbolized(counts, given, named))
	r.countTruncated(p)
	if empty > 0 {
		b.find(model.Warning, "no_stack", empty, "%s an empty call stack and %s out",
			model.Amount(empty, "MIB has", "MIBs have"), model.Left(empty))
	}
	return p, nil
}

// nameAt is the function of an address by the symbol table of its module's program;
// empty where there is none.
func nameAt(places []loaded, module int32, address uint64) string {
	if module < 0 || places[module].program == nil {
		return ""
	}
	l := places[module]
	symbolizer, err := l.program.Symbolizer()
	if err != nil {
		return ""
	}
	name, _, _, _ := symbolizer.Symbol(address - l.bias)
	return model.CanonicalName(name)
}

// isRuntime reports whether a symbol is of the runtime's allocation functions, whose files
// debug info would name; see runtimeFiles.
func isRuntime(name string) bool {
	name = strings.TrimPrefix(strings.TrimLeft(name, "_"), "interceptor_")
	switch name {
	case "malloc", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc":
		return true
	}
	return strings.HasPrefix(name, "memprof_") || strings.HasPrefix(name, "Znw") || strings.HasPrefix(name, "Zna")
}

// located is the frame of an address: where it is in its module's file.
func (r *Raw) located(address uint64, module int32) Frame {
	f := Frame{Module: module, Address: address}
	if module >= 0 {
		m := &r.modules[module]
		f.Address -= m.Offset
		if r.version < 3 {
			f.Address = address - m.Start + m.Offset
		}
	}
	return f
}

// unsymbolized is the finding that asks for the executable, by build ID where
// the profile has them: that of the main program, which comes first, and then
// of the modules with most addresses.
func (r *Raw) unsymbolized(counts map[int32]int, given bool, named int) model.Finding {
	f := model.Finding{Severity: model.Warning, Code: "memprof.unsymbolized", Kind: model.KindUnsymbolized,
		Message: "the profile has addresses but no functions: contexts are shown by module and address",
		Cause:   "a raw profile has no function names; its executable has them",
		Remedy:  "give the executable that ran, or its debug info"}
	if given {
		f.Message = "the executable has no debug info for the addresses of the profile: contexts are shown by module and " +
			"address"
		f.Cause = "the program was stripped, or built without -gmlt"
		f.Remedy = "give the executable as it was linked, or its separate debug info; build with -gmlt " +
			"-fdebug-info-for-profiling"
	}
	if named > 0 {
		f.Message = "the executable has no debug info for the addresses of the profile: functions have the names of its " +
			"symbol table, without lines and without what was inlined"
		if len(counts) > 0 {
			f.Message += "; other addresses have no name"
		}
	}
	var own string
	var libraries []string
	for i := range r.modules {
		id := fmt.Sprintf("%x", r.modules[i].BuildID)
		switch {
		case id == "":
		case i == 0:
			own = id
		case counts[int32(i)] > 0 && len(libraries) < 2:
			libraries = append(libraries, id)
		}
	}
	switch {
	case own != "":
		f.Expected = "build ID " + own
		f.Remedy += ": build ID " + own
	case r.version >= 3 && !given:
		f.Message = "the program has no build ID, so its functions cannot be found: contexts are shown by module and address"
		f.Cause = "the program was linked without one, by which a raw profile names programs"
		f.Remedy = "link with -Wl,--build-id and record again"
	}
	if len(libraries) > 0 {
		f.Remedy += "; libraries in its call stacks have " + strings.Join(libraries, ", ")
	}
	return f
}
