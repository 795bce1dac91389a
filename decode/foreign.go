package decode

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/internal/lazyregexp"
)

// foreign is a kind of file that people give by mistake, or that is a profile
// of a kind not read.
type foreign struct {
	what   string // "an ELF executable or object file"
	remedy string
	known  bool // a profile, of a kind that is not read
	match  func(data []byte) bool
}

// recogniseForeign tells a file of the first kind in foreigners that it matches.
func recogniseForeign(name string, data []byte) (format.Recognised, bool) {
	for i := range foreigners {
		f := &foreigners[i]
		if len(data) == 0 || !f.match(data) {
			continue
		}
		return f.recognised(name), true
	}
	return format.Recognised{}, false
}

// recognised is a file of the kind.
func (f *foreign) recognised(name string) format.Recognised {
	kind := model.KindUnrecognizedFormat
	if f.known {
		kind = model.KindUnsupportedVersion
	}
	r := format.Recognised{Describe: f.what, Err: format.Foreign(name, f.what, f.remedy, kind)}
	if f.remedy == format.RunIt {
		r.Companion = format.UnreadProgram{}
	}
	return r
}

// The advice that several kinds share.
const (
	unpackIt    = "unpack it, or upload it as it is: gzip, zstd, xz, bzip2, zip and tar are unpacked automatically"
	coverageAdv = "upload the .profraw or .profdata it was made from"
	copyAgain   = "copy the file again, in binary mode"
	goCover     = "go tool covdata percent -i DIR reads the folder that it is in; coverage of clang, rustc and swift is " +
		"read here: give their .profraw and the program"
	samplesHere = "sample profiles of LLVM and GCC are read here"
	remarks     = "llvm-remarkutil and opt-viewer read them; to see the profile that the compiler optimized by, give " +
		"the .profdata of -fprofile-use"
)

