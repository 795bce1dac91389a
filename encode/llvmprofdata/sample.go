package llvmprofdata

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/instrprof"
	"proflens/decode/sampleprof"
)

// ShowSample prints a sample profile as llvm-profdata show --sample does, or, with the name
// of a function, that function alone.
func ShowSample(w io.Writer, p *sampleprof.Profile, function string) error {
	s := sampleShower{p, bufio.NewWriterSize(w, 1<<16)}
	if function != "" {
		f := &sampleprof.Function{}
		name, hash := "", sampleprof.Hash(function)
		for _, of := range p.Functions {
			own := p.Name(of.Name)
			if of.Context < 0 && (own == function || p.Names[of.Name].MD5 == hash) {
				f, name = of, own
			}
		}
		fmt.Fprintf(s.b, "Function: %s: ", name)
		s.print(f, 0)
		return s.b.Flush()
	}
	for _, f := range p.Functions {
		fmt.Fprintf(s.b, "Function: %s: ", p.ContextText(f))
		s.print(f, 0)
	}
	return s.b.Flush()
}

type sampleShower struct {
	p *sampleprof.Profile
	b *bufio.Writer
}

func (s *sampleShower) indent(depth int) { s.b.WriteString(strings.Repeat(" ", depth)) }

// print is a function with all that it inlined.
func (s *sampleShower) print(f *sampleprof.Function, depth int) {
	if f.Checksum != 0 {
		fmt.Fprintf(s.b, "CFG checksum %d\n", f.Checksum)
	}
	fmt.Fprintf(s.b, "%d, %d, %d sampled lines\n", f.Total, f.Head, len(f.Body))
	s.indent(depth)
	if len(f.Body) > 0 {
		s.b.WriteString("Samples collected in the function's body {\n")
		for i := range f.Body {
			s.body(f, &f.Body[i], depth+2)
		}
		s.indent(depth)
		s.b.WriteString("}\n")
	} else {
		s.b.WriteString("No samples collected in the function's body\n")
	}
	s.indent(depth)
	if len(f.Sites) > 0 {
		s.b.WriteString("Samples collected in inlined callsites {\n")
		for i, site := range f.Sites {
			s.indent(depth + 2)
			fmt.Fprintf(s.b, "%v: inlined callee: %s: ", site.Loc, s.p.Name(site.Callee.Name))
			s.print(site.Callee, depth+4)
			if i+1 == len(f.Sites) || f.Sites[i+1].Loc != site.Loc {
				s.vtables(f, site.Loc, depth+2)
			}
		}
		s.indent(depth)
		s.b.WriteString("}\n")
	} else {
		s.b.WriteString("No inlined callsites in this function\n")
	}
}

func (s *sampleShower) body(f *sampleprof.Function, r *sampleprof.Record, depth int) {
	s.indent(depth)
	fmt.Fprintf(s.b, "%v: %d", r.Loc, r.Count)
	if len(r.Targets) > 0 {
		s.b.WriteString(", calls:")
		for _, t := range r.Targets {
			fmt.Fprintf(s.b, " %s:%d", s.p.Name(t.Name), t.Count)
		}
	}
	s.b.WriteByte('\n')
	s.vtables(f, r.Loc, depth)
}

// vtables are the types that were seen at a place.
func (s *sampleShower) vtables(f *sampleprof.Function, at sampleprof.Loc, depth int) {
	first := true
	for _, v := range f.VTables {
		if v.Loc != at {
			continue
		}
		if first {
			s.indent(depth)
			fmt.Fprintf(s.b, "%v: vtables: ", at)
		}
		first = false
		fmt.Fprintf(s.b, "%s:%d ", s.p.Name(v.Type), v.Count)
	}
	if !first {
		s.b.WriteByte('\n')
	}
}

// The objects of the JSON form.
type (
	jsonFunction struct {
		Name      string     `json:"name"`
		Total     uint64     `json:"total"`
		Head      *uint64    `json:"head,omitempty"`
		Body      []jsonLine `json:"body,omitempty"`
		CallSites []jsonSite `json:"callsites,omitempty"`
	}
	jsonLine struct {
		Line          uint32     `json:"line"`
		Discriminator uint32     `json:"discriminator,omitempty"`
		Samples       uint64     `json:"samples"`
		Calls         []jsonCall `json:"calls,omitempty"`
	}
	jsonCall struct {
		Function string `json:"function"`
		Samples  uint64 `json:"samples"`
	}
	jsonSite struct {
		Line          uint32         `json:"line"`
		Discriminator uint32         `json:"discriminator,omitempty"`
		Samples       []jsonFunction `json:"samples"`
	}
)

