package dcpi

import (
	"bytes"
	"debug/elf"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// recogniseListing tells the output of nm by its first lines, which may be of data
// or of other programs' symbols alone. Like a program it is no profile, and has an
// error that says so.
func recogniseListing(name string, data []byte) (format.Recognised, bool) {
	const enough = 4 << 10
	first := data
	if len(first) > enough {
		first = first[:enough]
		first = first[:bytes.LastIndexByte(first, '\n')+1]
	}
	if !symbol.IsNM(first) {
		return format.Recognised{}, false
	}
	const what = "a listing of symbols by nm"
	return format.Recognised{Format: listingFormat, Describe: what, Companion: what, Late: true,
		Err: format.Foreign(name, what,
			"give it together with the DCPI profiles whose procedures it names, or with the sample profile of the program",
			model.KindUnrecognizedFormat)}, true
}

// openListing reads the procedures of an executable, or of a listing of nm,
// and says in info what it is.
func openListing(f format.File, info *model.Info) (*Listing, error) {
	l := &Listing{File: f.Name}
	var list []symbol.Procedure
	var err error
	if f.Is.Is(symbol.FormatNM) {
		list, err = symbol.ListNM(f.Data)
		info.Describe = "nm listing"
	} else {
		var image *symbol.Image
		if image, err = symbol.Open(f.Name, f.Data, nil); err == nil {
			list, *info = image.Procedures(), *image.Info()
			l.TextStart, l.TextSize = textOf(image)
			l.Line = lineOf(image)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		l.Procedures = append(l.Procedures, Procedure{Address: p.Start, Size: p.Size, Name: p.Name})
	}
	return l, nil
}

// lineOf finds the lines of an executable's addresses; nil where it has no debug info that
// can be read.
func lineOf(image *symbol.Image) func(address uint64) (string, uint32, bool) {
	s, err := symbol.NewSymbolizer(image)
	if err != nil || !s.HasDebugInfo() {
		return nil
	}
	return s.Line
}

// textOf is where an executable's .text stands, or else its first segment of
// code.
func textOf(image *symbol.Image) (start, size uint64) {
	if s, ok := image.Section(".text"); ok && s.Flags&elf.SHF_EXECINSTR != 0 {
		return s.Addr, s.Size
	}
	for _, s := range image.ExecutableSegments() {
		return s.Addr, s.Size
	}
	return 0, 0
}
