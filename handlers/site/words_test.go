package site

import (
	"strings"
	"testing"

	"proflens/catalog"
	"proflens/decode/model"
)

func TestStateTag(t *testing.T) {
	warning := &model.Finding{Severity: model.Warning, Message: "212 functions with two hashes"}
	for _, c := range []struct {
		entry catalog.Entry
		want  string
	}{
		{catalog.Entry{State: catalog.Ready}, "ready"},
		{catalog.Entry{State: catalog.Ready, Finding: warning}, "warnings"},
		{
			catalog.Entry{State: catalog.Ready, Finding: warning, Files: []catalog.FileEntry{{Partial: &model.Partial{}}}},
			"partial",
		},
		{catalog.Entry{State: catalog.Ready, Finding: &model.Finding{Severity: model.Note, Message: "x"}}, "ready"},
		{catalog.Entry{State: catalog.Failed}, "failed"},
		{
			catalog.Entry{State: catalog.Failed, Finding: &model.Finding{Severity: model.Error, Message: "ends at byte 5"}},
			"failed",
		},
		{catalog.Entry{State: catalog.Decoding}, "decoding"},
		{catalog.Entry{State: catalog.Received}, "waiting"},
	} {
		if got := stateTag(&c.entry).Text; got != c.want {
			t.Errorf("%+v: %q, want %q", c.entry, got, c.want)
		}
	}
}

func TestFormatWords(t *testing.T) {
	for describe, want := range map[string][2]string{
		"LLVM raw v8, 64-bit, little-endian, IR, entry first": {"LLVM raw", "IR, entry first"},
		"LLVM indexed v13, front end":                         {"LLVM indexed", "front end"},
		"LLVM text, IR":                                       {"LLVM text", "IR"},
		"":                                                    {"", ""},
	} {
		if format, variant := formatWords(describe); format != want[0] || variant != want[1] {
			t.Errorf("%q: %q, %q", describe, format, variant)
		}
	}
}

func TestSentence(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "the file ends here": "The file ends here.", "header: too short.": "Header: too short.",
		"app.profraw is not whole": "app.profraw is not whole.", "ELF": "ELF.",
		"llvm-cov calls 2 records mismatched": "llvm-cov calls 2 records mismatched.",
		"llvm-profdata, of LLVM 22":           "llvm-profdata, of LLVM 22.",
		"front-end instrumentation":           "Front-end instrumentation.",
	} {
		if got := Sentence(s); got != want {
			t.Errorf("%q became %q, not %q", s, got, want)
		}
	}
}

// A file keeps its name, also where the name is a word.
func TestProblemOfAFileBeginsWithItsName(t *testing.T) {
	p := FailedProfile(&catalog.Entry{Finding: &model.Finding{File: "app", Message: "this is an ELF executable"}})
	if text := p.Text(); !strings.Contains(text, "\napp: this is an ELF executable.\n") {
		t.Errorf("the problem is told as %q", text)
	}
	f := model.Finding{File: "seg", Message: "seg has no debug info: no function has its line"}
	for file, want := range map[string]string{"seg": "seg has no", "other": "Seg has no", "": "Seg has no"} {
		if f.File = file; !strings.HasPrefix(Told(&f), want) {
			t.Errorf("of %q it is told as %q", file, Told(&f))
		}
	}
}
