package anatomyweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// unfiltered is how many rows a list may have without a filter.
const unfiltered = 10

// fieldsPage is how many fields of a section one answer has.
const fieldsPage = 256

// fields reads the fields of a section from number from on, from the original;
// an anatomy keeps the first only. The error is a problem when the file has no
// such section.
func (s *Handler) fields(ctx context.Context, file catalog.FileEntry, section string, from uint64,
	words string) ([]model.Section, error) {
	if err := s.Decodes.Take(ctx); err != nil {
		return nil, err
	}
	defer s.Decodes.Give()
	found, err := s.Originals.Fields(ctx, file, section, from, words)
	if err == nil && len(found) == 0 {
		err = &site.Problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such section", Param: "section",
			Detail: fmt.Sprintf("%s has no section %q; its anatomy lists the sections", humanize.Printable(file.Name), section)}
	}
	return found, err
}

// openSection reads the fields that were asked for into the selected section.
func (s *Handler) openSection(ctx context.Context, v *anatomyView) error {
	if v.params.Section == "" {
		return nil
	}
	found, err := s.fields(ctx, v.entry.Files[v.file], v.params.Section, v.params.From, v.params.Words)
	if err != nil {
		return err
	}
	if v.selected >= 0 {
		v.runs[v.selected].section = &found[0] // the anatomy itself is shared
		v.mark()
	}
	return nil
}

// named is the run of the section that was asked for by name; -1 for none.
func (v *anatomyView) named() int {
	for i := range v.runs {
		if s := v.runs[i].section; s != nil && s.Name == v.params.Section {
			return i
		}
	}
	return -1
}

// pageFields leads through the fields of a section that has more than one page
// of them.
func (v *anatomyView) pageFields(m *page.RawValues, s *model.Section) {
	to := func(from uint64) string {
		return v.link.Without("page", "at", "length").With("section", s.Name).With("q", v.params.Words).With(
			"from", strconv.FormatUint(from, 10)).String()
	}
	if v.params.Words != "" || s.FieldCount > 0 || len(s.Fields) > unfiltered {
		plain := v.link.Without("page", "at", "length", "from").With("section", s.Name)
		m.Filter = page.QuickFilter{
			Action: v.link.Path, Q: v.params.Words, Label: "field or value",
			Keep: []page.Hidden{{Name: "section", Value: s.Name}},
		}
		if file := plain.Query.Get("file"); file != "" {
			m.Filter.Keep = append(m.Filter.Keep, page.Hidden{Name: "file", Value: file})
		}
		if v.params.Words != "" {
			m.Chips = []page.Chip{{Text: "contains " + humanize.Printable(v.params.Words), Remove: plain.String()}}
		}
	}
	if s.FieldCount == 0 {
		return
	}
	first, last := s.From+1, s.From+uint64(len(s.Fields))
	m.Range = humanize.Say("{}–{} of {}", first, last, s.FieldCount)
	if len(s.Fields) == 0 {
		m.Range = "none of " + humanize.Int(s.FieldCount)
	}
	pages := (s.FieldCount + fieldsPage - 1) / fieldsPage
	if s.From > 0 {
		m.Pager.First, m.Pager.Previous = to(0), to(s.From-min(s.From, fieldsPage))
	}
	if last < s.FieldCount {
		m.Pager.Next, m.Pager.Last = to(last), to((pages-1)*fieldsPage)
	}
}

// hexNames are the ends of the names of fields that people read in hexadecimal: magic
// numbers, versions with flags above them, hashes and addresses.
var hexNames = strings.Fields("Magic magic Version Delta Ptr Pointer Hash NameRef Address StackId PC")

// inHex is a field's value where it is a number to be read in hexadecimal. Small ones,
// such as a version without flags, stay as they are.
func inHex(f *model.Field) (uint64, bool) {
	v, err := strconv.ParseUint(f.Value, 10, 64)
	named := func(end string) bool { return strings.HasSuffix(f.Name, end) }
	return v, err == nil && v > 0xffff && slices.ContainsFunc(hexNames, named)
}

// fieldValue is a field's value as pages show it.
func fieldValue(f *model.Field) string {
	if v, ok := inHex(f); ok {
		return humanize.Hex(v)
	}
	return humanize.Printable(f.Value)
}

// decimalOf is the value in decimal where fieldValue is not; else empty.
func decimalOf(f *model.Field) string {
	if _, ok := inHex(f); ok {
		return f.Value
	}
	return ""
}
