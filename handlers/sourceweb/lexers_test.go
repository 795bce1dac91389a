package sourceweb

import (
	"reflect"
	"slices"
	"testing"

	"github.com/alecthomas/chroma/v2"
	theirs "github.com/alecthomas/chroma/v2/lexers"
)

// TestLexersAreChromas: a file has the colours that Chroma's own lexers give it. Those that are
// code are not in the archive.
func TestLexersAreChromas(t *testing.T) {
	code := []string{
		"Common Lisp", "EmacsLisp", "ERB", "Go HTML Template", "Haxe", "HTTP", "markdown", "PHTML", "Raku",
		"reStructuredText", "Svelte", "YAML+Jinja",
	}
	for _, l := range theirs.GlobalLexerRegistry.Lexers {
		want := l.Config()
		i := slices.IndexFunc(lexers().Lexers, func(l chroma.Lexer) bool { return l.Config().Name == want.Name })
		switch {
		case slices.Contains(code, want.Name):
		case i < 0:
			t.Errorf("%s is missing", want.Name)
		default:
			got := lexers().Lexers[i].Config()
			if !slices.Equal(got.Filenames, want.Filenames) || got.Priority != want.Priority {
				t.Errorf("%s has %q, %v, not %q, %v", want.Name, got.Filenames, got.Priority, want.Filenames, want.Priority)
			}
		}
	}
	text := []byte("#define X 1 // one\n/* two\n */ int f(char *s) { return \"a\\\"b\"[0]; }\n" +
		"func g() -> u8 { `raw\n` 'c' }\n! a\n-- b\n")
	for _, name := range []string{
		"a.c", "a.cpp", "a.h", "a.m", "a.rs", "a.swift", "a.d", "a.f90", "a.zig", "a.go", "a.hs", "a.jl", "a.kt", "a.nim",
		"a.adb", "a.ml", "a.pas", "a.py", "a.s", "a.ll", "a.java", "a.js", "a.pyx",
	} {
		want := theirs.Match(name)
		got := lexers().Match(name)
		if want == nil || got == nil {
			t.Fatalf("%s: %v, %v", name, want, got)
		}
		all := func([][]Token) {}
		if !reflect.DeepEqual(TokensOf(got, text, all), TokensOf(want, text, all)) {
			t.Errorf("%s: the colours are others", name)
		}
	}
}
