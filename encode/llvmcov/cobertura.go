package llvmcov

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"proflens/analyze/coverage"
)

// CoberturaOptions are what the XML says of itself and of names.
type CoberturaOptions struct {
	Version  string    // of this program
	Made     time.Time // of the profile
	Demangle func(string) string
}

// WriteCobertura writes the files, by index, as XML of Cobertura's coverage-04.dtd: a
// package is a folder, a class a file, a method a function. Its sums are those of the
// lines and conditions that it lists, as its readers expect, and not those of
// llvm-cov's summaries, which count a line for every function it belongs to.
func WriteCobertura(w io.Writer, c *coverage.Coverage, files []int, o CoberturaOptions) error {
	x := coberturaWriter{output: output{w: w}, c: c, options: o}
	root, packages, err := x.packages(files)
	if err != nil {
		return err
	}
	var all rates
	for _, p := range packages {
		all.add(p.rates)
	}
	x.text(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">` + "\n")
	x.text(fmt.Sprintf(`<coverage line-rate="%s" branch-rate="%s" lines-covered="%d" lines-valid="%d" branches-covered="%d" branches-valid="%d" complexity="0" version="`,
		rate(all.lines), rate(all.branches), all.lines.Covered, all.lines.Total, all.branches.Covered, all.branches.Total))
	x.escaped(o.Version)
	x.text(`" timestamp="` + strconv.FormatInt(o.Made.UnixMilli(), 10) + "\">\n<sources><source>")
	x.escaped(root)
	x.text("</source></sources>\n<packages>\n")
	for _, p := range packages {
		x.text(`<package name="`)
		x.escaped(p.name)
		x.text(`" ` + p.rates.attributes() + "><classes>\n")
		for _, f := range p.files {
			x.file(f)
		}
		x.text("</classes></package>\n")
	}
	x.text("</packages>\n</coverage>\n")
	return x.flush()
}

type coberturaWriter struct {
	output
	c       *coverage.Coverage
	options CoberturaOptions
	rows    int // of methods so far
}

// rates are what a part of the document comes to.
type rates struct{ lines, branches coverage.Metric }

func (r *rates) add(o rates) {
	r.lines.Total += o.lines.Total
	r.lines.Covered += o.lines.Covered
	r.branches.Total += o.branches.Total
	r.branches.Covered += o.branches.Covered
}

func (r *rates) attributes() string {
	return fmt.Sprintf(`line-rate="%s" branch-rate="%s" complexity="0"`, rate(r.lines), rate(r.branches))
}

// rate is a share from 0 to 1; of nothing all is covered.
func rate(m coverage.Metric) string {
	if m.Total == 0 {
		return "1"
	}
	return strconv.FormatFloat(float64(m.Covered)/float64(m.Total), 'g', 6, 64)
}

// folder is the files of one, with their names below the root.
type folder struct {
	name  string
	files []named
	rates
}

type named struct {
	file int
	name string
	rates
}

// packages are the folders of the files below what all names begin with.
func (x *coberturaWriter) packages(files []int) (root string, list []*folder, err error) {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = x.c.Files[file].Name
	}
	cut := coverage.Redundant(names)
	if len(names) == 1 {
		cut = strings.LastIndexByte(names[0], '/') + 1
	}
	if root = "."; cut > 0 {
		root = names[0][:cut]
	}
	at := map[string]*folder{}
	for i, file := range files {
		f := named{file: file, name: names[i][cut:]}
		if f.rates, err = x.measure(x.c.UnionView(file)); err != nil {
			return "", nil, fmt.Errorf("%s: %w", names[i], err)
		}
		name := path.Dir(f.name)
		p := at[name]
		if p == nil {
			p = &folder{name: name}
			at[name] = p
			list = append(list, p)
		}
		p.files = append(p.files, f)
		p.add(f.rates)
	}
	slices.SortFunc(list, func(a, b *folder) int { return strings.Compare(a.name, b.name) })
	return root, list, nil
}

