package sourceweb

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	theirs "github.com/alecthomas/chroma/v2/lexers"

	"proflens/views/sourceview"
)

// A file has its colours once they are known, and a page does not wait for them long.
func TestSyntaxIsKept(t *testing.T) {
	TokensOf(theirs.Match("x.cpp"), []byte("int x; // a clock that starts with the first text\n"), func([][]Token) {})
	synctest.Test(t, func(t *testing.T) {
		var s Syntax
		text := []byte("int f() { /* one\ntwo */ return 1; }\n#define X\n\tint y;")
		s.Of("/b/x.cpp", text, 4, false)
		synctest.Wait()
		if got, settled := s.Of("/b/x.cpp", text, 4, false); len(got) < 4 || !settled {
			t.Errorf("%d lines, %v", len(got), settled)
		}
		for name, size := range map[string]int{"x.unknown-kind": 10, "x.cpp": maxColoured + 1} {
			if tokens, settled := s.Of(name, make([]byte, size), 1, false); tokens != nil || !settled {
				t.Errorf("%s of %d bytes: %d lines, %v", name, size, len(tokens), settled)
			}
		}
		s.size = maxSyntax
		s.Of("x.c", []byte("int x;\n"), 1, false)
		synctest.Wait()
		if len(s.files) != 1 {
			t.Errorf("%d files are kept", len(s.files))
		}
	})
}

// Of a file that is too large the lines that are shown have the colours of the whole.
func TestSyntaxOfAPart(t *testing.T) {
	text := []byte(strings.Repeat("/* a\n} */ int y;\n}\n/* b\n c */ int z;\n", maxColouredLines/5+1))
	whole := TokensOf(theirs.Match("x.cpp"), text, func([][]Token) {})
	var s Syntax
	for _, at := range []int{1, 3, 5, 25_004, len(whole) - 1} {
		tokens, settled := s.Between("x.cpp", text, at, at+2, true)
		for line := at; line <= min(at+2, len(whole)-1); line++ {
			if !settled || !slices.Equal(tokens[line-1], whole[line-1]) {
				t.Errorf("from line %d, line %d: %v, %v, not %v", at, line, settled, tokens[line-1], whole[line-1])
			}
		}
	}
}

// A page waits for the colours of its own lines alone, and several for the same ones.
func TestSyntaxOfTheFirstLines(t *testing.T) {
	text := []byte(strings.Repeat("int x; /* a\nb */ int y;\n", 2*tellEvery))
	whole := TokensOf(theirs.Match("x.cpp"), text, func([][]Token) {})
	var s Syntax
	s.work.Lock() // as if another file were on its way
	go func() {
		for {
			s.mu.Lock()
			n := len(s.queue)
			s.mu.Unlock()
			if n == 1 {
				s.work.Unlock()
				return
			}
		}
	}()
	for range 2 {
		tokens, settled := s.Of("/b/x.cpp", text, 10, true)
		if !settled || len(tokens) < tellEvery || !slices.Equal(tokens[9], whole[9]) {
			t.Fatalf("%v, %d lines", settled, len(tokens))
		}
	}
	tokens, settled := s.Of("/b/x.cpp", text, 1<<20, true)
	if !settled || !slices.EqualFunc(tokens, whole, slices.Equal) {
		t.Errorf("%v, %d lines of %d", settled, len(tokens), len(whole))
	}
}

// Bytes that are no UTF-8 move no colour, and controls and the mark of the byte order are no
// broken characters.
func TestOddBytesOfSources(t *testing.T) {
	text := []byte("\ufeff\x0b\tint a; /* \xc3 */ return 0;\x0c\n")
	tokens := TokensOf(theirs.Match("x.c"), text, func([][]Token) {})
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
