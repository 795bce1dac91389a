package covmap

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// Options say how objects are opened. With the zero Options what llvm-cov refuses
// is refused.
type Options struct {
	// Arch picks a program of a universal Mach-O file, "arm64"; of any other it
	// must be what the object is for.
	Arch string
	// CompilationDir takes the place of the directory that relative names of
	// sources are in.
	CompilationDir string
	// Lenient skips damaged records and keeps them as [Object.Faults]; of an
	// archive also the members without a mapping.
	Lenient bool
	// Member reads a file that a thin archive names; nil refuses such archives.
	Member func(path string) ([]byte, error)
	// Allowance bounds what is inflated; nil: one of the file's size.
	Allowance *wire.Allowance
}

// Open reads the coverage mappings of a program, a library, an object file, or of the
// members of an archive, in their order. Every mapping has been decoded once, so that
// [Function.Read] can no longer fail. The data must outlive the objects and stay
// unchanged.
//
// Errors are a [*model.FormatError]. That of a file without a mapping is of the kind
// [model.KindNoCoverage] and says what the file has instead;
// [model.KindArchitecture] is an Arch that is needed and not given, or not there.
func Open(name string, data []byte, o Options) ([]*Object, error) {
	if o.Allowance == nil {
		o.Allowance = wire.NewAllowance(uint64(len(data)))
	}
	list, err := open(source{name: name, data: data}, &o, 0)
	if fault, ok := model.FaultIn(err); ok {
		fault.File = cmp.Or(fault.File, name)
		if fault.Kind == model.KindMalformed {
			fault.LLVM = cmp.Or(fault.LLVM, llvmWords[fault.Section+"/"+fault.Field])
		}
	}
	return list, err
}

// llvmWords are what llvm-cov says of what is malformed, by section and field.
var llvmWords = map[string]string{
	"covmap/":                         ": coverage mapping header section is larger than buffer size",
	"covmap/NRecords":                 filesPass,
	"covmap/CoverageSize":             ": coverage mapping size is not zero",
	"file names/":                     filesPass,
	"file names/number of file names": sizeTooBig,
	"file names/compressed size":      sizeTooBig,
	"file names/length of a name":     sizeTooBig,
	"mappings/":                       ": function records section is larger than buffer size",
	"records/DataSize":                ": next mapping buffer is larger than buffer size",
	"records/NameRef":                 nameIsEmpty,
	"covfun/DataSize":                 ": coverage mapping data is larger than buffer size",
	"covfun/NameRef":                  nameIsEmpty,
}

const (
	filesPass   = ": filenames section is larger than buffer size"
	sizeTooBig  = ": the value of ULEB128 is too big"
	nameIsEmpty = "malformed instrumentation profile data: function name is empty"
)

// source is a file, or a part of one: a member of an archive, a program of a
// universal file.
type source struct {
	name string
	data []byte
	base uint64 // where data begins in the file
}

// maxDepth is how many archives and universal files may be in each other.
const maxDepth = 8

// open tells what a source is and reads it.
func open(s source, o *Options, depth int) ([]*Object, error) {
	switch {
	case depth > maxDepth:
		return nil, s.fault(model.KindTooLarge, "", s.base, "archives are too deep in each other")
	case symbol.IsUniversal(s.data):
		return s.universal(o, depth)
	case isArchive(s.data):
		return s.archive(o, depth)
	case isTesting(s.data):
		found, err := s.testing()
		if err != nil {
			return nil, s.named(err)
		}
		return found.objects(o)
	case isWasm(s.data):
		found, err := s.wasm(o.Allowance)
		if err != nil {
			return nil, s.named(err)
		}
		return found.objects(o)
	case symbol.IsObjectFile(s.data):
		image, err := symbol.OpenObject(s.name, s.data, wire.Allow(o.Allowance))
		if err != nil {
			return nil, s.shift(err)
		}
		found, err := s.find(image)
		if err != nil {
			return nil, err
		}
		return found.objects(o)
	}
	fault := s.fault(model.KindUnrecognizedFormat, "", s.base, "this is no program, library, object file or archive")
	if fault.Found = fmt.Sprintf("% x", s.data[:min(8, len(s.data))]); bytes.HasPrefix(s.data, []byte("BC\xc0\xde")) {
		fault.Msg = "this is LLVM bitcode, which has no coverage mapping yet: give the linked program"
	}
	return nil, fault
}

// universal reads the program or the archive for one architecture.
func (s source) universal(o *Options, depth int) ([]*Object, error) {
	slices, err := symbol.Slices(s.name, s.data)
	if err != nil {
		return nil, s.shift(err)
	}
	var known []string
	for _, slice := range slices {
		if o.Arch != "" && sameArch(o.Arch, slice.Architecture) {
			return open(source{s.name, slice.Data, s.base + slice.Offset}, o, depth+1)
		}
		known = append(known, slice.Architecture)
	}
	fault := s.fault(model.KindArchitecture, "fat header", s.base,
		"the universal file has no program for the architecture")
	fault.Expected, fault.Found = "one of "+strings.Join(known, ", "), o.Arch
	if o.Arch == "" {
		fault.Msg = "the file is universal: name the architecture"
	}
	return nil, fault
}

// shift moves a fault's offset from the source to the file.
func (s source) shift(err error) error {
	if fault, ok := model.FaultIn(err); ok {
		fault.Offset += s.base
	}
	return err
}

// named puts the source's name into a fault.
func (s source) named(err error) error {
	if fault, ok := model.FaultIn(err); ok {
		fault.File = s.name
	}
	return err
}

// fault is an error about the source at an offset of the file.
func (s source) fault(kind model.Kind, section string, offset uint64, msg string) *model.FormatError {
	return &model.FormatError{Kind: kind, File: s.name, Section: section, Offset: offset, Msg: msg}
}
