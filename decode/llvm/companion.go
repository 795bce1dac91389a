package llvm

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// companion is an executable among the files of a profile.
type companion struct {
	image      *symbol.Image         // the first of a fat file; nil for none that can be read
	unread     error                 // why it cannot
	correlator *instrprof.Correlator // nil where no profile left its records in a program
	program    *memprof.Program      // nil where no heap profile wants one, for split debug info, and for what is no ELF
	mapped     []*covmap.Object      // none where no profile has use for a mapping
	unmapped   error                 // why there are none though one has
	input      format.Input
}

// companions opens the executables that stand beside a raw heap profile, or counters,
// which may have left their records in one and may be of lines that it knows, by index of
// the file. Without such a profile there are none: then an executable is a wrong file
// like any other.
func companions(ctx context.Context, files []format.File, o *format.Options) (map[int]*companion, error) {
	correlate, heap, mapping := slices.ContainsFunc(files, correlated), slices.ContainsFunc(files, rawMemProf),
		slices.ContainsFunc(files, frontEnd)
	counted := slices.ContainsFunc(files, lined)
	if !correlate && !heap && !counted {
		return nil, nil
	}
	found := map[int]*companion{}
	for i, f := range files {
		_, unread := f.Is.Companion.(format.UnreadProgram)
		onlyMapped := f.Is.Is(covmap.FormatCOFF, covmap.FormatWasm, covmap.FormatArchive, covmap.FormatTesting)
		switch {
		case unread && (correlate || heap), onlyMapped && !mapping && (correlate || heap),
			isProgram(f) && !f.Is.Is(symbol.FormatELF) && !correlate && !counted:
			fault := unreadProgram(f, correlate)
			if !f.Optional {
				return nil, fault
			}
			found[i] = &companion{input: format.NewInput(f), unread: fault}
			continue
		case !isProgram(f) && !(onlyMapped && mapping):
			continue
		}
		c := &companion{input: format.NewInput(f)}
		rec := o.Recorder()
		if !onlyMapped {
			images, err := symbol.OpenProgram(f.Name, f.Data, rec)
			switch {
			case err == nil:
				c.image, c.input.Info = images[0], *images[0].Info()
			case (correlate || heap) && !f.Optional:
				return nil, f.Is.Format.InFile(f.Name, err)
			default:
				c.unread = err
			}
			if correlate && err == nil {
				c.correlator = instrprof.NewCorrelator(ctx, images)
			}
		}
		if mapping {
			c.openMapping(f, rec.Allowance)
		}
		c.input.Keep(rec)
		found[i] = c
	}
	return found, nil
}

func correlated(f format.File) bool { return f.Is.Is(instrprof.FormatRaw) && f.Is.Sole }

// isProgram reports whether a file is a program that is read. One with a Machine
// IR map in it is a profile, and may still be the program of another.
func isProgram(f format.File) bool {
	return f.Is.Is(symbol.FormatELF, symbol.FormatMachO, symbol.FormatPE)
}

func rawMemProf(f format.File) bool { return f.Is.Is(memprof.FormatRaw) }

// used reports whether a profile was recorded with the program. Split debug info
// is part of one.
func (c *companion) used() bool {
	return c.correlator != nil && c.correlator.Used() || c.program != nil && c.program.Used() || c.image != nil &&
		c.image.IsSplitDWARF()
}

// unreadProgram is the error for a program of a format that is not read: bitcode,
// or for a heap profile any other than ELF.
func unreadProgram(f format.File, correlate bool) error {
	fault := &model.FormatError{Kind: model.KindUnsupportedVersion, File: f.Name, Section: "header"}
	if !correlate {
		fault.Expected, fault.Msg = "an ELF program",
			"this is "+f.Is.Describe+", and heap profiles are symbolized with ELF programs only"
		fault.Err = format.Hint("give the ELF program that was run")
		return fault
	}
	fault.Expected, fault.Msg = "an ELF, Mach-O or Windows program",
		"this is "+f.Is.Describe+", and profiles are correlated with linked programs only"
	fault.Err = format.Hint("give the program as it was linked, or its .dSYM bundle")
	return fault
}

// checkUsed finds the executables that are of none of the profiles, or say nothing of one:
// the build ID decides. One that did not come along is refused where a profile needs its own.
func (o *opener) checkUsed() error {
	wanted := false
	for _, c := range o.companions {
		wanted = wanted || c.used()
	}
	for i, f := range o.files {
		c := o.companions[i]
		switch {
		case c == nil || c.used() || len(c.mapped) > 0 || c.unmapped == nil && o.declares(c):
		case o.onlyLines() && o.isOther(c):
			o.profile.Find(o.otherProgram(f, c))
		case c.unmapped != nil && !slices.ContainsFunc(o.files, correlated) && !slices.ContainsFunc(o.files, rawMemProf):
			o.profile.Find(o.unmapped(f, c))
		case o.onlyLines() || o.isOwn(c):
			o.profile.Find(withoutLines(f, c))
		case f.Optional && wanted:
			o.profile.LeaveOut(f)
		case f.Optional && c.unread != nil:
			o.profile.Find(format.LeftOutFor(f.Name, f.Is.Format.InFile(f.Name, c.unread)))
		case f.Optional:
			o.profile.Find(format.LeftOutFor(f.Name, f.Is.Format.InFile(f.Name, unrelated(f, c.image, o.files))))
		default:
			return f.Is.Format.InFile(f.Name, unrelated(f, c.image, o.files))
		}
	}
	return nil
}

