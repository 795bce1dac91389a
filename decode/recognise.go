package decode

import (
	"errors"
	"fmt"

	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// Recognised is what the first bytes of a file say it is.
type Recognised struct {
	Format   model.Format
	Families []model.Family
	Describe string // one line: "LLVM raw v8, 64-bit, little-endian, IR, entry first"
	// ProgramKey is equal for raw profiles of one program, which may be merged;
	// empty where that cannot be told.
	ProgramKey string
	// Empty says that the file has no bytes: a program that never wrote its
	// profile. It may stand among other files and adds nothing.
	Empty bool
	// Correlated says that a raw profile left its records and names in its
	// executable, and Executable that the file is one which profiles may have
	// left theirs in. Program is the program of either, by which [Group] puts
	// them together.
	Correlated, Executable bool
	Program                instrprof.Program
	// Heap is of a raw heap profile, and Image of an executable, what tells
	// whether they belong together; nil for other files.
	Heap  *memprof.Peek
	Image *memprof.Executable
	// Err is a [*model.FormatError] when the file is none that can be read:
	// unrecognized_format or, for a known but unread format,
	// unsupported_version. A damaged file of a known format has none here. An
	// executable has one, as it is no profile, whatever it may stand beside.
	Err error
}

// indexedMagic starts every indexed profile (instrprof.md §1).
const indexedMagic = "\xfflprofi\x81"

// Recognise tells what a file is from its content, most specific first
// (instrprof.md §1). It looks at headers only and is cheap.
func Recognise(name string, data []byte) Recognised {
	switch {
	case mip.Is(data) || namedMIP(name):
		return recogniseMIP(name, data)
	case len(data) == 0 && !namedDCPI(name):
		return Recognised{Format: model.LLVMRaw, Families: instr(), Describe: "empty file", Empty: true}
	case instrprof.IsRaw(data):
		return recogniseRaw(data)
	case len(data) >= len(indexedMagic) && string(data[:len(indexedMagic)]) == indexedMagic:
		return recogniseIndexed(data)
	case symbol.IsELF(data) || symbol.IsMachO(data):
		if r, ok := recogniseMIPProgram(name, data); ok {
			return r
		}
		if symbol.IsELF(data) {
			return recogniseELF(name, data)
		}
	}
	if r, ok := recogniseHeap(data); ok {
		return r
	}
	if r, ok := recogniseDCPI(name, data); ok {
		return r
	}
	if r, ok := recogniseListing(name, data); ok {
		return r
	}
	text := instrprof.IsText(data)
	if text && plausibleText(data) {
		return recogniseText(data)
	}
	if f, ok := findForeign(data); ok && len(data) > 0 {
		return Recognised{Describe: f.what, Err: f.fault(name)}
	}
	if namedDCPI(name) {
		return Recognised{Format: model.DCPISamples, Families: []model.Family{model.DCPIFam}, Describe: "DCPI profile"}
	}
	if text {
		// It will fail, and the text reader knows where.
		return recogniseText(data)
	}
	return Recognised{Describe: "unknown", Err: &model.FormatError{
		Kind: model.KindUnrecognizedFormat, File: name, Section: "header",
		Msg:      "the first bytes are of no known profile format",
		Expected: wanted, Found: fmt.Sprintf("% x", data[:min(8, len(data))]),
	}}
}

func instr() []model.Family { return []model.Family{model.Instr} }

func recogniseRaw(data []byte) Recognised {
	peek, err := instrprof.PeekRaw(data)
	r := Recognised{
		Format: model.LLVMRaw, Families: instr(), Describe: peek.Info.Describe(), ProgramKey: peek.ProgramKey,
		Correlated: peek.Correlated, Program: peek.Program,
	}
	if model.KindOf(err) == model.KindRawVersionMismatch && err != nil {
		r.Describe = fmt.Sprintf("LLVM raw v%d, a version this program does not know", peek.Info.Version)
	}
	return r
}

func recogniseELF(name string, data []byte) Recognised {
	wrong, _ := findForeign(data)
	r := Recognised{Describe: wrong.what, Err: wrong.fault(name)}
	if image, err := symbol.Open(name, data, nil); err == nil {
		r.Program, r.Executable = instrprof.ProgramOf(image)
		r.Image = new(memprof.ExecutableOf(image))
		if fault, ok := errors.AsType[*model.FormatError](r.Err); ok && len(r.Image.BuildID) > 0 {
			fault.Found = fmt.Sprintf("build id %x", r.Image.BuildID)
		}
	}
	return r
}

func recogniseIndexed(data []byte) Recognised {
	info, _ := instrprof.PeekIndexed(data)
	return Recognised{Format: model.LLVMIndexed, Families: info.Families, Describe: info.Describe()}
}

func recogniseText(data []byte) Recognised {
	info := model.Info{Format: model.LLVMText}
	if t, err := instrprof.OpenText(data, nil); err == nil {
		info = *t.Info()
	}
	return Recognised{Format: model.LLVMText, Families: instr(), Describe: info.Describe()}
}
