// Package llvm opens the profiles of LLVM's llvm-profdata: counters of
// instrumentation, heap profiles of MemProf, or both, which can stand in one
// file and be merged into one profile; with the executables that raw files left
// a part of themselves in.
package llvm

import (
	"errors"
	"fmt"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// Suite is what llvm-profdata merges: instrumentation profiles, raw, indexed and
// text, and heap profiles, raw and in text.
var Suite = &format.Suite{
	Formats:   []*format.Format{rawFormat, indexedFormat, textFormat, memprofRawFormat, memprofYAMLFormat, memprofReportFormat, elfFormat},
	Recognise: recognise,
	Guess:     guess,
	Open:      open,
	Merge:     merge,
}

var (
	rawFormat = &format.Format{
		Name: instrprof.FormatRaw, Prefix: "raw", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error { return instrprof.OutlineRaw(f.Data, rec) },
		Advice: map[model.Kind]format.Advice{
			model.KindTruncated: {Cause: "the file was cut: the program was killed while it wrote its profile, the disk was full, or a copy was interrupted", Remedy: "record the profile again and let the program end by itself, or copy the file again"},
			model.KindMalformed: {Cause: "the file was damaged, several programs wrote to it at once, or the compiler is a fork with a format of its own", Remedy: "use %p or %m in LLVM_PROFILE_FILE so that each process writes a file of its own, and record again"},
			model.KindBadMagic:  {Cause: "something was appended to the profile that is no raw profile of the same kind", Remedy: "give the files one by one instead of joining them"},
			model.KindBadHeader: {Cause: "the file was cut, most often because the program was killed while it wrote its profile", Remedy: "record the profile again and let the program end by itself, or copy the file again"},
		},
	}
	indexedFormat = &format.Format{
		Name: instrprof.FormatIndexed, Prefix: "indexed", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error {
			x, err := instrprof.OpenIndexed(f.Data, rec)
			if err == nil && len(x.Info().MemProf) > 0 {
				_, err = memprof.OpenIndexed(x.Info().MemProf, x.Info().MemProfSection.Offset, rec)
			}
			return err
		},
	}
	textFormat = &format.Format{
		Name: instrprof.FormatText, Prefix: "text", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error { _, err := instrprof.OpenText(f.Data, rec); return err },
		Advice: map[model.Kind]format.Advice{
			model.KindMalformed: {Cause: "the text was edited by hand or cut, or it is a text profile of another kind", Remedy: "correct the line at the offset, or write the text again with llvm-profdata merge --text"},
			model.KindBadHeader: {Cause: "a newer compiler wrote the text, or a line was added by hand", Remedy: "remove the line at the offset, or open the file with a newer release of this program"},
		},
	}
	memprofRawFormat    = &format.Format{Name: memprof.FormatRaw, Prefix: "memprof", Inspect: inspectMemProf, Outline: outlineMemProf}
	memprofYAMLFormat   = &format.Format{Name: memprof.FormatYAML, Prefix: "memprof", Inspect: inspectMemProf, Outline: outlineMemProf}
	memprofReportFormat = &format.Format{Name: memprof.FormatReport, Prefix: "memprof", Inspect: inspectMemProf, Outline: outlineMemProf}

	// elfFormat is of executables, which are no profiles.
	elfFormat = &format.Format{Name: symbol.FormatELF, Prefix: "elf", Advice: format.ProgramAdvice}
)

// families are those of a file of counters.
var families = []model.Family{instrprof.Family}

// recognise tells files by their magic, most specific first (instrprof.md §1).
// Text is told by its first record.
func recognise(name string, data []byte) (format.Recognised, bool) {
	switch {
	case len(data) == 0:
		return format.Recognised{Format: rawFormat, Families: families, Describe: "empty file", Empty: true}, true
	case instrprof.IsRaw(data):
		return recogniseRaw(data), true
	case instrprof.IsIndexed(data):
		info, _ := instrprof.PeekIndexed(data)
		return format.Recognised{Format: indexedFormat, Families: familiesOf(&info), Describe: info.Describe}, true
	case symbol.IsELF(data):
		return recogniseELF(name, data), true
	}
	if r, ok := recogniseMemProf(data); ok {
		return r, true
	}
	if instrprof.IsText(data) && plausibleText(data) {
		return recogniseText(data), true
	}
	return format.Recognised{}, false
}

// guess takes any text: it will fail, and the text reader knows where.
func guess(_ string, data []byte) (format.Recognised, bool) {
	if !instrprof.IsText(data) {
		return format.Recognised{}, false
	}
	return recogniseText(data), true
}

// familiesOf are those of an indexed file.
func familiesOf(info *instrprof.Info) []model.Family {
	all := append([]model.Family{}, info.Families...)
	if info.MemProfSection.Size > 0 {
		all = append(all, memprof.Family)
	}
	return all
}

func recogniseRaw(data []byte) format.Recognised {
	peek, err := instrprof.PeekRaw(data)
	r := format.Recognised{Format: rawFormat, Families: families, Describe: peek.Info.Describe, Key: peek.ProgramKey}
	if err != nil && model.KindOf(err) == model.KindRawVersionMismatch {
		r.Describe = fmt.Sprintf("LLVM raw v%d, a version this program does not know", peek.Info.Version)
	}
	if peek.Correlated {
		r.Sole = true
		r.Claim = func(c *format.Recognised) format.Claim {
			exe, ok := c.Companion.(*program)
			switch {
			case !ok || !peek.Program.Fits(exe.counters):
				return format.NoClaim
			case peek.Program.Same(exe.counters):
				return format.Owns
			}
			return format.Fits
		}
	}
	return r
}

func recogniseText(data []byte) format.Recognised {
	info := instrprof.Info{Info: model.Info{Format: instrprof.FormatText, Families: families}}
	info.Name()
	if t, err := instrprof.OpenText(data, nil); err == nil {
		info = *t.Info()
	}
	return format.Recognised{Format: textFormat, Families: families, Describe: info.Describe}
}

// recogniseMemProf tells heap profiles, raw and in text. Raw ones want the
// executables that they name by build id.
func recogniseMemProf(data []byte) (format.Recognised, bool) {
	r := format.Recognised{Families: []model.Family{memprof.Family}}
	switch {
	case memprof.IsRaw(data):
		peek, _ := memprof.PeekRaw(data)
		r.Format, r.Key = memprofRawFormat, peek.ProgramKey
		r.Describe = memprof.Describe(memprof.FormatRaw, peek.Version)
		r.Claim = claimOfMemProf(&peek)
	case memprof.IsYAML(data):
		r.Format, r.Describe = memprofYAMLFormat, memprof.Describe(memprof.FormatYAML, 0)
	case memprof.IsReport(data):
		r.Format, r.Describe = memprofReportFormat, memprof.Describe(memprof.FormatReport, 0)
	default:
		return r, false
	}
	return r, true
}

// program is what the room knows of an executable, for claims.
type program struct {
	counters instrprof.Program
	heap     memprof.Executable
}

const elfProgram = "an ELF executable or object file"

func recogniseELF(name string, data []byte) format.Recognised {
	r := format.Recognised{Format: elfFormat, Describe: elfProgram, Companion: struct{}{}, Err: format.Foreign(name, elfProgram, format.RunIt, model.KindUnrecognizedFormat)}
	image, err := symbol.Open(name, data, nil)
	if err != nil {
		return r
	}
	p := &program{heap: memprof.ExecutableOf(image)}
	p.counters, _ = instrprof.ProgramOf(image)
	fault, _ := errors.AsType[*model.FormatError](r.Err)
	if len(p.heap.BuildID) > 0 {
		fault.Found = fmt.Sprintf("build id %x", p.heap.BuildID)
	}
	return recognisedProgram(p, fault)
}

// recognisedProgram is an executable, which claims the debug info that was split
// off it. Such joins after its program.
func recognisedProgram(p *program, fault *model.FormatError) format.Recognised {
	return format.Recognised{Format: elfFormat, Describe: elfProgram, Companion: p, Late: p.heap.Split, Err: fault,
		Claim: func(c *format.Recognised) format.Claim {
			if split, ok := c.Companion.(*program); ok && split.heap.Split && !p.heap.Split && p.heap.LeftOut(&split.heap) {
				return format.Owns
			}
			return format.NoClaim
		}}
}

// claimOfMemProf is that of a raw heap profile: the program and libraries that it
// names by build id or, before there were such, that fit, and split debug info.
func claimOfMemProf(peek *memprof.Peek) func(*format.Recognised) format.Claim {
	return func(c *format.Recognised) format.Claim {
		exe, ok := c.Companion.(*program)
		switch {
		case !ok || !exe.heap.Split && !peek.Fits(&exe.heap):
			return format.NoClaim
		case !exe.heap.Split && peek.Version >= 3:
			return format.Owns
		}
		return format.Fits
	}
}
