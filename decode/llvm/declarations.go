package llvm

import (
	"context"
	"maps"
	"slices"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// lined reports whether a file has functions whose lines a program tells: counters, or the
// call stacks of a heap by name and lines below the first.
func lined(f format.File) bool {
	info := countersOf(f)
	return info.Has(instrprof.Family) || info.MemProfSection.Size > 0 || f.Is.Is(memprof.FormatYAML)
}

// onlyLines reports whether the programs among the files are of use for lines alone: no
// profile needs one for anything else.
func (o *opener) onlyLines() bool {
	return slices.ContainsFunc(o.files, lined) && !slices.ContainsFunc(o.files, correlated) &&
		!slices.ContainsFunc(o.files, rawMemProf)
}

// declares reports whether a program has the lines of the functions that were counted.
// Beside a profile that needs one of its own, it must be that which the counters name.
func (o *opener) declares(c *companion) bool {
	if c.image == nil || !c.image.HasDebugInfo() {
		return false
	}
	return o.onlyLines() || o.isOwn(c)
}

// withoutLines is the finding about a program that says nothing of lines: it has no debug
// info, or cannot be read.
func withoutLines(f format.File, c *companion) model.Finding {
	if c.unread != nil {
		found := format.FindingOf(f.Name, f.Is.Format.InFile(f.Name, c.unread))
		found.Code, found.Message = "lines."+string(found.Kind),
			"the program cannot be read, and its functions have no line: "+found.Message
		return found
	}
	return undeclared(f.Name, "no debug info", "the program was compiled without -g, or stripped")
}

// undeclared is the finding about the right program where it has no lines of its functions.
func undeclared(name, has, cause string) model.Finding {
	return model.Finding{Severity: model.Note, Code: "lines.no_debug_info", Kind: model.KindUnableToSymbolize, File: name,
		Message: name + " has " + has + ": no function has its line",
		Cause:   cause, Remedy: "compile with -g or -gline-tables-only, Rust with CARGO_PROFILE_RELEASE_DEBUG=1, " +
			"record again, and give the program as it was linked"}
}

// addDeclarations lets the parts of the profile ask programs with debug info for the lines
// of their functions.
func (o *opener) addDeclarations() {
	var programs []*companion
	for _, i := range slices.Sorted(maps.Keys(o.companions)) {
		c, f := o.companions[i], o.files[i]
		switch {
		case c.image == nil || !c.image.HasDebugInfo():
		case o.isOther(c) && !c.used():
			if len(c.mapped) == 0 && c.unmapped == nil { // else it is said where a mapping was looked for
				o.profile.Find(o.otherProgram(f, c))
			}
		default:
			programs = append(programs, c)
		}
	}
	if len(programs) == 0 {
		return
	}
	o.profile.Declared = func(ctx context.Context, wanted func([]byte) bool,
		visit func(model.Declaration)) (found []model.Finding, err error) {
		for _, c := range programs {
			declared := false
			s, err := c.symbolizer()
			if err == nil {
				err = s.Declarations(ctx, wanted, func(d model.Declaration) {
					declared = true
					visit(d)
				})
			}
			if err == nil && !declared && o.isOwn(c) {
				found = append(found, undeclared(c.input.Name, "debug info of libraries alone",
					"the program itself was compiled without -g; a library in it has debug info, such as Rust's"))
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			found = append(found, damagedDebugInfo(c, s, err)...)
		}
		return found, nil
	}
}

// symbolizer is that of the program: the one that heap profiles share, where it is.
func (c *companion) symbolizer() (*symbol.Symbolizer, error) {
	if c.program != nil {
		return c.program.Symbolizer()
	}
	return symbol.NewSymbolizer(c.image)
}

// damagedDebugInfo is the finding about debug info of which a part, or all, cannot be read.
func damagedDebugInfo(c *companion, s *symbol.Symbolizer, err error) []model.Finding {
	if s != nil && err == nil {
		for _, fault := range s.Faults() {
			err = fault
			break
		}
	}
	if err == nil || c.program != nil && c.program.Used() {
		return nil // what heap profiles say of it
	}
	return []model.Finding{{Severity: model.Warning, Code: "lines.debug_info", Kind: model.KindOf(err), File: c.input.Name,
		Message: "a part of the debug info cannot be read, and its functions have no line: " + err.Error()}}
}