// ShowSampleJSON prints a sample profile as llvm-profdata show --sample --show-format=json
// does.
func ShowSampleJSON(w io.Writer, p *sampleprof.Profile) error {
	list := []jsonFunction{}
	for _, f := range p.Functions {
		top := jsonOf(p, f)
		top.Head = &f.Head
		list = append(list, top)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}

func jsonOf(p *sampleprof.Profile, f *sampleprof.Function) jsonFunction {
	out := jsonFunction{Name: p.Name(f.Name), Total: f.Total}
	for i := range f.Body {
		r := &f.Body[i]
		line := jsonLine{Line: r.Offset, Discriminator: r.Discriminator, Samples: r.Count}
		for _, t := range r.Targets {
			line.Calls = append(line.Calls, jsonCall{p.Name(t.Name), t.Count})
		}
		out.Body = append(out.Body, line)
	}
	for _, s := range f.Sites {
		out.CallSites = append(out.CallSites,
			jsonSite{s.Offset, s.Discriminator, []jsonFunction{jsonOf(p, s.Callee)}})
	}
	return out
}

// ShowSections prints where the sections of an extensible file are.
func ShowSections(w io.Writer, p *sampleprof.Profile) error {
	b := bufio.NewWriter(w)
	var total, size, header uint64
	for i := range p.Sections {
		s := &p.Sections[i]
		fmt.Fprintf(b, "%s - Offset: %d, Size: %d, Flags: {%s}\n", s.Name(), s.Offset, s.Size,
			strings.Join(s.Words(), ","))
		total, size = total+s.Size, max(size, s.Offset+s.Size)
	}
	if len(p.Sections) > 0 {
		header = p.Sections[0].Offset
	}
	fmt.Fprintf(b, "Header Size: %d\nTotal Sections Size: %d\nFile Size: %d\n", header, total, size)
	return b.Flush()
}

// ShowSymbols prints the list of all symbols.
func ShowSymbols(w io.Writer, p *sampleprof.Profile) error {
	b := bufio.NewWriter(w)
	b.WriteString("======== Dump profile symbol list ========\n")
	for _, s := range p.Symbols {
		b.WriteString(s + "\n")
	}
	return b.Flush()
}

// ShowSampleSummary prints the summary of a sample profile.
func ShowSampleSummary(w io.Writer, p *sampleprof.Profile) error {
	b := bufio.NewWriter(w)
	s := sample.Summary(p)
	fmt.Fprintf(b, "Total functions: %d\nMaximum function count: %d\nMaximum internal block count: 0\n"+
		"Total number of blocks: %d\nTotal count: %d\n", s.Functions, s.MaxFunction, s.Counts, s.Total)
	var entries []instrprof.SummaryEntry
	for _, e := range s.Entries {
		entries = append(entries, instrprof.SummaryEntry{Cutoff: e.Cutoff, MinCount: e.MinCount, NumCounts: e.Counts})
	}
	detailed(b, uint64(s.Counts), entries)
	return b.Flush()
}

// columns writes a row whose cells begin at columns, a blank apart at least.
func columns(b *bufio.Writer, at []int, cells ...string) {
	line := ""
	for i, cell := range cells {
		if i > 0 {
			line += strings.Repeat(" ", max(at[i]-len(line), 1))
		}
		line += cell
	}
	b.WriteString(line + "\n")
}

var hotColumns = []int{0, 24, 42, 58}

// ShowHot prints the functions with hot counts, or as many of them as top says.
func ShowHot(w io.Writer, p *sampleprof.Profile, top uint64) error {
	b := bufio.NewWriter(w)
	hot := sample.Hot(p)
	share := func(part, whole uint64) float64 {
		if whole == 0 {
			return 0
		}
		return float64(part) / float64(whole) * 100
	}
	ofAll := "-nan" // as LLVM divides
	if hot.Functions > 0 {
		ofAll = fmt.Sprintf("%.2f", share(uint64(len(hot.Rows)), uint64(hot.Functions)))
	}
	fmt.Fprintf(b, "%d out of %d functions with profile (%s%%) are considered hot functions (max sample >= %d).\n",
		len(hot.Rows), hot.Functions, ofAll, hot.Threshold)
	fmt.Fprintf(b, "%d out of %d profile counts (%.2f%%) are from hot functions.\n", hot.HotSamples, hot.Samples,
		share(hot.HotSamples, hot.Samples))
	columns(b, hotColumns, " Total sample (%)", "Max sample", "Entry sample", "Function name")
	for i, r := range hot.Rows {
		if top > 0 && uint64(i) == top {
			break
		}
		columns(b, hotColumns, fmt.Sprintf(" %d (%.2f%%)", r.Total, share(r.Total, hot.Samples)), fmt.Sprint(r.Max),
			fmt.Sprint(r.Entry), p.ContextText(r.Function))
	}
	return b.Flush()
}
