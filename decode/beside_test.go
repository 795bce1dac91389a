package decode_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// beside are files of testdata/beside, or of these bytes, as one upload has them.
func beside(t *testing.T, names []string, texts map[string]string) (files []format.File) {
	t.Helper()
	for _, name := range names {
		data := []byte(texts[name])
		if len(data) == 0 {
			var err error
			if data, err = os.ReadFile("testdata/beside/" + name); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, format.File{Name: name, Data: data, Optional: true})
	}
	return files
}

const ownID, otherID = "c81109d252ce36d3c568491b5e02b2d628347aac", "3614510247843f3729916b86341caf04156d1bfb"

// Sources as C++ and Rust have them, with a line that begins with a colon and one that is
// a number.
const inl = "// Iterators.\n\nA::A()\n: b_(0)\n{}\n12\n"

// A profile is opened whatever stands beside it, and the findings say what was of no use:
// the build ID decides whether a program is the one that ran.
func TestACompanionNeverSpoilsAProfile(t *testing.T) {
	texts := map[string]string{
		"json_valueiterator.inl": inl, "only_includes.h": "#include <a>\n#define B 1\n", "page.html": "<!doctype html>",
		"app.nm":      "0000000000001000 T main\n",
		"cut.profraw": "\x81rforpl\xff\x0a\x00\x00\x00\x00\x00\x00\x01", "bad.profdata": "\xfflprofi\x81\x0d\x00",
		"ranges.txt":  "1\n262c-2640:1\n0\n0\n",
		"cut.samples": "main:123:45\n 1: bad\n",
	}
	for _, test := range []struct {
		with string
		says []string // code, severity and parts of the message
	}{
		{"own.elf", []string{"lines.no_debug_info", "note", "own.elf has no debug info: no function has its line"}},
		{"other.elf", []string{"lines.build_id", "warning", "another program", ownID, otherID}},
		{"json_valueiterator.inl", []string{"input.left_out", "note", "plain text"}},
		{"only_includes.h", []string{"input.left_out", "note", "plain text"}},
		{"page.html", []string{"input.left_out", "note", "a web page"}},
		{"app.nm", []string{"input.left_out", "note"}},
		{"cut.profraw", []string{"merge.left_out", "warning", "left out"}},
		{"bad.profdata", []string{"merge.left_out", "warning", "left out"}},
		{"cut.samples", []string{"merge.left_out", "warning",
			"cut.samples is sample profile (text), which cannot form one profile with ran.profraw"}},
		{"ranges.txt", []string{"merge.left_out", "warning", "address ranges"}},
	} {
		for _, order := range [][]string{{"ran.profraw", test.with}, {test.with, "ran.profraw"}} {
			p, err := decode.Open(t.Context(), beside(t, order, texts), format.Options{})
			if err != nil {
				t.Errorf("%v: %v", order, err)
				continue
			}
			src, ok := format.PartOf[instrprof.Source](p)
			if !ok {
				t.Errorf("%v: no counters", order)
				continue
			}
			functions := 0
			for _, err := range src.Functions() {
				if functions++; err != nil {
					t.Fatal(err)
				}
			}
			found := p.Findings()
			if functions != 3 || len(found) != 1 {
				t.Errorf("%v: %d functions, findings %+v", order, functions, found)
				continue
			}
			said := fmt.Sprint(found[0].Code, " ", found[0].Severity, " ", found[0].File, " ", found[0].Message)
			for _, part := range test.says {
				if !strings.Contains(said, part) {
					t.Errorf("%v: no %q in %s", order, part, said)
				}
			}
			if test.with == "other.elf" && p.Declared != nil {
				t.Error("lines of another program are shown")
			}
		}
	}
}

// Of raw profiles of several programs, those are named whose program was not given; where none
// was, those of the front end, whose lines are not known without.
func TestAProgramThatIsNotGiven(t *testing.T) {
	ran := beside(t, []string{"ran.profraw"}, nil)[0].Data
	own, err := hex.DecodeString(ownID)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"absent.profraw": strings.Replace(string(ran), string(own), strings.Repeat("\xab", 20), 1)}
	const variant = 15 // offset of the highest byte of the version
	texts["frontend.profraw"] = string(ran[:variant]) + "\x00" + string(ran[variant+1:])
	for files, want := range map[string]string{
		"own.elf ran.profraw absent.profraw absent.profraw": "absent.profraw abababab",
		"own.elf ran.profraw":                               "",
		"ran.profraw absent.profraw":                        "",
		"frontend.profraw":                                  "frontend.profraw " + ownID,
		"frontend.profraw frontend.profraw":                 "frontend.profraw " + ownID,
		"own.elf frontend.profraw":                          "",
		"other.elf ran.profraw absent.profraw":              "", // it is said of the program
	} {
		p, err := decode.Open(t.Context(), beside(t, strings.Fields(files), texts), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, f := range p.Findings() {
			if f.Code == "raw.no_program" {
				said += f.File + " " + f.Message
			}
		}
		if name, id, _ := strings.Cut(want, " "); !strings.HasPrefix(said, name) || !strings.Contains(said, id) ||
			want == "" && said != "" || strings.Count(said, "not given") > 1 {
			t.Errorf("%s: %s", files, said)
		}
	}
}

