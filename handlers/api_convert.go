package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
)

// convertParams is a request to see what becomes of a profile as an indexed
// file.
type convertParams struct {
	Version     int // 0 is the default
	Lossy       bool
	VTableNames bool // also those of raw profiles
	Format      table.Format
}

var convertKeys = []string{"version", "lossy", "keep-vtable-symbols", "format"}

// parseConvert reads them. Errors are *site.ParamError.
func parseConvert(q url.Values) (convertParams, error) {
	v := site.NewValues(q, convertKeys)
	yes := func(key string) bool { b := v.Boolean(key); return b != nil && *b }
	p := convertParams{
		Version: v.Number("version", encode.MinVersion, encode.MaxVersion, 0),
		Lossy:   yes("lossy"), VTableNames: yes("keep-vtable-symbols"),
		Format: site.Choice(v, "format", "", table.FormatJSON, table.FormatText),
	}
	return p, v.Err
}

// convertObject says what an export as an indexed profile would do.
type convertObject struct {
	Version     int  `json:"version" is:"5..14"`
	Default     int  `json:"default_version" is:"5..14" doc:"Version that the export chooses by default."`
	Lossy       bool `json:"lossy"`
	VTableNames bool `json:"keep_vtable_symbols"`

	Refused     bool            `json:"refused" doc:"True if data would be lost and lossy is not set."`
	Download    string          `json:"download" doc:"Path of the file on this server."`
	ReadSince   int             `json:"read_since" doc:"First LLVM release that reads the version. Newer ones do too."`
	WrittenBy   [2]int          `json:"written_by" is:"list 2..2" doc:"First and last LLVM release that write the version."`
	IdenticalTo *string         `json:"identical_to"` // whose output this equals byte for byte
	Hashes      encode.HashFit  `json:"hashes"`
	HashesSay   string          `json:"hashes_say" doc:"hashes as a sentence."`
	Mismatched  *uint64         `json:"mismatched"` // records; null where the profile does not show how many
	Producer    producerObject  `json:"producer" doc:"What the profile shows about the compiler that made it."`
	VTables     vtableObject    `json:"vtable_names"`
	Heap        *memprofObject  `json:"heap" doc:"What happens to the heap profile; null if there is none."`
	Lost        []model.Finding `json:"lost" doc:"What the version cannot hold."`
	Findings    []model.Finding `json:"findings"`
	Versions    []versionObject `json:"versions" doc:"Every version that can be written."`
}

// producerObject is what a profile shows of the compiler that made it.
type producerObject struct {
	FrontEnd   bool   `json:"front_end"`
	First      int    `json:"first_version"` // that the releases write which can have made it
	Last       int    `json:"last_version"`
	Records    uint64 `json:"records"`
	WideHashes uint64 `json:"wide_hashes" doc:"Records with a front-end hash of more than 60 bits."`
}

type vtableObject struct {
	Have uint64 `json:"have"`
	Kept bool   `json:"kept"`
}

// memprofObject is what becomes of the heap profile.
type memprofObject struct {
	MemProf    *uint64 `json:"memprof_version" is:"0..4"` // of the section; null where it is left out
	Carried    bool    `json:"carried" doc:"True if copied unchanged from the profile's file."`
	ReadSince  *int    `json:"read_since" doc:"First LLVM release that reads it in this file."`
	ReadUntil  *int    `json:"read_until" doc:"Last LLVM release that reads it; null if newer ones do."`
	Contexts   uint64  `json:"contexts"`
	Callees    uint64  `json:"call_sites_with_callees"`
	DataAccess uint64  `json:"data_access" doc:"Symbols and string literals of the data access profile."`
	Histograms uint64  `json:"histograms_left_out"`
}

// versionObject is one version in the list of all.
type versionObject struct {
	Version    int            `json:"version"`
	ReadSince  int            `json:"read_since"` // release of LLVM
	Hashes     encode.HashFit `json:"hashes"`
	Mismatched *uint64        `json:"mismatched"`
	Lost       int            `json:"lost" doc:"How many kinds of data it cannot hold."`
	MemProf    *uint64        `json:"memprof_version" is:"0..4"` // null where none is written
}

const getConvertSays = `
	downloads getConvert: Preview an indexed profile
	Shows before you download what the version cannot hold and which functions clang will not match. Takes the
	parameters of the export. text/plain includes the next command.
	?version integer 5..14: The indexed version. Default: the export's choice.
	?lossy boolean: Drop data that the version cannot hold.
	?keep-vtable-symbols boolean: Keep the vtable names of raw profiles.
	?format json|text: Default json; overrides the Accept header.
	>200 Conversion text: The plan.`

