package anatomyweb

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views"
	"proflens/views/chart"
	"proflens/views/page"
)

// Bounds of what one page of a file's anatomy shows.
const (
	hexPage          = 512 // bytes
	sectionsListed   = 100
	filesListed      = 500
	hexSectionsNamed = 8
	faultsMarked     = 50
	maxFieldWords    = 1000 // bytes
)

// rawParams is a request for a file's anatomy, of the page and of the API.
type rawParams struct {
	File   int     // index of the file that was picked; -1 for none
	At     *uint64 // nil when no offset was given
	Length uint64  // bytes from there; 0 when not given
	Page   int     // of the hex view; 0 for the one with At
	// Section is the one of which fields from number From on are asked for.
	Section string
	From    uint64
	Words   string // that fields have in their name or value
	Format  table.Format
	// Wanted is a function to work out the place of; nil when none was asked for.
	Wanted *model.Wanted
	words  string // that it was asked for with
}

// Keys are the parameters of the API call; pageKeys those of the page.
var (
	pageKeys = strings.Fields("file at length page section from q function hash record format")
	Keys     = strings.Fields("file at length section from q function hash record format")
)

// parseRaw reads a request for the anatomy of one of files.
func parseRaw(q url.Values, known []string, files []catalog.FileEntry) (rawParams, error) {
	v := site.NewValues(q, known)
	if v.Err != nil {
		return rawParams{}, v.Err
	}
	p := rawParams{
		File: -1, Page: v.Number("page", 0, math.MaxInt, 0),
		Format: site.Choice(v, "format", "", table.FormatJSON, table.FormatText),
	}
	if text := v.One("at"); text != "" {
		at := offset(v, "at", text)
		p.At = &at
	}
	if text := v.One("length"); text != "" {
		p.Length = offset(v, "length", text)
		if p.At == nil {
			v.Fail("length", "needs at, the offset to start from")
		}
	}
	p.Section = v.One("section")
	if text := v.One("from"); text != "" {
		var err error
		if p.From, err = strconv.ParseUint(text, 10, 62); err != nil {
			v.Fail("from", "%q is not a field number, counted from 0", text)
		}
		if p.Section == "" {
			v.Fail("from", "needs section, the one whose fields it counts")
		}
	}
	if p.Words = strings.Join(strings.Fields(v.Words("q")), " "); len(p.Words) > maxFieldWords {
		v.Fail("q", "longer than %d bytes", maxFieldWords)
	}
	if p.Words != "" && p.Section == "" {
		v.Fail("q", "needs section, the one whose fields it selects")
	}
	p.wantedFrom(v)
	if pick := v.One("file"); pick != "" {
		if p.File = site.PickFile(files, pick); p.File < 0 {
			return p, site.ErrNoOriginal
		}
	}
	return p, v.Err
}

// offset reads a number of bytes, decimal or hexadecimal after 0x.
func offset(v *site.Values, key, text string) uint64 {
	digits, base := text, 10
	if len(text) > 2 && strings.EqualFold(text[:2], "0x") {
		digits, base = text[2:], 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		v.Fail(key, "%q is not a number of bytes; use a decimal number, or 0x and up to 16 hexadecimal digits", text)
	}
	return n
}

// RawPage is GET /p/{id}/raw: the layout of one file, and its bytes around an
// offset.
func (s *Handler) RawPage(w http.ResponseWriter, r *http.Request) error {
	e := s.Entry(r)
	p, err := parseRaw(r.URL.Query(), pageKeys, e.Files)
	if err != nil {
		return err
	}
	if p.Format != "" {
		a := site.AddressOf(r.URL).Without("page")
		a.Path = site.APIOf(e.ID) + "/anatomy"
		return site.Forward(w, r, a.String())
	}
	if len(e.Files) == 0 {
		return site.ErrNoOriginal
	}
	if s.NotModifiedPage(w, r) {
		return nil
	}
	ctx := s.RequestContext(r)
	found, err := s.locateFirst(ctx, e.Files, p)
	if err != nil {
		return err
	}
	file := max(p.File, found.file)
	a, err := s.Of(ctx, e.Files[file])
	if err != nil {
		return err
	}
	if place := found.counters(); p.At == nil && place != nil {
		p.At, p.Length = &place.Offset, place.Size
	}
	v := &anatomyView{
		entry: e, file: file, params: p, found: found, anatomy: a, size: uint64(max(e.Files[file].Size, 0)),
		link: RawAddress(e, file),
	}
	v.layOut()
	if err := s.openSection(ctx, v); err != nil {
		return err
	}
	bytes, err := s.readBytes(ctx, e.Files[file], v.hexStart(), hexPage)
	if err != nil {
		return err
	}
	m := v.model(bytes)
	if m.Salvage, err = s.SalvageOffer(ctx, e); err != nil {
		return err
	}
	return s.Render(w, r, views.Raw(s.ProfileShell(r, site.RawView, ""), m))
}

