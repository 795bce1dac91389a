package covmap

import (
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// Family is the family of source coverage.
const Family model.Family = "coverage"

// The formats of files with a mapping that are no programs.
const (
	FormatCOFF    model.Format = "coff"
	FormatWasm    model.Format = "wasm"
	FormatArchive model.Format = "archive"
	FormatTesting model.Format = "covmapping" // of llvm-cov convert-for-testing
)

// Records are what a profile has of source coverage: mappings, and the counters that
// they are of.
type Records struct {
	Objects  []*Object
	Counters instrprof.Source // read, and never drained
}

// FormatOf is the format of a file that can have a mapping and is no program; false
// for any other.
func FormatOf(data []byte) (model.Format, bool) {
	switch {
	case isArchive(data):
		return FormatArchive, true
	case isWasm(data):
		return FormatWasm, true
	case isTesting(data):
		return FormatTesting, true
	case symbol.IsCOFF(data):
		return FormatCOFF, true
	}
	return "", false
}

// OpenAll is [Open] of a universal file's programs for all architectures: one of them
// ran, and the counters tell which. Any other file it opens as Open does.
func OpenAll(name string, data []byte, o Options) ([]*Object, error) {
	if !symbol.IsUniversal(data) {
		return Open(name, data, o)
	}
	slices, err := symbol.Slices(name, data)
	if err != nil {
		return nil, err
	}
	var all []*Object
	var none error
	left := uint64(len(data)) // programs that lie on each other would be read again and again
	for _, s := range slices {
		if uint64(len(s.Data)) > left {
			break
		}
		left -= uint64(len(s.Data))
		one := o
		one.Arch = s.Architecture
		list, err := Open(name, data, one)
		switch {
		case err == nil:
			for _, object := range list {
				object.Name += " (" + s.Architecture + ")"
			}
			all = append(all, list...)
		case model.KindOf(err) != model.KindNoCoverage || none == nil:
			none = err
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return nil, none
}

// In reports whether an image has a mapping, as far as its sections say.
func In(i *symbol.Image) bool {
	called := elfNames
	if i.Format == symbol.FormatPE {
		called = peNames
	}
	_, ok := i.Section(called.blocks)
	return ok
}