// Of profiles of two families the first is taken, whichever it is, and the other is named.
func TestTheFirstFamilyIsTaken(t *testing.T) {
	texts := map[string]string{"a.samples": "main:123:45\n 1: 5\n 2: 6\n"}
	for first, family := range map[string]model.Family{"ran.profraw": instrprof.Family,
		"a.samples": sampleprof.Family} {
		other := "a.samples"
		if first == other {
			other = "ran.profraw"
		}
		p, err := decode.Open(t.Context(), beside(t, []string{first, other}, texts), format.Options{})
		if err != nil {
			t.Errorf("%s: %v", first, err)
			continue
		}
		named := func(f model.Finding) bool { return f.File == other && f.Code == "merge.left_out" }
		files := beside(t, []string{first, other}, texts)
		files[1].Optional = false
		if _, err := decode.Open(t.Context(), files, format.Options{}); model.KindOf(err) != model.KindIncompatible &&
			first == "ran.profraw" {
			t.Errorf("%s, which is needed: %v", other, err)
		}
		if p.Info.Families[0] != family || !slices.ContainsFunc(p.Findings(), named) {
			t.Errorf("%s: %v, %+v", first, p.Info.Families, p.Findings())
		}
	}
}

// Counters of the optimiser beside those of the front end take no lines from them.
func TestCoverageStaysBesideOtherCounters(t *testing.T) {
	const of = "covmap/testdata/clang-22/rules/rules."
	files := beside(t, []string{"ran.profraw", "rules.profdata", "rules.exe"},
		map[string]string{"rules.profdata": read(t, of+"profdata"), "rules.exe": read(t, of+"exe")})
	for range files {
		p, err := decode.Open(t.Context(), files, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		mixed := func(f model.Finding) bool { return f.Code == "merge.mixed_kinds" }
		if _, ok := format.PartOf[*covmap.Records](p); !ok || !slices.ContainsFunc(p.Findings(), mixed) {
			t.Errorf("%s first: %v, %+v", files[0].Name, p.Info.Families, p.Findings())
		}
		files = append(files[1:], files[0])
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A guess gives way to what is certain, also when files are sorted into profiles; by
// itself it says that it is one.
func TestAGuessGivesWay(t *testing.T) {
	guess, profile := decode.Recognise("a.inl", []byte(inl)),
		decode.Recognise("a.proftext", []byte(":ir\nmain\n1\n1\n5\n"))
	if guess.Else == nil || profile.Else != nil {
		t.Fatalf("%+v, %+v", guess, profile)
	}
	format.Settle([]*format.Recognised{&guess, &profile})
	if groups := format.Group([]format.Recognised{guess, profile}); len(groups) != 1 || !guess.Foreign() {
		t.Errorf("%v, %+v", groups, guess)
	}
	for name, says := range map[string]string{
		inl:                       "which is a guess",
		"f: 100:1\n 1: 5\n":       "sample profile (text), which is a guess: the line begins no function",
		"f:100:1\n 1: -5\n":       "the samples of a place cannot be read",
		" 1: 5\nf:1:1\n":          "a line of samples stands before the first function",
		"hello world\nno more\n":  "this is plain text",
		"12\n 262c-2640:1\n":      "a list of address ranges",
		"3\n262c-2640:1\n1-2:3\n": "a list of address ranges",
	} {
		for _, file := range []string{"a", "a.prof"} {
			_, err := decode.Open(t.Context(), []format.File{{Name: file, Data: []byte(name)}}, format.Options{})
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

// A program without a build ID cannot be told from others: that is said, and no library's
// is asked for in its place.
func TestAProgramWithoutABuildID(t *testing.T) {
	for _, names := range [][]string{{"a.memprofraw"}, {"a.memprofraw", "noid.elf"}} {
		p, err := decode.Open(t.Context(), beside(t, names, nil), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(p.Findings(), func(f model.Finding) bool { return f.Kind == model.KindUnsymbolized })
		if at < 0 {
			t.Fatalf("%+v", p.Findings())
		}
		f := p.Findings()[at]
		if !strings.Contains(f.Message, "the program has no build ID, so its functions cannot be found") ||
			f.Expected != "" ||
			!strings.HasPrefix(f.Remedy, "link with -Wl,--build-id and record again; libraries in its call stacks have ") {
			t.Errorf("%+v", f)
		}
		if len(names) == 1 {
			continue
		}
		left := slices.IndexFunc(p.Findings(), func(f model.Finding) bool { return f.File == "noid.elf" })
		if left < 0 || !strings.Contains(p.Findings()[left].Message, "has no build ID") || p.Findings()[left].Expected != "" {
			t.Errorf("%+v", p.Findings())
		}
	}
}

// Nor is it asked for where one of its libraries has the functions of some addresses.
func TestLibraryOfAProgramWithoutABuildID(t *testing.T) {
	p, err := decode.Open(t.Context(), beside(t, []string{"without_id.memprofraw", "liballoc.so"}, nil),
		format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(p.Findings(), func(f model.Finding) bool { return f.Code == "memprof.addresses_left_out" })
	if at < 0 {
		t.Fatalf("%+v", p.Findings())
	}
	f := p.Findings()[at]
	if !strings.HasSuffix(f.Message, "; the program has no build ID, so its functions cannot be found") ||
		!strings.HasSuffix(f.Remedy, ", with debug info; link with -Wl,--build-id and record again") ||
		strings.Contains(f.Remedy, "0x") {
		t.Errorf("%+v", f)
	}
}

// A program that was compiled without debug info can have that of a library in it, as those
// of Rust do: it is still the right one, and has no lines.
func TestDebugInfoOfLibrariesAlone(t *testing.T) {
	p, err := decode.Open(t.Context(), beside(t, []string{"ran.profraw", "library.elf"}, nil), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	main := func(name []byte) bool { return string(name) == "main" }
	found, err := p.Declared(t.Context(), main, func(d model.Declaration) { t.Errorf("%+v is declared", d) })
	if err != nil || len(found) != 1 || found[0].Severity != model.Note ||
		!strings.Contains(found[0].Message, "library.elf has debug info of libraries alone") {
		t.Errorf("%+v, %v", found, err)
	}
}
