package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

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
		a.WriteText(out, moreFields)
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

// moreFields asks for the rest of a section.
const moreFields = "-section %q -from %d"

// inspectSection prints other fields of a section than its first.
func inspectSection(w io.Writer, f format.File, section string, from uint64, asJSON bool) error {
	sections, err := decode.Fields(f, section, from, "")
	if err != nil {
		return err
	}
	if len(sections) == 0 {
		return misused("inspect: %s has no section %q; proflens inspect %[1]s lists what it has", f.Name, section)
	}
	if asJSON {
		return writeJSON(w, sections)
	}
	for i := range sections {
		sections[i].WriteText(w, moreFields)
	}
	return nil
}
