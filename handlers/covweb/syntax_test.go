package covweb

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/alecthomas/chroma/v2/lexers"

	"proflens/views/covview"
)

const shortText = "int f() { /* one\ntwo */ return 1; }\n#define X \"s\"\n\tchar *s = \"t\";"

// Spans that are divided by their syntax say the same text.
func TestColoursKeepTheText(t *testing.T) {
	text := []byte(shortText + "\n" + strings.Repeat("x", 2000) + "\n\r\n")
	l := listing{text: bytes.Split(text, []byte("\n")), syntax: tokensOf(lexers.Match("x.cpp"), text)}
	seen := map[string]string{}
	for n := range l.text {
		said := ""
		for _, span := range l.plainText(uint32(n + 1)) {
			said += span.Text
			seen[span.Class] += span.Text + "|"
		}
		if said != sourceText(l.text[n]) {
			t.Errorf("line %d: %q, not %q", n+1, said, l.text[n])
		}
	}
	for class, want := range map[string]string{"syn-k": "return", "syn-c": "two */", "syn-s": `"t"`} {
		if !strings.Contains(seen[class], want) {
			t.Errorf("%s: %q", class, seen[class])
		}
	}
	if list := l.coloured(nil, 2, 3, 9, covview.Span{Class: "src-missed", Title: "never ran"}); len(list) < 2 || list[0].Text != " */" || list[0].Class != "src-missed syn-c" || list[0].Title != "never ran" {
		t.Errorf("%+v", list)
	}
}

// A file has its colours once they are known, and a page does not wait for them long.
func TestSyntaxIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s syntax
		s.of("/b/x.cpp", []byte(shortText), false)
		synctest.Wait()
		if got, settled := s.of("/b/x.cpp", []byte(shortText), false); len(got) < 4 || !settled {
			t.Errorf("%d lines, %v", len(got), settled)
		}
		for name, size := range map[string]int{"x.unknown-kind": 10, "x.cpp": maxColoured + 1} {
			if tokens, settled := s.of(name, make([]byte, size), false); tokens != nil || !settled {
				t.Errorf("%s of %d bytes: %d lines, %v", name, size, len(tokens), settled)
			}
		}
		s.size = maxSyntax
		s.of("x.c", []byte("int x;\n"), false)
		synctest.Wait()
		if len(s.files) != 1 {
			t.Errorf("%d files are kept", len(s.files))
		}
	})
}
