package encode

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// MemProfYAML writes a heap profile in its text form, as llvm-profdata show
// --memory of LLVM 22 prints it of an indexed file, and llvm-profdata merge
// reads it (memprof.md §4.1). It returns what the form does not have. A profile
// without functions is [model.KindUnsymbolized].
func MemProfYAML(w io.Writer, p *memprof.Profile) ([]model.Finding, error) {
	if err := unsymbolized(p, "memprof-yaml"); err != nil {
		return nil, err
	}
	y := yamlWriter{
		Writer: bufio.NewWriterSize(w, 1<<16), p: p, schema: writtenSchema(p), written: make([][]byte, len(p.Frames)),
	}
	y.summary()
	y.WriteString("---\n")
	if len(p.Records) == 0 && p.DataAccess == nil {
		y.WriteString("{}\n")
	}
	if len(p.Records) > 0 {
		y.WriteString("HeapProfileRecords:\n")
		for _, n := range recordOrder(p) {
			y.record(&p.Records[n])
		}
	}
	if p.DataAccess != nil {
		y.access(hottestFirst(p.DataAccess))
	}
	y.WriteString("...\n")
	return memprofRemarks(p), y.Flush()
}

// yamlWriter keeps the first error and gives it when flushed.
type yamlWriter struct {
	*bufio.Writer
	p       *memprof.Profile
	schema  memprof.MIBSchema
	written [][]byte // frames, by their numbers
	buf     []byte
}

// summary writes the comment of the first document.
func (y *yamlWriter) summary() {
	s := memprofSummary(y.p)
	y.WriteString("---\n")
	writeMemProfSummary(y.Writer, &s)
	if a := y.p.DataAccess; a != nil {
		fmt.Fprintf(y, "#   Num hot symbols and string literals: %d\n#   Num known cold symbols: %d\n#   Num known cold "+
			"string literals: %d\n",
			len(a.Records), len(a.ColdSymbols), len(a.ColdHashes))
	}
}

// memprofSummary is the stored summary, or the one that llvm-profdata computes.
func memprofSummary(p *memprof.Profile) memprof.Summary {
	if p.Summary != nil {
		return *p.Summary
	}
	return analyze.MemProfSummary(p)
}

func writeMemProfSummary(w io.Writer, s *memprof.Summary) {
	fmt.Fprintf(w, `# MemProfSummary:
#   Total contexts: %d
#   Total cold contexts: %d
#   Total hot contexts: %d
#   Maximum cold context total size: %d
#   Maximum warm context total size: %d
#   Maximum hot context total size: %d
`, s.NumContexts, s.NumColdContexts, s.NumHotContexts, s.MaxColdTotalSize, s.MaxWarmTotalSize, s.MaxHotTotalSize)
}

// key writes a key, its indentation and, when the value follows on the line, the
// space up to it.
func (y *yamlWriter) key(indent, key string) {
	const column = 17
	y.buf = append(append(append(y.buf[:0], indent...), key...), ':')
	for n := len(key) + 1; n < column-1; n++ {
		y.buf = append(y.buf, ' ')
	}
	y.Write(append(y.buf, ' '))
}

func (y *yamlWriter) number(indent, key string, v uint64) {
	y.key(indent, key)
	y.Write(append(strconv.AppendUint(y.buf[:0], v, 10), '\n'))
}

func (y *yamlWriter) record(r *memprof.Record) {
	y.key("  - ", "GUID")
	fmt.Fprintf(y, "0x%x\n", r.Function)
	if len(r.AllocSites) > 0 {
		y.WriteString("    AllocSites:\n")
	}
	for _, n := range r.AllocSites {
		c := &y.p.Contexts[n]
		y.WriteString("      - Callstack:\n")
		y.frames(c.Stack)
		y.WriteString("        MemInfoBlock:\n")
		for f := range y.schema.Fields() {
			y.number("          ", f.String(), c.MIB.Get(f))
		}
	}
	if len(r.CallSites) > 0 {
		y.WriteString("    CallSites:\n")
	}
	for _, c := range r.CallSites {
		y.WriteString("      - Frames:\n")
		y.frames(c.Stack)
		if len(c.Callees) > 0 {
			y.key("        ", "CalleeGuids")
			y.WriteString("[ ")
			for i, id := range c.Callees {
				if i > 0 {
					y.WriteString(", ")
				}
				fmt.Fprintf(y, "0x%x", id)
			}
			y.WriteString(" ]\n")
		}
	}
}

// frames writes a stack, leaf first.
func (y *yamlWriter) frames(stack memprof.StackID) {
	for ; stack != memprof.NoStack; stack = y.p.Stacks[stack].Caller {
		n := y.p.Stacks[stack].Frame
		if y.written[n] == nil {
			f := &y.p.Frames[n]
			y.written[n] = fmt.Appendf(nil, "          - { Function: 0x%x, LineOffset: %d, Column: %d, IsInlineFrame: %v }\n",
				f.Function, f.LineOffset, f.Column, f.Inline)
		}
		y.Write(y.written[n])
	}
}

// access writes the data access profile.
func (y *yamlWriter) access(a memprof.DataAccess) {
	y.WriteString("DataAccessProfiles:\n")
	if len(a.Records) > 0 {
		y.WriteString("  SampledRecords:\n")
	}
	for _, r := range a.Records {
		if r.IsString {
			y.number("    - ", "Hash", r.Hash)
		} else {
			y.key("    - ", "Symbol")
			y.WriteString(yamlScalar(r.Symbol) + "\n")
		}
		y.number("      ", "AccessCount", r.AccessCount)
		if len(r.Locations) > 0 {
			y.WriteString("      Locations:\n")
		}
		for _, l := range r.Locations {
			y.key("        - ", "FileName")
			y.WriteString(yamlScalar(l.File) + "\n")
			y.number("          ", "Line", uint64(l.Line))
		}
	}
	if len(a.ColdSymbols) > 0 {
		y.WriteString("  KnownColdSymbols:\n")
	}
	for _, s := range a.ColdSymbols {
		y.WriteString("    - " + yamlScalar(s) + "\n")
	}
	if len(a.ColdHashes) > 0 {
		y.WriteString("  KnownColdStrHashes: [ ")
		for i, h := range a.ColdHashes {
			if i > 0 {
				y.WriteString(", ")
			}
			y.WriteString(strconv.FormatUint(h, 10))
		}
		y.WriteString(" ]\n")
	}
}
