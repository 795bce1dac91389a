package llvmcov

import (
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

// JSONOptions are what the JSON leaves out.
type JSONOptions struct{ SummaryOnly, SkipExpansions, SkipFunctions bool }

// WriteJSON writes llvm-cov's JSON (section 12): of the files, by index and in their
// order, and of all functions.
func WriteJSON(w io.Writer, c *coverage.Coverage, files []int, o JSONOptions) error {
	j := jsonWriter{output: output{w: w}, c: c, options: o}
	summaries := c.Summaries(nil)
	var totals coverage.Summary
	j.text(`{"data":[{"files":[`)
	for i, file := range files {
		j.comma(i)
		j.file(file, summaries[file])
		totals.Add(summaries[file])
	}
	j.byte(']')
	if !o.SummaryOnly && !o.SkipFunctions {
		j.text(`,"functions":[`)
		for i := range c.Functions {
			j.comma(i)
			j.function(&c.Functions[i])
			j.spill()
		}
		j.byte(']')
	}
	j.text(`,"totals":`)
	j.summary(totals)
	j.text(`}],"type":"llvm.coverage.json.export","version":"3.1.0"}`)
	return j.flush()
}

type jsonWriter struct {
	output
	c       *coverage.Coverage
	options JSONOptions

	// The files and regions of one function, which each of its expansions repeats.
	of             *coverage.Function
	names, regions []byte
}

func (j *jsonWriter) comma(i int) {
	if i > 0 {
		j.byte(',')
	}
}

func (j *jsonWriter) file(file int, sum coverage.Summary) {
	j.byte('{')
	if j.options.SummaryOnly {
		j.text(`"filename":`)
		j.string(j.c.Files[file].Name)
	} else {
		v := j.c.FileView(file)
		j.text(`"branches":[`)
		for i, b := range v.Branches {
			j.comma(i)
			j.branch(b)
		}
		j.byte(']')
		if !j.options.SkipExpansions {
			j.text(`,"expansions":[`)
			for i, e := range v.Expansions {
				j.comma(i)
				j.expansion(e)
				j.spill()
			}
			j.byte(']')
		}
		j.text(`,"filename":`)
		j.string(j.c.Files[file].Name)
		j.text(`,"mcdc_records":[`)
		for i, d := range v.Decisions {
			j.comma(i)
			j.decision(d)
		}
		j.text(`],"segments":[`)
		for i := range v.Segments {
			j.comma(i)
			j.segment(&v.Segments[i])
		}
		j.byte(']')
	}
	j.text(`,"summary":`)
	j.summary(sum)
	j.byte('}')
	j.spill()
}

func (j *jsonWriter) segment(s *coverage.Segment) {
	j.byte('[')
	j.uint(uint64(s.Line))
	j.byte(',')
	j.uint(uint64(s.Column))
	j.byte(',')
	j.count(s.Count)
	for _, b := range [...]bool{s.HasCount, s.Entry, s.Gap} {
		j.byte(',')
		j.bool(b)
	}
	j.byte(']')
}

func (j *jsonWriter) place(start, end covmap.Position) {
	j.byte('[')
	for i, n := range [...]uint32{start.Line, start.Column, end.Line, end.Column} {
		j.comma(i)
		j.uint(uint64(n))
	}
}

func (j *jsonWriter) fields(more ...uint64) {
	for _, n := range more {
		j.byte(',')
		j.uint(n)
	}
}

func (j *jsonWriter) region(r *coverage.Region) {
	j.place(r.Start, r.End)
	j.fields(clamp(r.Count), uint64(r.File), uint64(r.Expanded), uint64(r.Kind))
	j.byte(']')
}

func (j *jsonWriter) branch(b *coverage.Region) {
	j.place(b.Start, b.End)
	j.fields(clamp(b.Count), clamp(b.False), uint64(b.File), uint64(b.Expanded), uint64(b.Kind))
	j.byte(']')
}

// expansion has the regions of the whole function, not just its own.
func (j *jsonWriter) expansion(e coverage.Expansion) {
	j.remember(e.Function)
	j.text(`{"branches":[`)
	n := 0
	coverage.Nested(e, func(_ []*coverage.Region, b *coverage.Region) {
		if !b.Folded() {
			j.comma(n)
			j.branch(b)
			n++
		}
	})
	j.text(`],"filenames":`)
	j.bytes(j.names)
	j.text(`,"source_region":`)
	j.region(e.Region)
	j.text(`,"target_regions":`)
	j.bytes(j.regions)
	j.byte('}')
}

func (j *jsonWriter) function(f *coverage.Function) {
	j.text(`{"branches":[`)
	n := 0
	for i := range f.Branches {
		if b := &f.Branches[i]; !b.Folded() {
			j.comma(n)
			j.branch(b)
			n++
		}
	}
	j.text(`],"count":`)
	j.count(f.Count())
	j.text(`,"filenames":`)
	j.filenames(f)
	j.text(`,"mcdc_records":[`)
	for i := range f.Decisions {
		j.comma(i)
		j.decision(&f.Decisions[i])
	}
	j.text(`],"name":`)
	j.string(f.Name)
	j.text(`,"regions":`)
	j.all(f)
	j.byte('}')
}

func (j *jsonWriter) filenames(f *coverage.Function) {
	j.byte('[')
	for i, file := range f.Files {
		j.comma(i)
		j.string(j.c.Files[file].Name)
	}
	j.byte(']')
}

func (j *jsonWriter) all(f *coverage.Function) {
	j.byte('[')
	for i := range f.Regions {
		j.comma(i)
		j.region(&f.Regions[i])
	}
	j.byte(']')
}

// remember keeps what the expansions of a function have in common.
func (j *jsonWriter) remember(f *coverage.Function) {
	if j.of == f {
		return
	}
	j.of = f
	from := len(j.buf)
	j.filenames(f)
	j.names = append(j.names[:0], j.buf[from:]...)
	j.buf = j.buf[:from]
	j.all(f)
	j.regions = append(j.regions[:0], j.buf[from:]...)
	j.buf = j.buf[:from]
}

func (j *jsonWriter) decision(d *coverage.Decision) {
	j.place(d.Start, d.End)
	j.fields(uint64(len(d.Vectors)-d.False), uint64(d.False), uint64(d.File), 0, uint64(covmap.Decision))
	j.text(",[")
	for i := range d.Conditions {
		j.comma(i)
		j.bool(d.Conditions[i].Covered())
	}
	j.text("],[")
	for i, v := range d.Vectors {
		j.comma(i)
		j.text(`{"conditions":[`)
		for i, value := range v.Values {
			j.comma(i)
			if value == coverage.NotEvaluated {
				j.text("null")
			} else {
				j.bool(value == coverage.IsTrue)
			}
		}
		j.text(`],"executed":true,"result":`)
		j.bool(v.Result)
		j.byte('}')
		j.spill()
	}
	j.text("]]")
}

func (j *jsonWriter) summary(s coverage.Summary) {
	j.metric(`{"branches":`, s.Branches, true)
	j.metric(`,"functions":`, s.Functions, false)
	j.metric(`,"instantiations":`, s.Instantiations, false)
	j.metric(`,"lines":`, s.Lines, false)
	j.metric(`,"mcdc":`, s.MCDC, true)
	j.metric(`,"regions":`, s.Regions, true)
	j.byte('}')
}

func (j *jsonWriter) metric(key string, m coverage.Metric, missed bool) {
	j.text(key)
	j.text(`{"count":`)
	j.int(m.Total)
	j.text(`,"covered":`)
	j.int(m.Covered)
	if missed {
		j.text(`,"notcovered":`)
		j.int(m.Missed())
	}
	j.text(`,"percent":`)
	j.buf = strconv.AppendFloat(j.buf, m.Percent(), 'g', 17, 64)
	j.byte('}')
}

// clamp keeps a count in what JSON's readers take for a whole number.
func clamp(n uint64) uint64 { return min(n, math.MaxInt64) }

func (j *jsonWriter) count(n uint64) { j.uint(clamp(n)) }

func (j *jsonWriter) bool(b bool) { j.buf = strconv.AppendBool(j.buf, b) }

// string escapes as llvm-cov does: quotes, backslashes and control characters. What
// is no UTF-8 becomes the character that says so.
func (j *jsonWriter) string(s string) {
	const hex = "0123456789abcdef"
	j.byte('"')
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			j.buf = utf8.AppendRune(j.buf, r)
			i += n
			continue
		}
		i++
		switch {
		case b == '"' || b == '\\':
			j.buf = append(j.buf, '\\', b)
		case b >= ' ':
			j.byte(b)
		case b == '\t':
			j.text(`\t`)
		case b == '\n':
			j.text(`\n`)
		case b == '\r':
			j.text(`\r`)
		default:
			j.buf = append(j.buf, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
	}
	j.byte('"')
}
