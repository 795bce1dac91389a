package decode

import (
	"fmt"

	"proflens/decode/format"
	"proflens/decode/model"
)

// Recognise tells what a file is from its content, most specific first. It looks
// at headers only and is cheap.
func Recognise(name string, data []byte) format.Recognised {
	for _, s := range suites {
		if r, ok := s.Recognise(name, data); ok {
			return r
		}
	}
	if r, ok := recogniseForeign(name, data); ok {
		return r
	}
	for _, s := range suites {
		if s.Guess == nil {
			continue
		}
		if r, ok := s.Guess(name, data); ok {
			r.Else = new(unknown(name, data))
			return r
		}
	}
	return unknown(name, data)
}

// unknown is a file of no kind that is known.
func unknown(name string, data []byte) format.Recognised {
	if plainText.match(data) {
		r := plainText.recognised(name)
		if fault, ok := model.FaultIn(r.Err); ok {
			fault.Msg += ", in no format that Proflens reads"
		}
		return r
	}
	return format.Recognised{Describe: format.UnknownWord, Err: &model.FormatError{
		Kind: model.KindUnrecognizedFormat, File: name, Section: "header",
		Msg:      "the first bytes match no known profile format",
		Expected: format.Wanted, Found: fmt.Sprintf("% x", data[:min(8, len(data))]),
	}}
}

// recognised is files with what each is, beside the others.
func recognised(files []format.File) []format.File {
	known, is := make([]format.File, len(files)), make([]*format.Recognised, len(files))
	for i, f := range files {
		known[i] = f
		if f.Is == nil {
			known[i].Is = new(Recognise(f.Name, f.Data))
		}
		is[i] = known[i].Is
	}
	format.Settle(is)
	return known
}