// getConvert is GET /profiles/{id}/convert: what an indexed profile of a version
// would hold, before it is downloaded.
func (s *server) getConvert(w http.ResponseWriter, r *http.Request) error {
	p, err := parseConvert(r.URL.Query())
	if err != nil {
		return err
	}
	e := s.Entry(r)
	if e.State != catalog.Ready {
		return s.NotReady(w, r)
	}
	text := p.Format == table.FormatText || p.Format == "" && wantsText(r)
	if s.NotModified(w, r, fmt.Sprint("convert ", text, s.Private)) {
		return nil
	}
	o, err := s.convertible(r, p)
	if err != nil {
		return err
	}
	object := newConvertObject(e, o, p)
	object.Download = s.BasePath + object.Download
	if text {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, object.text(s.Curl(), site.Origin(r), e.Name))
		return nil
	}
	return site.WriteJSON(w, object)
}

// convertible is the preview of the request's profile, or a problem where its
// kind has no indexed form.
func (s *server) convertible(r *http.Request, p convertParams) (*encode.ProfdataPreview, error) {
	e := s.Entry(r)
	if !s.Indexable(e) {
		return nil, &site.Absent{Title: "Nothing to convert",
			Detail: "only instrumentation and heap profiles can be converted to .profdata"}
	}
	ctx := s.RequestContext(r)
	key := previewOf{e.Digest, e.Decoder, p.VTableNames}
	return s.previews.Get(ctx, s.decodes, key, func() (*encode.ProfdataPreview, int, error) {
		o, err := s.Originals.ProfdataPreview(ctx, e.Files, p.VTableNames)
		return o, 0, err
	})
}

// previewOf is what a preview depends on.
type previewOf struct {
	digest  string // over all files
	decoder int
	vtables bool
}

func newConvertObject(e *catalog.Entry, o *encode.ProfdataPreview, p convertParams) *convertObject {
	v := o.Version(p.Version)
	by := encode.WrittenBy(v.Version)
	c := &convertObject{
		Version: v.Version, Default: o.Default, Lossy: p.Lossy, VTableNames: p.VTableNames,
		Refused: len(v.Lost) > 0 && !p.Lossy, Download: convertDownload(e.ID, v.Version, p),
		ReadSince: by.First, WrittenBy: [2]int{by.First, by.Last},
		Hashes: v.Hashes, HashesSay: hashesSay(o, v), Mismatched: mismatched(v),
		Producer: producerObject{
			o.Producer.FrontEnd, o.Producer.First, o.Producer.Last, o.Producer.Records, o.Producer.WideHashes,
		},
		VTables:  vtableObject{o.VTableNames, v.KeepsVTableNames && o.VTableNames > 0},
		Heap:     newMemProfObject(o.Heap, v.Heap),
		Lost:     append([]model.Finding{}, v.Lost...),
		Findings: append(append([]model.Finding{}, v.Remarks...), v.Mismatch...),
	}
	if encode.Identical(v.Version) && o.Heap == nil { // llvm-profdata drops what heap profile it finds in an indexed file
		who := "llvm-profdata " + by.String()
		c.IdenticalTo = &who
	}
	for i := range o.Versions {
		v := &o.Versions[i]
		c.Versions = append(c.Versions, versionObject{
			v.Version, encode.WrittenBy(v.Version).First, v.Hashes, mismatched(v), len(v.Lost), memProfVersion(v.Heap),
		})
	}
	return c
}

func newMemProfObject(o *encode.MemProfPreview, f *encode.MemProfForm) *memprofObject {
	if o == nil {
		return nil
	}
	h := &memprofObject{
		MemProf: memProfVersion(f), Contexts: o.Contexts, Callees: o.Callees, DataAccess: o.DataAccess,
		Histograms: o.Histograms,
	}
	if f == nil {
		return h
	}
	h.Carried, h.ReadSince = f.Carried, &f.ReadBy.First
	if f.ReadBy.Last > 0 {
		h.ReadUntil = &f.ReadBy.Last
	}
	return h
}

// says is what becomes of the heap profile in a sentence.
func (h *memprofObject) says() string {
	contexts := humanize.Plural(h.Contexts, "allocation context")
	if h.MemProf == nil {
		return "Left out: " + contexts + "."
	}
	s := fmt.Sprintf("MemProf version %d, read by LLVM %d and newer", *h.MemProf, *h.ReadSince)
	if h.ReadUntil != nil {
		s = fmt.Sprintf("MemProf version %d, read by LLVM %s", *h.MemProf, encode.Releases{
			First: *h.ReadSince, Last: *h.ReadUntil,
		})
	}
	switch {
	case h.Carried:
		s += "; copied unchanged"
	case h.Contexts > 0:
		s += "; " + contexts
	}
	if h.Callees > 0 {
		s += "; callees of " + humanize.Plural(h.Callees, "call site")
	}
	if h.DataAccess > 0 {
		s += humanize.Say("; data access of {symbol or string|symbols and strings}", h.DataAccess)
	}
	if h.Histograms > 0 {
		s += humanize.Say("; without the access histograms of {context}, which no indexed file has", h.Histograms)
	}
	return s + "."
}