// foreigners, most specific first.
var foreigners = []foreign{
	{
		"a raw MemProf profile of a big-endian machine", "no runtime writes these; copy the file again", true,
		prefix("\xffmprofr\x81"),
	},
	{"what llvm-profdata show --memory prints of a raw MemProf profile",
		"give the raw profile itself, together with its executable", false,
		matchText(`(?m)\A(---\n)?(#.*\n)*MemprofProfile:`)},
	{
		"recorded samples of Linux perf (perf.data)",
		"make a sample profile of it with llvm-profgen or create_llvm_prof, and give that; perf reads it as it is", false,
		prefix("PERFILE2", "PERFFILE"),
	},
	{
		"what perf script prints", "make a sample profile of it and the program: llvm-profgen --perfscript=FILE " +
			"--binary=PROGRAM; it needs the branches that perf record -b records", false,
		matchText(`\A[^\n]*(PERF_RECORD_MMAP2? -?\d+/\d+:|\s\d+\.\d{6,9}:\s+(\d+ +)?[\w/-]+:)`),
	},
	{
		"counters of GCC's coverage (gcda)", "gcov reads it; clang writes its own profiles with -fprofile-generate", false,
		prefix("adcg", "gcda"),
	},
	{
		"notes of GCC's coverage (gcno)", "gcov reads it; clang writes its own profiles with -fprofile-generate", false,
		prefix("oncg", "gcno"),
	},
	{"an ELF executable or object file", format.RunIt, false, prefix("\x7fELF")},
	{"a Mach-O executable or object file", format.RunIt, false,
		prefix("\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xfe\xed\xfa\xcf", "\xfe\xed\xfa\xce", "\xca\xfe\xba\xbe")},
	{"a Windows executable", format.RunIt, false, prefix("MZ")},
	{"a Windows object file (COFF)", format.RunIt, false, coffObject},
	{"a WebAssembly module", format.RunIt, false, prefix("\x00asm")},
	{"LLVM bitcode", format.RunIt, false, prefix("BC\xc0\xde", "\xde\xc0\x17\x0b")},
	{"an archive of object files", format.RunIt, false, prefix("!<arch>\n", "!<thin>\n")},
	{"packed with gzip", unpackIt, false, prefix("\x1f\x8b")},
	{"packed with zstd", unpackIt, false, prefix("\x28\xb5\x2f\xfd")},
	{"packed with xz", unpackIt, false, prefix("\xfd7zXZ\x00")},
	{"packed with bzip2", unpackIt, false, matchText(`\ABZh[1-9](1AY&SY|\x17rE8P)`)},
	{"a zip archive", unpackIt, false, prefix("PK\x03\x04", "PK\x05\x06")},
	{
		"a 7-Zip archive", "unpack it first: 7-Zip archives are not unpacked automatically", false,
		prefix("7z\xbc\xaf\x27\x1c"),
	},
	{"a tar archive", unpackIt, false, at(257, "ustar")},
	{"a SQLite database", "give the profile it was made from", false, prefix("SQLite format 3\x00")},
	{
		"text in UTF-16", "a shell redirection converted it to UTF-16: write the text profile again as ASCII or UTF-8",
		false, prefix("\xff\xfe", "\xfe\xff"),
	},
	{
		"text with a byte order mark", "write it again without the mark, as llvm-profdata does", false,
		prefix("\xef\xbb\xbf"),
	},
	{
		"a profile that was copied as text", copyAgain, false,
		prefix("\xef\xbf\xbdlprof", "\xef\xbf\xbdrforpl", "\xc2\x81rforpl", "\xc3\xbflprof", "\x3frforpl", "\x3flprof"),
	},
	{"the beginning of a profile, cut short", "copy the file again; it has fewer than 8 bytes", false, cutMagic},
	{
		"dsymutil's notes on relocations in a .dSYM bundle",
		"give the bundle's debug info, which is in Contents/Resources/DWARF", false, matchText(`\A---\r?\ntriple: +'`),
	},
	{
		"a web page", "the download failed: a web page was saved instead, perhaps a login page", false,
		matchText(`(?i)\A\s*<(!doctype html|html)`),
	},
	{"XML", coverageAdv, false, matchText(`\A\s*<\?xml`)},
	{"JSON", "llvm-cov export writes JSON; " + coverageAdv, false, matchText(`\A\s*[{\[]\s*["{\[\]}\d]`)},
	{"a tracefile of lcov", coverageAdv, false, matchText(`\A(TN:|SF:)`)},
	{"a list of address ranges, as AutoFDO's text and llvm-profgen's unsymbolized profiles are",
		"make a sample profile of it and the program: create_llvm_prof -profiler=text, or llvm-profgen " +
			"--unsymbolized-profile", true,
		matchText(`\A([ \t]*(\[[^\n]*\]|\d+)\r?\n)+[ \t]*(0x)?[0-9a-fA-F]+-(0x)?[0-9a-fA-F]+:[ \t]*\d+[ \t]*\r?(\n|\z)`)},
	{"a report of gcov", coverageAdv, false, matchText(`\A\s+-:\s+0:`)},
	{"a coverage profile of Go", "go tool cover reads it", false, matchText(`\Amode: (set|count|atomic)\r?\n`)},
	{"metadata of Go's coverage (covmeta)", goCover, false, prefix("\x00cvm")},
	{"counters of Go's coverage (covcounters)", goCover, false, prefix("\x00cwm")},
	{"a pprof profile, as Go's default.pgo is", "go tool pprof reads it; " + samplesHere, false, pprofProto},
	{"a profile that go tool preprofile made from a default.pgo", "go build -pgo reads default.pgo; " + samplesHere, false,
		prefix("GO PREPROFILE ")},
	{"optimization remarks of LLVM (.opt.yaml)", remarks, false,
		matchText(`\A--- !(Missed|Passed|Analysis\w*|Failure)\r?\nPass:`)},
	{"optimization remarks of LLVM, as a bitstream", remarks, false, prefix("RMRK")},
	{"folded stacks, what flame graphs are drawn from",
		"give what the stacks were made from, such as a .memprofraw or an AutoFDO profile: their pages have flame graphs, " +
			"and proflens export -f folded writes such a file", false,
		matchText(`\A([^;\n]+(;[^;\n]+)* \d+\r?\n)*[^;\n]+(;[^;\n]+)+ \d+\r?(\n|\z)`)},
	{"the output of llvm-profdata show", "give the profile itself, or the output of llvm-profdata merge --text", false,
		matchText(`(?m)\A(Counters:\n|Instrumentation level:)`)},
}