// measure is what a view's lines and conditions come to.
func (x *coberturaWriter) measure(v *coverage.View) (r rates, err error) {
	for l := range v.Lines() {
		if l.Mapped {
			n := int(l.Last-l.First) + 1
			if r.lines.Total += n; l.Count > 0 {
				r.lines.Covered += n
			}
		}
	}
	if r.lines.Total > maxRows {
		return r, fmt.Errorf("the file has more than %d lines with counts; its mapping is damaged", maxRows)
	}
	for _, c := range conditionsOf(v, true) {
		m := c.metric()
		r.branches.Total += m.Total
		r.branches.Covered += m.Covered
	}
	return r, nil
}

// metric counts the sides that the compiler does not know.
func (c *condition) metric() (m coverage.Metric) {
	for i, n := range [...]uint64{c.yes, c.no} {
		if c.folded[i] {
			continue
		}
		if m.Total++; n > 0 {
			m.Covered++
		}
	}
	return m
}

func (x *coberturaWriter) file(f named) {
	x.text(`<class name="`)
	x.escaped(path.Base(f.name))
	x.text(`" filename="`)
	x.escaped(f.name)
	x.text(`" ` + f.attributes() + "><methods>\n")
	for _, fn := range x.c.Standing(f.file) {
		v := x.c.FunctionUnion(fn)
		if v == nil {
			continue
		}
		r, err := x.measure(v)
		if x.rows += r.lines.Total; err == nil && x.rows > maxRows {
			err = fmt.Errorf("the functions have more than %d lines with counts; the mapping is damaged", maxRows)
		}
		if err != nil {
			x.err = err
			return
		}
		name := fn.Name
		if x.options.Demangle != nil {
			name = x.options.Demangle(name)
		}
		x.text(`<method name="`)
		x.escaped(name)
		x.text(`" signature="" ` + r.attributes() + ">")
		x.lines(v)
		x.text("</method>\n")
	}
	x.text("</methods>")
	x.lines(x.c.UnionView(f.file))
	x.text("</class>\n")
}

func (x *coberturaWriter) lines(v *coverage.View) {
	conditions := conditionsOf(v, true)
	x.text("<lines>\n")
	for l := range v.Lines() {
		for n := uint64(l.First); l.Mapped && n <= uint64(l.Last); n++ {
			for len(conditions) > 0 && uint64(conditions[0].path[0].Line) < n {
				conditions = conditions[1:]
			}
			here := 0
			for here < len(conditions) && uint64(conditions[here].path[0].Line) == n {
				here++
			}
			x.line(n, l.Count, conditions[:here])
			x.spill()
		}
	}
	x.text("</lines>")
}

func (x *coberturaWriter) line(n, count uint64, conditions []condition) {
	x.text(`<line number="`)
	x.uint(n)
	x.text(`" hits="`)
	x.uint(count)
	if len(conditions) == 0 {
		x.text("\"/>\n")
		return
	}
	var sum coverage.Metric
	for _, c := range conditions {
		m := c.metric()
		sum.Total += m.Total
		sum.Covered += m.Covered
	}
	x.text(fmt.Sprintf(`" branch="true" condition-coverage="%s (%d/%d)"><conditions>`, whole(sum), sum.Covered, sum.Total))
	for i, c := range conditions {
		x.text(fmt.Sprintf(`<condition number="%d" type="jump" coverage="%s"/>`, i, whole(c.metric())))
	}
	x.text("</conditions></line>\n")
}

// whole is a percentage without decimals, rounded down.
func whole(m coverage.Metric) string {
	if m.Total == 0 {
		return "100%"
	}
	return strconv.Itoa(100*m.Covered/m.Total) + "%"
}

func (x *coberturaWriter) escaped(s string) {
	if err := xml.EscapeText(escaper{x}, []byte(s)); err != nil {
		x.err = err
	}
}

// escaper lets package xml write to the output.
type escaper struct{ x *coberturaWriter }

func (e escaper) Write(p []byte) (int, error) {
	e.x.bytes(p)
	return len(p), nil
}
