package anatomyweb

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// filesSearched is how many files of a profile are looked at for a function when
// none was picked.
const filesSearched = 16

// wantedFrom reads which function is asked for: a name, or the 16 hexadecimal
// digits of a NameRef; or the number of a record.
func (p *rawParams) wantedFrom(v *site.Values) {
	if p.words = strings.TrimSpace(v.One("function")); p.words != "" {
		p.Wanted = &model.Wanted{Name: p.words}
		if ref, ok := site.ParseFID(strings.TrimPrefix(strings.ToLower(p.words), "0x")); ok {
			p.Wanted = &model.Wanted{Ref: &ref}
		}
	}
	if text := v.One("hash"); text != "" {
		hash, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(text), "0x"), 16, 64)
		switch {
		case err != nil:
			v.Fail("hash", "%q is not a FuncHash; use 0x and up to 16 hexadecimal digits", text)
		case p.Wanted == nil:
			v.Fail("hash", "needs function, the one whose record it selects")
		default:
			p.Wanted.Hash = &hash
		}
	}
	if text := v.One("record"); text != "" {
		record, err := strconv.ParseUint(text, 10, 62)
		if err != nil {
			v.Fail("record", "%q is not a record number, counted from 0", text)
		}
		p.Wanted = &model.Wanted{Record: &record}
	}
}

// located is what was found of a function in a file.
type located struct {
	file     int
	location *model.Location
	matches  []model.Match
	fault    string // why it cannot be looked for
}

// counters is the sum that leads to a function's counters, or nil.
func (l *located) counters() *model.Sum {
	if l.location == nil {
		return nil
	}
	for i := range l.location.Sums {
		if s := &l.location.Sums[i]; s.Of == "counters" {
			return s
		}
	}
	return nil
}

// locate looks for a function in one of files. That the file is damaged is no
// error: its anatomy says it.
func (s *Handler) locate(ctx context.Context, files []catalog.FileEntry, at int, wanted model.Wanted) (located, error) {
	l := located{file: at}
	if err := s.Decodes.Take(ctx); err != nil {
		return l, err
	}
	defer s.Decodes.Give()
	var err error
	l.location, l.matches, err = s.Originals.Locate(ctx, files, at, wanted)
	if fault, ok := model.FaultIn(err); ok {
		l.fault, err = fault.Message(), nil
	}
	return l, err
}

// locateFirst looks for the function of a request in the file that was picked,
// or else in all: the first that has it, or words of it.
func (s *Handler) locateFirst(ctx context.Context, files []catalog.FileEntry, p rawParams) (located, error) {
	none := located{}
	if p.Wanted == nil {
		return none, nil
	}
	if p.File >= 0 {
		return s.locate(ctx, files, p.File, *p.Wanted)
	}
	for i := range files[:min(len(files), filesSearched)] {
		found, err := s.locate(ctx, files, i, *p.Wanted)
		if err != nil || found.location != nil {
			return found, err
		}
		if len(none.matches) == 0 && (len(found.matches) > 0 || none.fault == "") {
			none.matches, none.fault = found.matches, found.fault
			if len(found.matches) > 0 {
				none.file = i
			}
		}
	}
	return none, nil
}

// function is the panel of where a function stands, with the form that asks for
// one; nil for a file without records of functions.
func (v *anatomyView) function() *page.RawFunction {
	if !v.anatomy.Locates && v.params.Wanted == nil {
		return nil
	}
	m := &page.RawFunction{
		Action: site.PageOf(v.entry.ID) + "/raw", Words: v.params.words, File: site.FilePick(v.entry.Files, v.file),
	}
	if v.params.Wanted == nil {
		return m
	}
	l := v.found.location
	if l == nil {
		m.Matches = v.matches(v.found.matches)
		switch {
		case v.found.fault != "":
			m.None = "Cannot search: " + humanize.Printable(v.found.fault)
		case len(m.Matches) > 0:
			m.None = "No function has exactly this name. These contain it:"
		case v.params.Wanted.Record != nil:
			m.None = humanize.Say("The file has no record {}.", *v.params.Wanted.Record)
		default:
			m.None = "The file has no function with this name."
		}
		return m
	}
	m.Name = humanize.Printable(l.Function)
	if m.Name == "" {
		m.Name = l.NameRef
	}
	m.Record = humanize.Say("record {} of {}, counted from 0", l.Record, l.Records)
	if l.Record > 0 {
		m.Previous = v.recordURL(l.Record - 1)
	}
	if l.Record+1 < l.Records {
		m.Next = v.recordURL(l.Record + 1)
	}
	m.URL = site.PageOf(v.entry.ID) + "/functions/" + l.NameRef + "?" + url.Values{"hash": {"0x" + l.FuncHash}}.Encode()
	m.Matches = v.matches(l.Same)
	link := bytesAddress{v.link.With("record", strconv.FormatUint(l.Record, 10))}
	for i := range l.Sums {
		m.Sums = append(m.Sums, rawSum(&l.Sums[i], link))
	}
	return m
}

func (v *anatomyView) recordURL(record uint64) string {
	return v.link.With("record", strconv.FormatUint(record, 10)).String() + "#function"
}

func (v *anatomyView) matches(list []model.Match) []page.RawMatch {
	var rows []page.RawMatch
	for _, m := range list {
		name := humanize.Printable(m.Function)
		if name == "" {
			name = "record " + humanize.Int(m.Record)
		}
		rows = append(rows, page.RawMatch{Name: name, Hash: "0x" + m.FuncHash, URL: v.recordURL(m.Record)})
	}
	return rows
}

// rawSum is a sum as it is shown; link leads to bytes of the file.
func rawSum(s *model.Sum, link bytesAddress) page.RawSum {
	m := page.RawSum{Of: strings.ToUpper(s.Of[:1]) + s.Of[1:], Note: humanize.Printable(s.Note)}
	if s.Size > 0 {
		m.Bytes = link.at(s.Offset, s.Size)
		m.Place = humanize.Hex(s.Offset) + ", " + humanize.Plural(s.Size, "byte")
	}
	for _, t := range s.Terms {
		row := page.RawTerm{
			Sign: t.Sign, Name: humanize.Printable(t.Name), Value: humanize.Printable(t.Value), Note: humanize.Printable(t.Note),
			Result: t.Sign == "=",
		}
		if t.Size > 0 {
			row.URL = link.at(t.Offset, t.Size)
		}
		m.Terms = append(m.Terms, row)
	}
	for _, value := range s.Values {
		m.Values = append(m.Values, humanize.Printable(value))
	}
	m.More = humanize.More(s.More)
	return m
}
