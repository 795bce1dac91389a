package covmap

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// sections is where an object has its mapping (formats/covmap.md, section 1),
// whatever its format.
type sections struct {
	source
	names        piece
	namesAddr    uint64 // in the program's memory
	blocks       piece  // covmap: headers and names of files
	records      []piece
	hasNames     bool
	hasBlocks    bool
	hasCounters  bool
	relocatable  bool
	bigEndian    bool
	pointerSize  int
	buildID      []byte
	architecture string
}

// piece is the bytes of a section and where they begin in the file.
type piece struct {
	data []byte
	at   uint64
}

// sectionNames are the sections of a mapping. Object files of Windows have the same
// as its programs, with more behind a $.
type sectionNames struct{ names, correlated, blocks, records, counters string }

var (
	elfNames = sectionNames{"__llvm_prf_names", "__llvm_covnames", "__llvm_covmap", "__llvm_covfun", "__llvm_prf_cnts"}
	peNames  = sectionNames{".lprfn", ".lcovn", ".lcovmap", ".lcovfun", ".lprfc"}
)

// objects is the one object that has the sections.
func (s *sections) objects(o *Options) ([]*Object, error) {
	object, err := s.read(o)
	if err != nil {
		return nil, err
	}
	return []*Object{object}, nil
}

// find looks for the sections in an image.
func (s source) find(i *symbol.Image) (*sections, error) {
	called := elfNames
	if i.Format == symbol.FormatPE {
		called = peNames
	}
	found := &sections{
		source: s, bigEndian: i.BigEndian, pointerSize: i.PointerSize, buildID: i.BuildID(),
		architecture: i.Processor(), relocatable: i.IsObject(),
	}
	left := uint64(len(s.data))
	all := func(name string) ([]piece, error) {
		var list []piece
		for _, section := range i.Sections(name) {
			if section.Size == 0 {
				continue
			}
			data, _, err := i.Contents(name, section)
			if err != nil {
				return nil, s.shift(err)
			}
			// Sections that lie on each other would be read again and again.
			if section.Size > left {
				return nil, s.fault(model.KindMalformed, name, s.base+section.Offset,
					"the sections of the mapping are more than the file")
			}
			left -= section.Size
			list = append(list, piece{data, s.base + section.Offset})
		}
		return list, nil
	}
	one := func(name string) (p piece, ok bool, err error) {
		list, err := all(name)
		if err != nil || len(list) == 0 {
			return p, false, err
		}
		if len(list) > 1 {
			fault := s.fault(model.KindMalformed, name, list[1].at, "there is more than one section of this name")
			fault.Expected, fault.Found = "1", fmt.Sprint(len(list))
			return p, false, fault
		}
		return list[0], true, nil
	}
	var err error
	if found.names, found.hasNames, err = one(called.names); err != nil {
		return nil, err
	}
	section, _ := i.Section(called.names)
	if i.Format == symbol.FormatPE && !found.relocatable && found.hasNames {
		// The runtime has a byte before the names, and one behind them.
		if found.hasNames = len(found.names.data) > 2; found.hasNames {
			found.names = piece{found.names.data[1:], found.names.at + 1}
			section.Addr++
		}
	}
	if !found.hasNames {
		if found.names, found.hasNames, err = one(called.correlated); err != nil {
			return nil, err
		}
		section, _ = i.Section(called.correlated)
	}
	found.namesAddr = section.Addr
	if found.blocks, found.hasBlocks, err = one(called.blocks); err != nil {
		return nil, err
	}
	if found.records, err = all(called.records); err != nil {
		return nil, err
	}
	_, found.hasCounters = i.Section(called.counters)
	return found, nil
}

// missing says that there is no mapping, and what there is instead.
func (s *sections) missing() error {
	fault := s.fault(model.KindNoCoverage, "", s.base, "")
	fault.Expected = "the sections __llvm_prf_names and __llvm_covmap, or those of their like"
	switch {
	case s.hasBlocks:
		fault.Msg, fault.Found = "the object has a coverage mapping without the names of its functions", "__llvm_covmap alone"
	case s.hasNames || s.hasCounters:
		fault.Msg = "the object has no coverage mapping: it counts, so it was compiled without -fcoverage-mapping or " +
			"stripped of it, as llvm-strip does unless told --strip-debug"
		fault.Found = "names and counters of a profile"
	default:
		fault.Msg = "the object has no coverage mapping: compile with -fprofile-instr-generate -fcoverage-mapping, or -C " +
			"instrument-coverage"
	}
	return fault
}

// cursor reads a piece.
func (s *sections) cursor(section string, p piece, allowed *wire.Allowance) *wire.Cursor {
	c := wire.New(section, p.data, p.at)
	c.SetOrder(s.bigEndian)
	c.Allow(allowed)
	return c
}
