package dcpi

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// Suite is profiles of DCPI, the text of dcpicat, and the listings of nm that
// name procedures.
var Suite = &format.Suite{
	Formats:   []*format.Format{profileFormat, catFormat, listingFormat},
	Reads:     "DCPI",
	Recognise: recognise,
	Guess:     guess,
	Open:      open,
}

var (
	profileFormat = &format.Format{Name: FormatProfile, Prefix: "dcpi", Inspect: inspect, Outline: outline, Advice: advice}
	catFormat     = &format.Format{Name: FormatCat, Prefix: "dcpi", Inspect: inspect, Outline: outline, Advice: advice}
	listingFormat = &format.Format{Name: symbol.FormatNM, Prefix: "input"}
)

var advice = map[model.Kind]format.Advice{
	model.KindUnsupportedVersion: {
		Cause:  "a later version of the tools wrote the profile, and only they can read its samples",
		Remedy: "run the original tools' dcpicat on it, and open the text it prints",
	},
	KindNotDCPI: {
		Cause: "it is another kind of file", Remedy: "give a profile from a DCPI database, or the output of dcpicat",
	},
	KindMissingTerminator: {Cause: "the file was cut short, or is not a DCPI profile", Remedy: format.CopyAgain},
	KindHeaderSyntax: {
		Cause: "the header was edited, or copied as text", Remedy: "copy the file again, in binary mode",
	},
	KindMissingRequired: {
		Cause:  "the header was edited, or another tool wrote the file",
		Remedy: "add the line, copied from another profile of the database",
	},
	KindDuplicateLine: {Cause: "the header was edited", Remedy: "remove the wrong line"},
	KindBadValue: {
		Cause: "the header was edited, or another tool wrote the file", Remedy: "correct the line",
	},
	KindBadChunk: {
		Cause: "the samples were damaged, or the words are not little-endian", Remedy: format.CopyAgain,
	},
	KindUnsorted: {Cause: "another tool wrote the file", Remedy: "write the chunks in order of offset"},
	KindOverlap:  {Cause: "another tool wrote the file", Remedy: "write each address once"},
	KindFooterMismatch: {
		Cause: "samples were damaged or lost: the totals are the only checksum there is", Remedy: format.CopyAgain,
	},
}

// recognise tells files of DCPI, and the output of nm by its first lines.
func recognise(name string, data []byte) (format.Recognised, bool) {
	switch {
	case len(data) == 0 && named(name):
		return ofDatabase(profileFormat, "DCPI profile"), true
	case IsCat(data):
		return ofDatabase(catFormat, "dcpicat text"), true
	case Is(data):
		h, _ := Peek(data)
		return ofDatabase(profileFormat, describe(&h)), true
	}
	return recogniseListing(name, data)
}

// guess takes a file of no known kind whose name ends in .prof for a damaged
// profile, so that its fault is told by the reader that knows the format: one that is not
// all text, as only a header is, or begins with a keyword of one.
func guess(name string, data []byte) (format.Recognised, bool) {
	first := data[:min(len(data), 4<<10)]
	line, _, _ := bytes.Cut(first, []byte("\n"))
	key, _, _ := splitLine(bytes.TrimSuffix(line, []byte("\r")))
	binary := bytes.ContainsFunc(first, func(r rune) bool {
		return r == utf8.RuneError || r < ' ' && (r < '\t' || r > '\r')
	})
	return ofDatabase(profileFormat, "DCPI profile"),
		named(name) && (binary || len(data) == 0 || KindOfLine(string(key)) != Unknown)
}

func named(name string) bool { return strings.HasSuffix(name, ".prof") }

// ofDatabase is a file of DCPI: all are of one database, which is glad of
// listings, and of executables that nothing else claims.
func ofDatabase(f *format.Format, describe string) format.Recognised {
	return format.Recognised{Format: f, Families: []model.Family{Family}, Describe: describe, Key: "dcpi",
		Claim: func(c *format.Recognised) format.Claim {
			if c.Is(symbol.FormatNM, symbol.FormatELF) {
				return format.Welcomes
			}
			return format.NoClaim
		}}
}

func describe(h *Header) string {
	s := "DCPI profile"
	if h.Version != "" {
		s += " " + strings.TrimPrefix(h.Version, "pdb-")
	}
	for _, what := range []string{h.Event, h.Platform, h.Start} {
		if what != "" {
			s += ", " + what
		}
	}
	return s
}

func inspect(a *model.Anatomy, f format.File, rec *wire.Recorder) error {
	file, err := openFile(f, rec)
	switch {
	case err == nil:
		a.Findings = append(a.Findings, file.Findings...)
		a.Findings = append(a.Findings, unaligned(&Database{Files: []File{*file}})...)
	case model.KindOf(err) == model.KindUnsupportedVersion:
		a.Findings = append(a.Findings, knowable(f.Name, f.Data)...)
	}
	return err
}

func outline(f format.File, rec *wire.Recorder) error {
	_, err := openFile(f, rec)
	return err
}

func openFile(f format.File, rec *wire.Recorder) (*File, error) {
	if f.Is.Is(FormatCat) {
		return OpenCat(f.Name, f.Data, rec)
	}
	return Open(f.Name, f.Data, rec)
}