// readBytes reads up to length bytes of an original; none after its end.
func (s *Handler) readBytes(ctx context.Context, file catalog.FileEntry, offset uint64, length int) ([]byte, error) {
	if offset > math.MaxInt64-uint64(length) {
		return nil, nil
	}
	f, err := s.Store.OpenObject(ctx, file.SHA256)
	if errors.Is(err, catalog.ErrNotFound) {
		return nil, site.ErrNoOriginal
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, length)
	n, err := f.ReadAt(b, int64(offset))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b[:n], nil
}

// fileRun is a run of a file's bytes: a section as it was read, or bytes that
// belong to none. Sections of damaged files may overlap, and may pass the end.
type fileRun struct {
	section      *model.Section // nil for bytes in no section
	offset, size uint64
	visible      uint64 // where the part begins that no run before it covers
	category     int
	unread       bool // in no section, and after what could be read
}

func (r *fileRun) end() uint64 { return endOf(r.offset, r.size) }

// endOf is the offset after a run's last byte, at most the largest there is.
func endOf(offset, size uint64) uint64 {
	if offset+size < offset {
		return math.MaxUint64
	}
	return offset + size
}

func (r *fileRun) name() string {
	switch {
	case r.section != nil:
		return humanize.Printable(r.section.Name)
	case r.unread:
		return "not read"
	}
	return "in no section"
}

// anatomyView is what the page is made from.
type anatomyView struct {
	entry   *catalog.Entry
	file    int
	params  rawParams
	anatomy *model.Anatomy
	size    uint64
	link    bytesAddress

	found    located
	runs     []fileRun
	selected int // index of the run with the selection; -1 when there is none
	field    *model.Field
	from, to uint64 // the marked bytes, without their end
}

// layOut finds the runs of the file and what is selected.
func (v *anatomyView) layOut() {
	categories := map[string]int{}
	pos := uint64(0)
	gap := func(to uint64) {
		if to > pos {
			v.runs = append(v.runs, fileRun{offset: pos, size: to - pos, visible: pos, category: -1})
			pos = to
		}
	}
	for i := range v.anatomy.Sections {
		s := &v.anatomy.Sections[i]
		gap(min(s.Offset, v.size))
		if _, known := categories[s.Name]; !known {
			categories[s.Name] = len(categories) % 12
		}
		run := fileRun{section: s, offset: s.Offset, size: s.Size, category: categories[s.Name]}
		run.visible = min(max(pos, s.Offset), run.end())
		v.runs = append(v.runs, run)
		pos = max(pos, min(run.end(), v.size))
	}
	read := len(v.runs)
	gap(v.size)
	if len(v.runs) > read && slices.ContainsFunc(v.anatomy.Findings, func(f model.Finding) bool {
		return f.Severity == model.Error
	}) {
		v.runs[read].unread = true
	}
	v.find()
}

// find settles what is selected: the run and the field around the offset, and
// the bytes to mark. Without an offset the first section is open and no byte
// is marked.
func (v *anatomyView) find() {
	if v.selected = v.named(); v.selected >= 0 {
		v.mark()
		return
	}
	if v.params.At == nil {
		for i := range v.runs {
			if v.runs[i].section != nil {
				v.selected = i
				return
			}
		}
		return
	}
	at := *v.params.At
	for i := range v.runs {
		r := &v.runs[i]
		here := r.offset <= at && at < r.end() || r.offset == at && r.size == 0 && v.params.Length == 0
		// Of sections that overlap the smallest says most.
		if here && (v.selected < 0 || v.better(r, &v.runs[v.selected])) {
			v.selected = i
		}
	}
	v.mark()
}

// mark settles which bytes are marked, and which field they are.
func (v *anatomyView) mark() {
	v.field, v.from, v.to = nil, 0, 0
	if v.params.At == nil {
		return
	}
	at := *v.params.At
	v.from, v.to = at, endOf(at, max(v.params.Length, 1))
	if v.selected < 0 || v.runs[v.selected].section == nil {
		return
	}
	fields := v.runs[v.selected].section.Fields
	for i := range fields {
		f := &fields[i]
		exact := f.Offset == at && f.Size == v.params.Length
		if exact || v.params.Length == 0 && f.Offset <= at && at < endOf(f.Offset, f.Size) {
			v.field = f
			v.from, v.to = f.Offset, endOf(f.Offset, f.Size)
			return
		}
	}
}

