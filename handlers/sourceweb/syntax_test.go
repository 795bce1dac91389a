package sourceweb

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/alecthomas/chroma/v2/lexers"

	"proflens/views/sourceview"
)

// A file has its colours once they are known, and a page does not wait for them long.
func TestSyntaxIsKept(t *testing.T) {
	TokensOf(lexers.Match("x.cpp"), []byte("int x; // a clock that starts with the first text\n"))
	synctest.Test(t, func(t *testing.T) {
		var s Syntax
		text := []byte("int f() { /* one\ntwo */ return 1; }\n#define X\n\tint y;")
		s.Of("/b/x.cpp", text, false)
		synctest.Wait()
		if got, settled := s.Of("/b/x.cpp", text, false); len(got) < 4 || !settled {
			t.Errorf("%d lines, %v", len(got), settled)
		}
		for name, size := range map[string]int{"x.unknown-kind": 10, "x.cpp": maxColoured + 1} {
			if tokens, settled := s.Of(name, make([]byte, size), false); tokens != nil || !settled {
				t.Errorf("%s of %d bytes: %d lines, %v", name, size, len(tokens), settled)
			}
		}
		s.size = maxSyntax
		s.Of("x.c", []byte("int x;\n"), false)
		synctest.Wait()
		if len(s.files) != 1 {
			t.Errorf("%d files are kept", len(s.files))
		}
	})
}

// Bytes that are no UTF-8 move no colour, and controls and the mark of the byte order are no
// broken characters.
func TestOddBytesOfSources(t *testing.T) {
	text := []byte("\ufeff\x0b\tint a; /* \xc3 */ return 0;\x0c\n")
	tokens := TokensOf(lexers.Match("x.c"), text)
	var got []string
	for _, code := range Coloured(nil, text[:len(text)-1], tokens[0], 0, len(text)-1, sourceview.Code{}) {
		got = append(got, code.Class+":"+code.Text)
	}
	want := []string{":␋\t", classes[keyword] + ":int", ": a; ", classes[comment] + `:/* \xc3 */`, ": ",
		classes[keyword] + ":return", ": 0;␌"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