// plainText is what no suite guesses to be a damaged profile, such as a README.
var plainText = foreign{"plain text",
	"give the profile itself; in LLVM text profiles a hash and counters follow each name, one per line", false,
	isPlainText}

// isPlainText matches text in UTF-8 without control characters, by the first 4 KiB.
func isPlainText(data []byte) bool {
	const enough = 4096
	first := data[:min(len(data), enough)]
	for i := len(first) - 1; i >= max(0, len(first)-utf8.UTFMax); i-- {
		if utf8.RuneStart(first[i]) {
			if !utf8.FullRune(first[i:]) {
				first = first[:i] // the last character is cut
			}
			break
		}
	}
	return len(first) > 0 && utf8.Valid(first) &&
		bytes.IndexFunc(first, func(r rune) bool { return r == 0x7f || r < ' ' && (r < '\t' || r > '\r') }) < 0
}

func prefix(prefixes ...string) func([]byte) bool {
	return func(data []byte) bool {
		for _, p := range prefixes {
			if bytes.HasPrefix(data, []byte(p)) {
				return true
			}
		}
		return false
	}
}

func at(offset int, want string) func([]byte) bool {
	return func(data []byte) bool {
		return len(data) >= offset && bytes.HasPrefix(data[offset:], []byte(want))
	}
}

// matchText matches the beginning of the file, of which it sees 4 KiB.
func matchText(re string) func([]byte) bool {
	r := lazyregexp.New(re)
	return func(data []byte) bool { return r().Match(data[:min(len(data), 4096)]) }
}

// cutMagic matches a few first bytes of a raw or indexed profile.
func cutMagic(data []byte) bool {
	for _, magic := range []string{
		"\x81rforpl\xff", "\xfflprofr\x81", "\x81Rforpl\xff", "\xfflprofR\x81", "\xfflprofi\x81",
	} {
		if len(data) < len(magic) && magic[:len(data)] == string(data) {
			return true
		}
	}
	return false
}

// coffObject matches an object file of a Windows compiler: a machine, a few
// sections, and no optional header, which only executables have; or the header
// of one with very many sections.
func coffObject(data []byte) bool {
	if len(data) < 20 {
		return false
	}
	if prefix("\x00\x00\xff\xff\x01\x00", "\x00\x00\xff\xff\x02\x00")(data) {
		return true
	}
	sections, symbols := binary.LittleEndian.Uint16(data[2:]), binary.LittleEndian.Uint32(data[8:])
	return prefix("\x64\x86", "\x4c\x01", "\x64\xaa", "\xc4\x01")(data) &&
		sections > 0 && uint64(symbols) <= uint64(len(data)) && binary.LittleEndian.Uint16(data[16:]) == 0
}

// pprofProto matches a profile.proto, unpacked, by a sample_type (field 1), a ValueType of
// two small numbers, among its first fields: Go writes those that are numbers before.
func pprofProto(data []byte) bool {
	const first, number, bytes, last = 16, 0, 2, 15
	for range first {
		key, n := binary.Uvarint(data)
		if n <= 0 || key>>3 == 0 || key>>3 > last {
			return false
		}
		value, m := binary.Uvarint(data[n:])
		if m <= 0 {
			return false
		}
		data = data[n+m:]
		switch key & 7 {
		case number:
		case bytes:
			if key>>3 == 1 {
				return (value == 4 || value == 2) && len(data) > 2 && data[0] == 0x08 && data[1] < 0x80
			}
			if value > uint64(len(data)) {
				return false
			}
			data = data[value:]
		default:
			return false
		}
	}
	return false
}
