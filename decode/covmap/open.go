package covmap

import (
	"errors"
	"fmt"

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
	list, err := open(source{name: name, data: data}, &o)
	if fault, ok := errors.AsType[*model.FormatError](err); ok && fault.File == "" {
		fault.File = name
	}
	return list, err
}

// source is a file, or a part of one: a member of an archive, a program of a
// universal file.
type source struct {
	name string
	data []byte
	base uint64 // where data begins in the file
}

// open tells what a source is and reads it.
func open(s source, o *Options) ([]*Object, error) {
	switch {
	case symbol.IsELF(s.data):
		image, err := symbol.OpenObject(s.name, s.data, wire.Allow(o.Allowance))
		if err != nil {
			return nil, s.shift(err)
		}
		return s.image(image, o)
	case isTesting(s.data):
		found, err := s.testing()
		if err != nil {
			return nil, err
		}
		return found.objects(o)
	}
	return nil, &model.FormatError{Kind: model.KindUnrecognizedFormat, File: s.name, Offset: s.base,
		Msg: "this is no program, library, object file or archive", Found: fmt.Sprintf("% x", s.data[:min(8, len(s.data))])}
}

// shift moves a fault's offset from the source to the file.
func (s source) shift(err error) error {
	if fault, ok := errors.AsType[*model.FormatError](err); ok {
		fault.Offset += s.base
	}
	return err
}

// fault is an error about the source at an offset of the file.
func (s source) fault(kind model.Kind, section string, offset uint64, msg string) *model.FormatError {
	return &model.FormatError{Kind: kind, File: s.name, Section: section, Offset: offset, Msg: msg}
}