// memProfVersion is the version of a section, nil where there is none.
func memProfVersion(f *encode.MemProfForm) *uint64 {
	if f == nil {
		return nil
	}
	return &f.MemProf
}

// convertDownload is where the file is.
func convertDownload(id string, version int, p convertParams) string {
	a := site.APIOf(id) + "/export/profdata?version=" + strconv.Itoa(version)
	if p.Lossy {
		a += "&lossy=true"
	}
	if p.VTableNames {
		a += "&keep-vtable-symbols=true"
	}
	return a
}

// mismatched is how many records clang will not match: nil where that is not
// known.
func mismatched(v *encode.VersionPreview) *uint64 {
	n := v.Mismatched()
	if n == 0 && (v.Hashes == encode.HashMismatch || v.Hashes == encode.HashUnknown) {
		return nil
	}
	return &n
}

// hashesSay says with which clang the functions match.
func hashesSay(o *encode.ProfdataPreview, v *encode.VersionPreview) string {
	reads := fmt.Sprintf("Clang %d and newer reads version %d", encode.WrittenBy(v.Version).First, v.Version)
	g := encode.GenerationOf(v.Version)
	versions := fmt.Sprintf("versions %d to %d", g.First, g.Last)
	if g.First == g.Last {
		versions = fmt.Sprintf("version %d", g.First)
	}
	if o.Producer.Records == 0 && o.Heap != nil {
		return "No function hashes: this is a heap profile. " + reads + "."
	}
	switch v.Hashes {
	case encode.HashOfControlFlow:
		return "IR profile: its hashes describe the control flow and are the same in every version. " + reads +
			" and matches each function whose control flow is still the same."
	case encode.HashKept:
		return "Front-end profile: its hashes are those of " + versions + ", and clang computes the same for this file. " +
			reads + " and matches each function that has not changed."
	case encode.HashMismatch:
		which := humanize.Say("some of {function} do not match; the profile does not show how many", o.Producer.Records)
		if n := v.Mismatched(); n > 0 {
			which = humanize.Say("{} of {function} will not match", n, o.Producer.Records)
		}
		return "Front-end profile: clang computes the hashes of " + versions +
			" for this file, which are not the program's. " + reads + ", but " + which + "."
	}
	return "Front-end profile: clang computes the hashes of " + versions + " for this file. " + reads +
		"; the profile does not show whether all functions have such hashes."
}

// text is the object for a terminal, with the next commands.
func (c *convertObject) text(curl, server, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s as an indexed profile of version %d\n\n", humanize.Printable(name), c.Version)
	line := func(term, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s  %s\n", term, fmt.Sprintf(format, args...))
	}
	line("read by", "LLVM %d and newer", c.ReadSince)
	if c.IdenticalTo != nil {
		line("identical to", "what %s writes", *c.IdenticalTo)
	}
	line("hashes", "%s: %s", c.Hashes, c.HashesSay)
	if c.VTables.Have > 0 {
		line("vtable names", "%d, kept: %v", c.VTables.Have, c.VTables.Kept)
	}
	if c.Heap != nil {
		line("heap profile", "%s", c.Heap.says())
	}
	for _, f := range c.Lost {
		line("left out", "%s", f.Message)
	}
	for _, f := range c.Findings {
		line(string(f.Severity), "%s", f.Message)
	}
	b.WriteString("\nversion  read by  left out  hashes\n")
	for _, v := range c.Versions {
		fmt.Fprintf(&b, "%7d  %7s  %8d  %s", v.Version, strconv.Itoa(v.ReadSince)+"+", v.Lost, v.Hashes)
		if v.Mismatched != nil && *v.Mismatched > 0 {
			fmt.Fprintf(&b, " (%s)", humanize.Plain(humanize.Plural(*v.Mismatched, "record")))
		}
		if v.Version == c.Default {
			b.WriteString("  default")
		}
		b.WriteByte('\n')
	}
	if c.Refused {
		b.WriteString("\nrefused without lossy=true\n")
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s -OJ '%s%s'\n", curl, server, c.Download)
	return b.String()
}