// better reports whether run a answers the selection better than b, which
// holds the offset too: it is the one that was asked for, or smaller.
func (v *anatomyView) better(a, b *fileRun) bool {
	asked := func(r *fileRun) bool { return r.offset == *v.params.At && r.size == v.params.Length }
	switch {
	case asked(a) != asked(b):
		return asked(a)
	case a.size == 0 || b.size == 0:
		return a.size > 0
	}
	return a.size < b.size
}

// hexPages is how many pages of bytes the file has.
func (v *anatomyView) hexPages() uint64 { return max((v.size+hexPage-1)/hexPage, 1) }

// hexNumber is the page of bytes shown, from 1.
func (v *anatomyView) hexNumber() uint64 {
	n := uint64(v.params.Page)
	if n == 0 {
		n = 1
		if v.params.At != nil {
			n = *v.params.At/hexPage + 1
		}
	}
	return min(n, v.hexPages())
}

func (v *anatomyView) hexStart() uint64 { return (v.hexNumber() - 1) * hexPage }

func (v *anatomyView) model(bytes []byte) page.Raw {
	file := v.entry.Files[v.file]
	m := page.Raw{
		Name: humanize.Printable(file.Name), Format: humanize.Printable(cmp.Or(v.anatomy.Format, "not recognised")),
		Size: humanize.Bytes(v.size), SHA256: file.SHA256,
		Original: site.APIOf(v.entry.ID) + "/original?" +
			url.Values{"file": {cmp.Or(site.FilePick(v.entry.Files, v.file), "0")}}.Encode(),
		JSON: site.APIOf(v.entry.ID) + "/anatomy",
		GoTo: v.goTo(), Function: v.function(), Strip: v.strip(), Values: v.values(), Hex: v.hex(bytes),
	}
	if pick := site.FilePick(v.entry.Files, v.file); pick != "" {
		m.JSON += "?" + url.Values{"file": {pick}}.Encode()
	}
	v.sections(&m)
	for i := range v.anatomy.Findings[:min(len(v.anatomy.Findings), findingsShown)] {
		f := &v.anatomy.Findings[i]
		d := diagnosis(v.entry, f, i+1)
		if hasPlace(f) {
			d.Bytes = v.link.at(f.Offset, 0)
		}
		m.Findings = append(m.Findings, d)
		if f.Severity == model.Error {
			m.Fault = &m.Findings[i]
		}
	}
	return m
}

func (v *anatomyView) goTo() page.GoTo {
	g := page.GoTo{Action: site.PageOf(v.entry.ID) + "/raw"}
	if v.params.At != nil {
		g.At = humanize.Hex(*v.params.At)
	}
	if len(v.entry.Files) == 1 {
		return g
	}
	for i, f := range v.entry.Files {
		if i < filesListed || i == v.file {
			g.Files = append(g.Files, page.Option{
				Value: site.FilePick(v.entry.Files, i), Label: humanize.Printable(f.Name), Selected: i == v.file,
			})
		}
	}
	return g
}

func (v *anatomyView) strip() *chart.SectionStrip {
	var runs []chart.FileRun
	for i := range v.runs {
		r := &v.runs[i]
		if end := min(r.end(), v.size); r.visible < end {
			runs = append(runs, chart.FileRun{
				Offset: r.visible, Size: end - r.visible, Category: r.category, Name: r.name(), URL: v.runURL(r),
				Selected: i == v.selected && v.params.At != nil,
			})
		}
	}
	var places []chart.FilePlace
	for i := range v.anatomy.Findings {
		if f := &v.anatomy.Findings[i]; hasPlace(f) && len(places) < faultsMarked {
			places = append(places, chart.FilePlace{Offset: f.Offset, Title: f.Code + ", " + humanize.Hex(f.Offset)})
		}
	}
	return chart.NewSectionStrip(runs, v.size, places)
}

func (v *anatomyView) runURL(r *fileRun) string { return v.link.at(r.offset, r.size) }

// sections lists the runs, of very many those around the selected one.
func (v *anatomyView) sections(m *page.Raw) {
	first := 0
	if len(v.runs) > sectionsListed {
		first = min(max(v.selected-sectionsListed/2, 0), len(v.runs)-sectionsListed)
	}
	last := min(first+sectionsListed, len(v.runs))
	for i := first; i < last; i++ {
		r := &v.runs[i]
		row := page.RawSection{
			Name: r.name(), URL: v.runURL(r), Category: r.category, Offset: humanize.Hex(r.offset), Size: humanize.Int(r.size),
			Share: humanize.Percent(float64(r.size)/float64(max(v.size, 1)), 1), Selected: i == v.selected,
		}
		if r.section != nil {
			row.Note = humanize.Printable(r.section.Note)
		}
		m.Sections = append(m.Sections, row)
	}
	if first > 0 {
		m.Earlier = &page.Link{
			Label: humanize.Int(first) + " before these", URL: v.runURL(&v.runs[max(first-sectionsListed/2, 0)]),
		}
	}
	if more := len(v.runs) - last; more > 0 {
		m.Later = &page.Link{
			Label: humanize.Int(more) + " after these", URL: v.runURL(&v.runs[min(last+sectionsListed/2, len(v.runs)-1)]),
		}
	}
}

