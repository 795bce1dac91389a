package webtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/internal/humanize"
)

// Page asks for a page as a browser does, checks what holds on every page and
// parses it.
func (s *Server) Page(path string, status int, headers ...string) *html.Node {
	s.T.Helper()
	a := s.Get(path, slices.Concat([]string{"Accept", "text/html"}, headers)...)
	if a.StatusCode != status {
		s.T.Fatalf("GET %s: %s: %s", path, a.Status, a.Bytes)
	}
	doc := a.Parse(s.T)
	CheckPage(s.T, doc)
	return doc
}

// Says fails unless a page has each text among its words, or the addresses that it links to; a text that
// begins with ! it must not have.
func (s *Server) Says(path string, texts ...string) {
	s.T.Helper()
	doc := s.Page(path, 200)
	said := Said(doc)
	for _, a := range All(doc, Tag("a")) {
		said += "\n" + Attr(a, "href")
	}
	for _, text := range texts {
		if rest, not := strings.CutPrefix(text, "!"); strings.Contains(said, rest) == not {
			s.T.Errorf("%s: %q is wrong of\n%s", path, text, said)
		}
	}
}

// idle is what no page says: that nothing, or less, is left; and what is no number.
var idle = regexp.MustCompile(`(?:^|[^,\d]\s)(?:0|[−-]\d+) more\b|\bNaN\b|[+−-]Inf\b`)

func saysIdle(text string) bool {
	if !strings.Contains(text, "more") && !strings.Contains(text, "NaN") && !strings.Contains(text, "Inf") {
		return false // soon: pages have many texts
	}
	return idle.MatchString(strings.ReplaceAll(text, humanize.NumberSpace, " "))
}

// CheckPage asserts what holds on every page: nothing inline, one h1, every id once, no word of nothing left.
func CheckPage(t testing.TB, doc *html.Node) {
	t.Helper()
	ids, h1 := map[string]bool{}, 0
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && saysIdle(n.Data) {
			t.Errorf("a page says %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "h1" {
			h1++
		}
		if n.Data == "script" && Attr(n, "src") == "" {
			t.Errorf("an inline script: %q", Text(n))
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s %s=%q>: the content policy forbids it", n.Data, a.Key, a.Val)
			}
			if a.Key == "href" && strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
				t.Errorf("a link to %q", a.Val)
			}
			if a.Key == "id" {
				if ids[a.Val] {
					t.Errorf("id %q is there twice", a.Val)
				}
				ids[a.Val] = true
			}
		}
	}
	if h1 != 1 {
		t.Errorf("%d h1, want 1", h1)
	}
}

// Attr is an attribute of an element, empty where it has none.
func Attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// Text is a node's text with white space folded.
func Text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
			if d.NextSibling == nil || d.NextSibling.Data != "wbr" { // where a word may break
				b.WriteByte(' ')
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Said is Text with ordinary spaces, where numbers have others.
func Said(n *html.Node) string { return strings.ReplaceAll(Text(n), "\u00a0", " ") }

// All are the elements that a predicate picks, in order.
func All(n *html.Node, pick func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && pick(d) {
			found = append(found, d)
		}
	}
	return found
}

// Tag picks elements by their name.
func Tag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

// ByTestID is the one element with a data-testid.
func ByTestID(t testing.TB, n *html.Node, id string) *html.Node {
	t.Helper()
	found := AllByTestID(n, id)
	if len(found) != 1 {
		t.Fatalf("%d elements with data-testid %q, want 1", len(found), id)
	}
	return found[0]
}

// AllByTestID are the elements with a data-testid.
func AllByTestID(n *html.Node, id string) []*html.Node {
	return All(n, func(n *html.Node) bool { return Attr(n, "data-testid") == id })
}

// HasTestID reports whether there is an element with a data-testid.
func HasTestID(n *html.Node, id string) bool { return len(AllByTestID(n, id)) > 0 }

// LinkTo is the address of the link with a text, or with an aria-label.
func LinkTo(t testing.TB, n *html.Node, label string) string {
	t.Helper()
	for _, a := range All(n, Tag("a")) {
		if strings.HasPrefix(Text(a), label) || Attr(a, "aria-label") == label {
			return Attr(a, "href")
		}
	}
	t.Fatalf("no link %q", label)
	return ""
}
