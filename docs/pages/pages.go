// Package pages is the manual that a server shows under /docs: the markdown
// files of this folder, each a page. To add a page, add a file; its first
// heading is the title, and the paragraph after it is what the index says.
//
// A heading may end in the anchor that links lead to, "## Share {#share}"; a paragraph
// or the cell of a table may begin with it. What is HTML in a file is not passed on.
// "http://localhost:8080" stands for the address of the server that shows the page.
package pages

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed *.md
var files embed.FS

// Address stands in the pages for the address of the server that shows them.
const Address = "http://localhost:8080"

// Page is one page of the manual.
type Page struct {
	Name     string    // the file's without ".md", as in /docs/{name}
	Title    string    // the first heading
	Summary  string    // the first paragraph, as plain text
	Sections []Section // the headings of the second level
	HTML     string    // all of it but the title
	Anchors  []string  // every id that a link can lead to
}

// Section is a heading that a table of contents leads to.
type Section struct{ ID, Title string }

// All are the pages by name. They are rendered once.
var All = sync.OnceValue(func() []Page {
	list, err := render(files)
	if err != nil {
		panic(err) // the files are part of the program, and a test reads them
	}
	return list
})

// Named is the page of this name.
func Named(name string) (*Page, bool) {
	list := All()
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

// markdown leaves HTML in the source out, and writes no style attribute, which
// the pages' content policy forbids.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute()),
)

// render renders the markdown files of a folder.
func render(folder fs.FS) ([]Page, error) {
	names, err := fs.Glob(folder, "*.md")
	if err != nil {
		return nil, err
	}
	var list []Page
	for _, name := range names {
		source, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		page, err := renderPage(strings.TrimSuffix(path.Base(name), ".md"), expand(source))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, page)
	}
	return list, nil
}

// anchored begins the text of a paragraph or a cell with an anchor of its own.
var anchored = regexp.MustCompile(`^\{#([a-z0-9-]+)\} ?`)

func renderPage(name string, source []byte) (Page, error) {
	page := Page{Name: name}
	document := markdown.Parser().Parse(text.NewReader(source))
	title, ok := document.FirstChild().(*ast.Heading)
	if !ok || title.Level != 1 {
		return page, fmt.Errorf("a page begins with its title, a heading of the first level")
	}
	page.Title = plain(title, source)
	if p, ok := title.NextSibling().(*ast.Paragraph); ok {
		page.Summary = plain(p, source)
	}
	document.RemoveChild(document, title)
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering && t.PreviousSibling() == nil {
			if m := anchored.FindSubmatch(t.Segment.Value(source)); m != nil {
				t.Segment.Start += len(m[0])
				t.Parent().SetAttributeString("id", m[1])
			}
		}
		id, ok := n.AttributeString("id")
		if !ok || entering {
			return ast.WalkContinue, nil
		}
		anchor := string(id.([]byte))
		page.Anchors = append(page.Anchors, anchor)
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			page.Sections = append(page.Sections, Section{anchor, plain(h, source)})
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, document); err != nil {
		return page, err
	}
	page.HTML = scrolling(b.String())
	return page, nil
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// scrolling lets wide tables and commands scroll by themselves, reachable by
// keyboard. The tags are goldmark's own: those in the source are left out.
func scrolling(html string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(html, "<table>")
		b.WriteString(before)
		if !found {
			break
		}
		fmt.Fprintf(&b, `<div class="scroll" tabindex="0" role="region" aria-label="Table %d">`, n)
		b.WriteString(`<table class="grid doc-grid">`)
		html = after
	}
	return strings.NewReplacer(
		"</table>", "</table></div>", "<pre>", `<pre tabindex="0">`, "<th>", `<th scope="col">`,
	).Replace(b.String())
}
