package llvm

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// recogniseMapped is of a file that stands beside profiles for its coverage mapping
// alone.
func recogniseMapped(name string, is model.Format) format.Recognised {
	r := format.Recognised{Format: coffFormat, Describe: "a Windows object file (COFF)", Companion: &program{mapped: true}}
	switch is {
	case covmap.FormatWasm:
		r.Format, r.Describe = wasmFormat, "a WebAssembly module"
	case covmap.FormatArchive:
		r.Format, r.Describe = archiveFormat, "an archive of object files"
	case covmap.FormatTesting:
		r.Format, r.Describe = testingFormat, "LLVM coverage mapping data"
	}
	r.Err = format.Foreign(name, r.Describe, format.RunIt, model.KindUnrecognizedFormat)
	return r
}

// claimsPrograms makes counters, and heaps of which a program has the lines, claim programs
// that say on which lines their functions are: with debug info or, unless IR was
// instrumented, a coverage mapping. Most they claim that which they name by build id.
func claimsPrograms(r format.Recognised, info *instrprof.Info) format.Recognised {
	if !info.Has(instrprof.Family) && info.MemProfSection.Size == 0 && r.Format != memprofYAMLFormat {
		return r
	}
	maps := mappable(info)
	r.Complete = true
	r.Claim = func(c *format.Recognised) format.Claim {
		exe, ok := c.Companion.(*program)
		switch {
		case !ok:
			return format.NoClaim
		case slices.ContainsFunc(exe.ids, func(id []byte) bool { return len(id) > 0 && hasID(info, id) }):
			return format.Fits
		case !exe.debug && !(exe.mapped && maps):
			return format.NoClaim
		case exe.mapped && maps:
			return format.Prefers
		}
		return format.Welcomes
	}
	return r
}

func mappable(info *instrprof.Info) bool {
	return info.Has(instrprof.Family) && !info.Variant.Has(instrprof.IRProf)
}

func hasID(info *instrprof.Info, id []byte) bool {
	return slices.ContainsFunc(info.BinaryIDs, func(own []byte) bool { return bytes.Equal(own, id) })
}

// countersOf is what a file says of the counters in it, nothing where there are none.
func countersOf(f format.File) (info instrprof.Info) {
	switch {
	case f.Is.Is(instrprof.FormatRaw) && !f.Is.Empty:
		peek, _ := instrprof.PeekRaw(f.Data, uint64(len(f.Data)))
		info = peek.Info
	case f.Is.Is(instrprof.FormatIndexed):
		info, _ = instrprof.PeekIndexed(f.Data)
	case f.Is.Is(instrprof.FormatText):
		if t, err := instrprof.OpenText(f.Data, nil); err == nil {
			info = *t.Info()
		}
	}
	return info
}

// frontEnd reports whether a file has counters that a coverage mapping may be for.
func frontEnd(f format.File) bool { return mappable(new(countersOf(f))) }

// openMapping reads the program's coverage mapping, as much of it as is whole.
func (c *companion) openMapping(f format.File, allowance *wire.Allowance) {
	c.mapped, c.unmapped = covmap.OpenAll(f.Name, f.Data, covmap.Options{Lenient: true, Allowance: allowance})
}

// unmapped is the finding about a program whose coverage mapping cannot be read: a
// note where another's can.
func (o *opener) unmapped(f format.File, c *companion) model.Finding {
	found := format.FindingOf(f.Name, f.Is.Format.InFile(f.Name, c.unmapped))
	found.Code, found.Severity = "coverage."+string(found.Kind), model.Error
	if found.Kind != model.KindNoCoverage {
		found.Message = "the coverage mapping cannot be read: " + found.Message
		return found
	}
	found.Code, found.Severity = "coverage.no_mapping", model.Warning
	for _, other := range o.companions {
		if len(other.mapped) > 0 {
			found.Severity = model.Note
		}
	}
	if c.image != nil && c.image.HasDebugInfo() {
		found.Severity = model.Note // it has the lines of functions
	}
	found.Cause, found.Remedy = "the program was compiled without -fcoverage-mapping, or llvm-strip took the mapping out",
		"give the program as it was linked, compiled with -fprofile-instr-generate -fcoverage-mapping; to make it "+
			"smaller, use llvm-strip --strip-debug"
	return found
}

// addCoverage adds the part of a profile whose program has a coverage mapping. The
// program's build id joins those of a profile that has none.
func (o *opener) addCoverage() {
	source, ok := format.PartOf[instrprof.Source](o.profile)
	if !ok {
		return
	}
	r := &covmap.Records{Counters: source}
	var ids [][]byte
	for i, f := range o.files {
		c := o.companions[i]
		if c == nil || len(c.mapped) == 0 {
			continue
		}
		known := source.Info().BinaryIDs
		for _, object := range c.mapped {
			o.profile.Find(damagedMapping(f, object)...)
			if len(object.BuildID) > 0 && len(ids) < maxObjectIDs {
				ids = append(ids, object.BuildID)
			}
		}
		if id := c.mapped[0].BuildID; len(id) > 0 && len(known) > 0 &&
			!slices.ContainsFunc(c.mapped, func(object *covmap.Object) bool { return hasID(source.Info(), object.BuildID) }) {
			o.profile.Find(model.Finding{Severity: model.Warning, Code: "coverage.build_id", Kind: model.KindIncompatible,
				File: f.Name,
				Message: fmt.Sprintf("%s is another program, of build id %x; that which ran has %x: no line of a function that "+
					"differs can be told", f.Name, id, known[0]),
				Expected: fmt.Sprintf("build id %x", known[0]), Found: fmt.Sprintf("build id %x", id),
				Cause: "the program was rebuilt after the profile was recorded", Remedy: "give the program that ran"})
		}
		r.Objects = append(r.Objects, c.mapped...)
	}
	if len(r.Objects) == 0 {
		return
	}
	o.profile.Add(covmap.Family, r)
	o.profile.Info.Families = append(o.profile.Info.Families, covmap.Family)
	if len(source.Info().BinaryIDs) == 0 {
		slices.SortFunc(ids, bytes.Compare)
		o.profile.Info.BinaryIDs = slices.CompactFunc(ids, bytes.Equal)
	}
}

// maxObjectIDs bounds the build ids that members of archives add to a profile.
const maxObjectIDs = 64

// maxNamed is how many of the damaged records of a mapping are named after the first.
const maxNamed = 5

// damagedMapping is the finding about records of a mapping that were left out.
func damagedMapping(f format.File, object *covmap.Object) []model.Finding {
	if len(object.Faults) == 0 {
		return nil
	}
	found := format.FindingOf(f.Name, f.Is.Format.InFile(f.Name, object.Faults[0].Err))
	found.Code, found.Severity, found.Count = "coverage.damaged", model.Warning, uint64(len(object.Faults))
	verb := "are"
	if len(object.Faults) == 1 {
		verb = "is"
	}
	found.Message = fmt.Sprintf("%s of the coverage mapping of %s %s damaged and left out: %s",
		wire.Plural(len(object.Faults), "record"), object.Name, verb, object.Faults[0].Said())
	if more := object.Faults[1:]; len(more) > 0 {
		var names []string
		for _, fault := range more[:min(len(more), maxNamed)] {
			if fault.Function != "" {
				names = append(names, fault.Function)
			}
		}
		if len(names) > 0 {
			found.Message += "; also " + strings.Join(names, ", ")
		}
	}
	return []model.Finding{found}
}
