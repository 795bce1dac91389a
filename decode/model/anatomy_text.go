package model

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText writes an anatomy for a terminal: sections with their fields, then findings, then what
// can be salvaged. more asks for the fields of a section from a number on, which Printf gets in this
// order.
func (a *Anatomy) WriteText(w io.Writer, more string) {
	fmt.Fprintf(w, "%s: %s, %s\n", a.File, a.Format, Amount(a.Size, "byte", "bytes"))
	for i := range a.Sections {
		fmt.Fprintln(w)
		a.Sections[i].WriteText(w, more)
	}
	for _, f := range a.Findings {
		fmt.Fprintf(w, "\n%s: %s: %s\n", f.Severity, f.Code, f.Message)
		for _, l := range []struct{ label, text string }{
			{"section", f.Section},
			{"field", f.Field},
			{"offset", fmt.Sprintf("0x%x", f.Offset)},
			{"expected", f.Expected},
			{"found", f.Found},
			{"likely cause", f.Cause},
			{"what to do", f.Remedy},
		} {
			if l.text != "" {
				fmt.Fprintf(w, "  %-13s %s\n", l.label+":", l.text)
			}
		}
	}
	if a.Salvage != nil {
		fmt.Fprintf(w, "\nreadable: %s\n  export -salvage writes them in another format\n", a.Salvage)
	}
}

// WriteText writes a section and its fields, and where to find those that are left out, as an anatomy
// does.
func (s *Section) WriteText(w io.Writer, more string) {
	fmt.Fprintf(w, "0x%08x  %s, %s%s\n", s.Offset, s.Name, Amount(s.Size, "byte", "bytes"), after(", ", s.Note))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range s.Fields {
		fmt.Fprintf(t, "  0x%08x\t%s\t%d\t%s%s\n", f.Offset, f.Name, f.Size, f.Value, after("\t", f.Meaning))
	}
	t.Flush()
	if next := s.From + uint64(len(s.Fields)); next < s.FieldCount {
		fmt.Fprintf(w, "  %d of %d fields; more with "+more+"\n", len(s.Fields), s.FieldCount, s.Name, next)
	}
}

// after is text with something before it, or nothing.
func after(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}