// ranIDs are the build IDs that the counters among the files name.
func (o *opener) ranIDs() [][]byte {
	if o.ran == nil {
		o.ran = [][]byte{}
		for _, f := range o.files {
			info := countersOf(f)
			if f.Is.Is(instrprof.FormatIndexed) {
				if x, err := instrprof.OpenIndexed(f.Data, nil); err == nil { // its IDs stand behind the records
					info.BinaryIDs = x.Info().BinaryIDs
				}
			}
			o.ran = append(o.ran, info.BinaryIDs...)
		}
	}
	return o.ran
}

// checkPrograms finds raw profiles of programs that were not given, where those of others
// were: the build IDs tell.
func (o *opener) checkPrograms() {
	const most = 8 // programs that are named
	given := map[string]bool{}
	for _, c := range o.companions {
		if c.image != nil {
			given[string(c.image.BuildID())] = true
		}
		for _, object := range c.mapped {
			given[string(object.BuildID)] = true
		}
	}
	delete(given, "")
	some, absent := false, map[string]bool{}
	var found []model.Finding
	for _, f := range o.files {
		if !f.Is.Is(instrprof.FormatRaw) {
			continue // others name many programs, and some are read to their end for it
		}
		ids := countersOf(f).BinaryIDs
		switch {
		case len(ids) == 0:
		case slices.ContainsFunc(ids, func(id []byte) bool { return given[string(id)] }):
			some = true
		case absent[string(ids[0])] || len(found) == most:
		case len(o.companions) == 0 && frontEnd(f):
			some, absent[string(ids[0])] = true, true
			found = append(found, model.Finding{
				Severity: model.Note, Code: "raw.no_program", File: f.Name,
				Message: fmt.Sprintf("the program was not given, build ID %x: which lines ran is not known", ids[0]),
				Remedy:  "give the program beside the profile, compiled with -fcoverage-mapping",
			})
		default:
			absent[string(ids[0])] = true
			found = append(found, model.Finding{
				Severity: model.Warning, Code: "raw.no_program", File: f.Name,
				Message: fmt.Sprintf("%s is from a program that was not given, build ID %x: functions that only it has are "+
					"shown without lines", f.Name, ids[0]),
				Remedy: "give that program, too",
			})
		}
	}
	if some {
		o.profile.Find(found...)
	}
}

// isOwn reports whether the counters name the program by its build ID.
func (o *opener) isOwn(c *companion) bool {
	return c.image != nil && len(c.image.BuildID()) > 0 &&
		slices.ContainsFunc(o.ranIDs(), func(id []byte) bool { return bytes.Equal(id, c.image.BuildID()) })
}

// isOther reports whether the counters name other programs than this one, by build ID.
func (o *opener) isOther(c *companion) bool {
	return c.image != nil && len(c.image.BuildID()) > 0 && len(o.ranIDs()) > 0 && !o.isOwn(c)
}

// otherProgram is the finding about a program that the counters do not name.
func (o *opener) otherProgram(f format.File, c *companion) model.Finding {
	own, ran := fmt.Sprintf("%x", c.image.BuildID()), fmt.Sprintf("%x", o.ranIDs()[0])
	return model.Finding{Severity: model.Warning, Code: "lines.build_id", Kind: model.KindIncompatible, File: f.Name,
		Message: fmt.Sprintf("left out: %s is another program: its build ID is %s, that of the one that ran %s", f.Name,
			own, ran),
		Expected: "build id " + ran, Found: "build id " + own,
		Cause:  "the program was rebuilt after the profile was recorded, or is another one",
		Remedy: "give the program that ran"}
}

// unrelated is the error for an executable that none of the raw heap profiles
// was recorded with; it names the build IDs.
func unrelated(f format.File, image *symbol.Image, files []format.File) *model.FormatError {
	fault := &model.FormatError{Kind: model.KindIncompatible, File: f.Name, Section: "header",
		Msg: fmt.Sprintf("%s is not the program of any profile it came with", f.Name)}
	for _, other := range files {
		if !rawMemProf(other) {
			continue
		}
		peek, _ := memprof.PeekRaw(other.Data)
		var own string
		var libraries []string
		for i, m := range peek.Modules {
			switch {
			case len(m.BuildID) == 0:
			case i == 0:
				own = fmt.Sprintf("%x", m.BuildID)
			case len(libraries) < 2:
				libraries = append(libraries, fmt.Sprintf("%x", m.BuildID))
			}
		}
		if own == "" && len(libraries) == 0 {
			continue
		}
		fault.Found = "no build ID"
		if own == "" {
			fault.Msg = fmt.Sprintf("the program that %s was recorded with has no build ID, so its functions cannot be found "+
				"in %s", other.Name, f.Name)
			fault.Err = format.Hint("link with -Wl,--build-id and record again")
		} else {
			fault.Msg = fmt.Sprintf("%s is not the program that %s was recorded with, nor a library of it: nothing that was "+
				"loaded has its build ID", f.Name, other.Name)
			fault.Expected = "build ID " + own
			if len(libraries) > 0 {
				fault.Expected += ", or of a library " + strings.Join(libraries, " or ")
			}
		}
		if image == nil {
			break
		}
		if id := image.BuildID(); len(id) > 0 {
			fault.Found = fmt.Sprintf("build ID %x", id)
		}
		break
	}
	return fault
}
