package sourceweb

import (
	"testing"
	"testing/synctest"

	"github.com/alecthomas/chroma/v2/lexers"
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
