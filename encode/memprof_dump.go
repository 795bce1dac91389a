package encode

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

// MemProfDump writes a raw heap profile with functions as llvm-profdata show
// --memory of the release that produced it prints it (memprof.md §4.2): MIBs
// have 19 fields in version 1, 25 in version 2, and 27 from then on.
//
// There are no findings. A profile without functions is [model.KindUnsymbolized], one that was not raw
// [model.KindUnsupportedVersion].
func MemProfDump(w io.Writer, p *memprof.Profile) ([]model.Finding, error) {
	if p.Format != memprof.FormatRaw {
		return nil, model.Faultf(model.KindUnsupportedVersion,
			"memprof-dump needs a raw heap profile; use memprof-yaml for others")
	}
	if err := unsymbolized(p, "memprof-dump"); err != nil {
		return nil, err
	}
	d := dumpWriter{Writer: bufio.NewWriterSize(w, 1<<16), p: p, frames: make([][]byte, len(p.Frames))}
	switch p.Version {
	case 1:
		d.schema = memprof.SchemaToTag19
	case 2:
		d.schema = memprof.SchemaToTag25
	default:
		d.schema = memprof.CompleteSchema
	}
	if p.Version >= 5 {
		s := memprofSummary(p)
		d.WriteString("---\n")
		writeMemProfSummary(d, &s)
	}
	d.head()
	d.WriteString("  Records:\n")
	for i := range p.Records {
		d.record(&p.Records[i])
	}
	return nil, d.Flush()
}

// dumpWriter keeps the first error and gives it when flushed.
type dumpWriter struct {
	*bufio.Writer
	p      *memprof.Profile
	schema memprof.MIBSchema
	frames [][]byte // as they are written, by their numbers
	buf    []byte
}

// head writes the counts and the segments.
func (d *dumpWriter) head() {
	sites, functions := 0, 0
	for _, r := range d.p.Records {
		sites += len(r.AllocSites)
		if len(r.AllocSites) > 0 {
			functions++
		}
	}
	fmt.Fprintf(d, "MemprofProfile:\n  Summary:\n    Version: %d\n    NumSegments: %d\n    NumMibInfo: %d\n    "+
		"NumAllocFunctions: %d\n    NumStackOffsets: %d\n",
		d.p.Version, len(d.p.Modules), sites, functions, len(d.p.Contexts))
	d.WriteString("  Segments:\n")
	for _, m := range d.p.Modules {
		id := "<None>"
		if len(m.BuildID) > 0 {
			id = fmt.Sprintf("%x", m.BuildID)
		}
		fmt.Fprintf(d, "  -\n    BuildId: %s\n    Start: 0x%X\n    End: 0x%X\n    Offset: 0x%X\n", id, m.Start, m.End,
			m.Offset)
	}
}

func (d *dumpWriter) record(r *memprof.Record) {
	d.line("  -\n    FunctionGUID: ", r.Function)
	if len(r.AllocSites) > 0 {
		d.WriteString("    AllocSites:\n")
	}
	for _, n := range r.AllocSites {
		c := &d.p.Contexts[n]
		d.WriteString("    -\n      Callstack:\n")
		d.stack(c.Stack, "")
		d.mib(&c.MIB)
	}
	if len(r.CallSites) > 0 {
		d.WriteString("    CallSites:\n")
	}
	for _, c := range r.CallSites {
		d.stack(c.Stack, "    -\n")
	}
}

// line writes a key and a number.
func (d *dumpWriter) line(key string, v uint64) {
	d.buf = append(strconv.AppendUint(append(d.buf[:0], key...), v, 10), '\n')
	d.Write(d.buf)
}

// stack writes the frames of a stack, leaf first, with something before each.
func (d *dumpWriter) stack(id memprof.StackID, before string) {
	for ; id != memprof.NoStack; id = d.p.Stacks[id].Caller {
		n := d.p.Stacks[id].Frame
		if d.frames[n] == nil {
			d.frames[n] = dumpedFrame(&d.p.Frames[n])
		}
		d.WriteString(before)
		d.Write(d.frames[n])
	}
}

// dumpedFrame is a frame as it is written.
func dumpedFrame(f *memprof.Frame) []byte {
	name := strings.NewReplacer("\n", " ", "\r", " ").Replace(f.Name)
	if name == "" {
		name = "<None>"
	}
	inline := 0
	if f.Inline {
		inline = 1
	}
	return fmt.Appendf(nil, "      -\n        Function: %d\n        SymbolName: %s\n        LineOffset: %d\n        "+
		"Column: %d\n        Inline: %d\n",
		f.Function, name, f.LineOffset, f.Column, inline)
}

func (d *dumpWriter) mib(m *memprof.MIB) {
	b := append(d.buf[:0], "      MemInfoBlock:\n"...)
	for f := range d.schema.Fields() {
		v := m.Get(f)
		if f == memprof.AccessHistogram && len(m.Histogram) == 0 {
			v = 0
		}
		b = append(append(append(b, "        "...), f.String()...), ": "...)
		b = append(strconv.AppendUint(b, v, 10), '\n')
	}
	if len(m.Histogram) > 0 {
		b = append(b, "        AccessHistogramValues:"...)
		for _, n := range m.Histogram {
			b = strconv.AppendUint(append(b, ' '), n, 10)
		}
		b = append(b, '\n')
	}
	d.Write(b)
	d.buf = b
}
