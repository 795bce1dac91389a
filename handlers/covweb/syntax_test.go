package covweb

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2/lexers"

	"proflens/handlers/sourceweb"
	"proflens/views/sourceview"
)

const shortText = "int f() { /* one\ntwo */ return 1; }\n#define X \"s\"\n\tchar *s = \"t\";"

// Spans that are divided by their syntax say the same text.
func TestColoursKeepTheText(t *testing.T) {
	text := []byte(shortText + "\n" + strings.Repeat("x", 2000) + "\n\r\n")
	tokens := sourceweb.TokensOf(lexers.Match("x.cpp"), text, func([][]sourceweb.Token) {})
	l := listing{text: bytes.Split(text, []byte("\n")), syntax: tokens}
	seen := map[string]string{}
	for n := range l.text {
		said := ""
		for _, span := range l.plainText(uint32(n + 1)) {
			said += span.Text
			seen[span.Class] += span.Text + "|"
		}
		if said != sourceview.Visible(l.text[n]) {
			t.Errorf("line %d: %q, not %q", n+1, said, l.text[n])
		}
	}
	for class, want := range map[string]string{"syn-k": "return", "syn-c": "two */", "syn-s": `"t"`} {
		if !strings.Contains(seen[class], want) {
			t.Errorf("%s: %q", class, seen[class])
		}
	}
	if list := l.coloured(nil, 2, 3, 9, sourceview.Code{Class: "src-missed", Title: "never ran"}); len(list) < 2 ||
		list[0].Text != " */" || list[0].Class != "src-missed syn-c" || list[0].Title != "never ran" {
		t.Errorf("%+v", list)
	}
}