// values lists what was read in the selected section.
func (v *anatomyView) values() *page.RawValues {
	if v.selected < 0 || v.runs[v.selected].section == nil {
		return nil
	}
	s := v.runs[v.selected].section
	m := &page.RawValues{
		Section: humanize.Printable(s.Name), Place: humanize.Hex(s.Offset) + ", " + humanize.Plural(s.Size, "byte"),
	}
	v.pageFields(m, s)
	link := v.link
	if v.params.Section != "" {
		link.Address = link.With("section", v.params.Section).With("from", strconv.FormatUint(s.From, 10)).With(
			"q", v.params.Words)
	}
	end := s.Offset
	for i := range s.Fields {
		f := &s.Fields[i]
		m.Rows = append(m.Rows, page.RawValue{
			Name: humanize.Printable(f.Name), URL: link.at(f.Offset, f.Size), Offset: humanize.Hex(f.Offset),
			Size:  humanize.Int(f.Size),
			Value: fieldValue(f), Decimal: decimalOf(f), Meaning: humanize.Printable(f.Meaning), Selected: f == v.field,
		})
		end = max(end, endOf(f.Offset, f.Size))
	}
	if after := min(endOf(s.Offset, s.Size), v.size); len(m.Rows) > 0 && end < after && s.FieldCount == 0 &&
		v.params.Words == "" {
		m.Rest = humanize.Say("{byte} from {} on are not listed by value", after-end, humanize.Hex(end))
		m.RestURL = v.link.at(end, after-end)
	}
	return m
}

func (v *anatomyView) hex(bytes []byte) page.HexView {
	start, size := v.hexStart(), v.size
	end := start + uint64(len(bytes))
	h := page.HexView{Pager: v.hexPager()}
	if len(bytes) == 0 {
		h.Empty = "The file is empty."
		return h
	}
	h.Range = humanize.Hex(start) + " to " + humanize.Hex(end-1)
	marks := page.HexMarks{From: v.from, To: v.to, Begins: map[uint64]string{}, Faults: map[uint64]string{}}
	for i := range v.runs {
		r := &v.runs[i]
		if r.section == nil || r.size == 0 || r.offset >= end || r.end() <= start {
			continue
		}
		if r.offset >= start {
			marks.Begins[r.offset] = r.name()
		}
		if len(h.Sections) < hexSectionsNamed {
			h.Sections = append(h.Sections, r.name()+" from "+humanize.Hex(r.offset))
		}
	}
	for i := range v.anatomy.Findings {
		if f := &v.anatomy.Findings[i]; hasPlace(f) && start <= f.Offset && f.Offset < end {
			marks.Faults[f.Offset] = f.Code
		}
	}
	if at := v.params.At; at != nil {
		if *at >= size {
			h.Past = humanize.Say("{} is past the end: the file has {byte}, and its last byte is at {}.", humanize.Hex(*at),
				size, humanize.Hex(size-1))
			marks.To = marks.From
		} else {
			h.Selection = v.selection()
		}
	}
	h.Rows = page.NewHexRows(bytes, start, marks)
	return h
}

// selection says what is marked: "Version, 0x8 to 0xf, 8 bytes".
func (v *anatomyView) selection() string {
	to := min(v.to, v.size)
	what := humanize.Hex(v.from)
	if to-v.from > 1 {
		what += " to " + humanize.Hex(to-1)
	}
	what += ", " + humanize.Plural(to-v.from, "byte")
	if v.field != nil {
		return humanize.Printable(v.field.Name) + ", " + what
	}
	if v.selected >= 0 {
		if r := &v.runs[v.selected]; r.offset == v.from && min(r.end(), v.size) == to {
			return r.name() + ", " + what
		}
	}
	return what
}

func (v *anatomyView) hexPager() page.Pager {
	base := v.link.Address
	if v.params.At != nil {
		base = base.With("at", humanize.Hex(*v.params.At))
	}
	if v.params.Length > 0 {
		base = base.With("length", strconv.FormatUint(v.params.Length, 10))
	}
	number, pages := v.hexNumber(), v.hexPages()
	to := func(n uint64) string {
		if n < 1 || n > pages || n == number {
			return ""
		}
		return base.With("page", strconv.FormatUint(n, 10)).String() + "#bytes"
	}
	return page.Pager{
		Page: humanize.Int(number), Pages: humanize.Int(pages),
		First: to(1), Previous: to(number - 1), Next: to(number + 1), Last: to(pages),
	}
}
