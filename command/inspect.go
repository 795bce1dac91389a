package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

// inspectConfig is the flags of "proflens inspect".
type inspectConfig struct {
	json    bool
	section string
	from    uint64
}

// inspectCommand prints the anatomy of files: on a malformed one, all that could
// be read and then what is wrong.
func inspectCommand(c *cobra.Command) runner {
	someFiles(c)
	o := &inspectConfig{}
	c.Flags().BoolVar(&o.json, "json", false, "print JSON, one object per file")
	c.Flags().StringVar(&o.section, "section", "", "print only the fields of section `NAME`, such as data or counters")
	c.Flags().Uint64Var(&o.from, "from", 0, "with -section: number `N` of the first field to print, from 0")
	return o.inspect
}

func (o *inspectConfig) inspect(ctx context.Context, names []string, std stdio) error {
	if o.from > 0 && o.section == "" {
		return usageError{"inspect: -from counts fields of a section; name it with -section"}
	}
	in, err := readInputs(ctx, names, nil, std.in)
	if err != nil {
		return named(err)
	}
	defer in.Close()
	out := bufio.NewWriter(std.out)
	defer out.Flush()
	var fault error
	for i, f := range in.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.section != "" {
			if err := inspectSection(out, f, o.section, o.from, o.json); err != nil {
				return named(err)
			}
			continue
		}
		a := decode.Inspect(f)
		if fault == nil {
			fault = anatomyFault(a)
		}
		if o.json {
			if err := writeJSON(out, a); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		printAnatomy(out, a)
	}
	return named(fault)
}

// anatomyFault is the error for the exit status and the line on standard
// error: that of the first error among the findings.
func anatomyFault(a *model.Anatomy) error {
	for _, f := range a.Findings {
		if f.Severity == model.Error {
			return &model.FormatError{
				Kind: f.Kind, File: a.File, Section: f.Section, Field: f.Field, Offset: f.Offset,
				Expected: f.Expected, Found: f.Found, Msg: f.Message,
			}
		}
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printAnatomy prints sections with their fields, then findings, then what can
// be salvaged.
func printAnatomy(w io.Writer, a *model.Anatomy) {
	fmt.Fprintf(w, "%s: %s, %s\n", a.File, a.Format, model.Amount(a.Size, "byte", "bytes"))
	for i := range a.Sections {
		fmt.Fprintln(w)
		printSection(w, &a.Sections[i])
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

// printSection prints a section and its fields, and where to find those that
// are left out.
func printSection(w io.Writer, s *model.Section) {
	fmt.Fprintf(w, "0x%08x  %s, %s%s\n", s.Offset, s.Name, model.Amount(s.Size, "byte", "bytes"), after(", ", s.Note))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range s.Fields {
		fmt.Fprintf(t, "  0x%08x\t%s\t%d\t%s%s\n", f.Offset, f.Name, f.Size, f.Value, after("\t", f.Meaning))
	}
	t.Flush()
	if next := s.From + uint64(len(s.Fields)); next < s.FieldCount {
		fmt.Fprintf(w, "  %d of %d fields; more with -section %q -from %d\n", len(s.Fields), s.FieldCount, s.Name, next)
	}
}

// inspectSection prints other fields of a section than its first.
func inspectSection(w io.Writer, f format.File, section string, from uint64, asJSON bool) error {
	sections, err := decode.Fields(f, section, from, "")
	if err != nil {
		return err
	}
	if len(sections) == 0 {
		return usageError{
			fmt.Sprintf("inspect: %s has no section %q; proflens inspect %[1]s lists what it has", f.Name, section),
		}
	}
	if asJSON {
		return writeJSON(w, sections)
	}
	for i := range sections {
		printSection(w, &sections[i])
	}
	return nil
}

// after is text with something before it, or nothing.
func after(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}
