package pages

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRender(t *testing.T) {
	list, err := render(fstest.MapFS{"a.md": {Data: []byte(`# How it *is*

What it says
of ` + "`x`" + `.

## One {#first}

| a | b |
| --- | ---: |
| {#cell} 1 | <script>alert(1)</script> |

### Below

<p onclick="x()">raw</p>

{#paragraph} *Text* of {#no} anchor. [bad](javascript:alert(1)) [good](/docs/b#c)

## Two things

    curl http://localhost:8080/
`)}})
	if err != nil {
		t.Fatal(err)
	}
	p := list[0]
	if p.Name != "a" || p.Title != "How it is" || p.Summary != "What it says of x." {
		t.Errorf("name %q, title %q, summary %q", p.Name, p.Title, p.Summary)
	}
	if want := []Section{{"first", "One"}, {"two-things", "Two things"}}; !slices.Equal(p.Sections, want) {
		t.Errorf("sections %q, want %q", p.Sections, want)
	}
	if want := []string{"first", "cell", "below", "paragraph", "two-things"}; !slices.Equal(p.Anchors, want) {
		t.Errorf("anchors %q, want %q", p.Anchors, want)
	}
	for _, forbidden := range []string{"<script", "onclick", "javascript:", "style=", "<h1"} {
		if strings.Contains(p.HTML, forbidden) {
			t.Errorf("the page has %s:\n%s", forbidden, p.HTML)
		}
	}
	for _, wanted := range []string{
		`<h2 id="first">`, `<td id="cell">1<`, `<p id="paragraph"><em>Text</em> of {#no} anchor.`,
		`href="/docs/b#c"`, `<pre tabindex="0"><code>curl ` + Address,
		`role="region" aria-label="Table 1"><table`,
	} {
		if !strings.Contains(p.HTML, wanted) {
			t.Errorf("the page lacks %s:\n%s", wanted, p.HTML)
		}
	}
	if _, err := render(fstest.MapFS{"b.md": {Data: []byte("no title")}}); err == nil {
		t.Error("a page without a title was rendered")
	}
}

// Every page renders, and every link between pages leads somewhere.
func TestPages(t *testing.T) {
	for _, p := range All() {
		if p.Summary == "" || len(p.HTML) < 200 {
			t.Errorf("%s says nothing", p.Name)
		}
		if anchors := slices.Sorted(slices.Values(p.Anchors)); len(slices.Compact(slices.Clone(anchors))) != len(anchors) {
			t.Errorf("%s has an anchor twice: %v", p.Name, anchors)
		}
		rest := p.HTML
		for {
			_, after, found := strings.Cut(rest, `href="`)
			if !found {
				break
			}
			link, _, _ := strings.Cut(after, `"`)
			rest = after
			if !leads(p.Name, link) {
				t.Errorf("%s links to %s, where nothing is", p.Name, link)
			}
		}
	}
}

// leads reports whether a link on a page of the manual leads somewhere, as far
// as it leads to the manual: to a page, and there to an anchor.
func leads(from, link string) bool {
	target, anchor, _ := strings.Cut(link, "#")
	if target == "" {
		target = "/docs/" + from
	}
	name, ok := strings.CutPrefix(target, "/docs/")
	if !ok || name == "" {
		return true
	}
	page, ok := Named(name)
	if !ok {
		return false
	}
	if anchor == "" {
		return true
	}
	for _, a := range page.Anchors {
		if a == anchor {
			return true
		}
	}
	return false
}
