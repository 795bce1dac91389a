package covsite

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"proflens/static"
)

// served reports whether an element is of use with a server only, or speaks of one.
func served(n *html.Node) bool {
	switch n.Data {
	case "form", "dialog":
		return true
	case "meta":
		return attr(n, "name") != "viewport" && attr(n, "name") != "color-scheme" && attr(n, "charset") == ""
	case "link":
		return attr(n, "rel") == "preload" // browsers refuse to, of files
	case "details":
		return find(n, func(n *html.Node) bool { return n.Data == "form" }) != nil
	case "footer":
		return hasClass(n, "foot")
	}
	return hasClass(n, "topbar-tools") || attr(n, "data-testid") == "csv" ||
		n.Parent != nil && attr(n.Parent, "data-testid") == "notext" && n.PrevSibling != nil
}

// page makes a page of the handler one of the site: it leaves out what needs a server,
// and leads links to files. The pages and assets that it leads to are noted.
func (s *Site) page(ctx context.Context, p place, data []byte) ([]byte, error) {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for _, n := range all(doc, func(*html.Node) bool { return true }) {
		if n.Type == html.ElementNode && n.Parent != nil && served(n) {
			n.Parent.RemoveChild(n)
		}
	}
	at, err := url.Parse(s.address(p, ""))
	if err != nil {
		return nil, err
	}
	file := s.file(p)
	for _, n := range all(doc, func(n *html.Node) bool { return n.Type == html.ElementNode }) {
		if !below(doc, n) {
			continue
		}
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
			return slices.Contains([]string{"data-select", "data-controller", "data-profile", "data-name", "data-format"}, a.Key)
		})
		for _, key := range []string{"href", "src"} {
			if asset, ok := strings.CutPrefix(attr(n, key), static.Prefix); ok {
				s.asset("assets/" + asset)
				set(n, key, Relative(file, "assets/"+asset))
			}
		}
		if n.Data == "a" {
			if err := s.link(ctx, n, at, p, file); err != nil {
				return nil, err
			}
		}
	}
	var out bytes.Buffer
	err = html.Render(&out, doc)
	return out.Bytes(), err
}

// below reports whether a node still is in a document.
func below(doc, n *html.Node) bool {
	for n.Parent != nil {
		n = n.Parent
	}
	return n == doc
}

// link leads a link to the file of its page; where there is none it becomes text, or
// goes with what is nothing but a link.
func (s *Site) link(ctx context.Context, n *html.Node, at *url.URL, p place, file string) error {
	href := attr(n, "href")
	if href == "" || href[0] == '#' {
		return nil
	}
	if into := n.NextSibling; hasClass(n, "node-link") && attr(n, "aria-expanded") != "" {
		for into != nil && into.Data != "a" {
			into = into.NextSibling
		}
		if into != nil { // a directory has a page, and is not opened in place
			href = attr(into, "href")
			if strings.HasPrefix(href, s.Base) {
				n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "aria-expanded" })
			}
		}
	}
	if strings.HasPrefix(attr(n, "rel"), "external") {
		return nil
	}
	u, err := at.Parse(href)
	if err != nil {
		unlink(n)
		return nil
	}
	to, line, ok := s.placeOf(u, attr(n, "aria-expanded") != "true")
	if above := u.Path == s.Base && inNav(n); !ok || above { // its page of everything is not in the site
		unlink(n)
		return nil
	}
	if to.kind == sourcePage || to.kind == namedPage {
		if to.from, err = s.window(ctx, to, max(line, to.from, lineOf(u.Fragment))); err != nil {
			return err
		}
	}
	if hasClass(n, "home") {
		set(n, "aria-label", "Proflens, all files")
	}
	s.meet(to)
	target := Relative(file, s.file(to))
	if to == p && u.Fragment != "" {
		target = ""
	}
	if u.Fragment != "" {
		target += "#" + u.EscapedFragment()
	}
	set(n, "href", target)
	return nil
}

// lineOf is the line that a fragment names.
func lineOf(fragment string) uint32 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(fragment, "L"), 10, 32)
	return uint32(n)
}

// unlink makes text of a link.
func unlink(n *html.Node) {
	if li := n.Parent; li != nil && li.Data == "li" && inNav(li) {
		list := li.Parent
		if list.RemoveChild(li); hasClass(list.Parent, "tab-group") && list.FirstChild == nil {
			list.Parent.Parent.RemoveChild(list.Parent)
		}
		return
	}
	if nav := n.Parent; nav != nil &&
		(hasClass(nav, "segments") || hasClass(n, "button") || hasClass(n, "how") || hasClass(n, "chip-drop")) {
		if nav.RemoveChild(n); hasClass(nav, "segments") &&
			find(nav, func(n *html.Node) bool { return n.Data == "a" && attr(n, "aria-current") == "" }) == nil {
			nav.Parent.RemoveChild(nav) // a choice of one is none
		}
		return
	}
	n.Data, n.DataAtom = "span", 0
	if n.Namespace == "svg" {
		n.Data = "g"
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key != "class" && a.Key != "title" })
}

// inNav reports whether an element only leads on.
func inNav(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Data == "nav" {
			return true
		}
	}
	return false
}

// tree is how many rows a page of the tree has, and which directories.
func tree(data []byte) (rows int, dirs []string) {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return 0, nil
	}
	for _, n := range all(doc, func(n *html.Node) bool { return hasClass(n, "cov-into") || hasClass(n, "node-link") }) {
		if hasClass(n, "node-link") {
			rows++
		} else if u, err := url.Parse(attr(n, "href")); err == nil && !strings.Contains(u.Query().Get("path"), ",") {
			dirs = append(dirs, strings.Trim(u.Query().Get("path"), "/"))
		}
	}
	return rows, dirs
}

// later is the first line of the page after a file's page; 0: there is none.
func later(data []byte) uint32 {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	n := find(doc, func(n *html.Node) bool { return n.Data == "a" && attr(n, "rel") == "next" })
	if n == nil {
		return 0
	}
	u, err := url.Parse(attr(n, "href"))
	if err != nil {
		return 0
	}
	return lineOf(u.Query().Get("from"))
}

func all(n *html.Node, wanted func(*html.Node) bool) (list []*html.Node) {
	for d := range n.Descendants() {
		if wanted(d) {
			list = append(list, d)
		}
	}
	return list
}

func find(n *html.Node, wanted func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if wanted(d) {
			return d
		}
	}
	return nil
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func set(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = value
		}
	}
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}
