package anatomyweb

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
)

// anatomyObject is the layout of a file, and bytes of it when they were asked
// for.
type anatomyObject struct {
	*model.Anatomy
	Bytes *bytesObject `json:"bytes,omitempty" doc:"The requested bytes; fewer or none at the end of the file."`
	// Location is of the function that was asked for; nil where the file has none.
	Location *model.Location `json:"location,omitempty"`
	// Matches are functions whose name has the words, when none has it for a name.
	Matches []model.Match `json:"matches,omitempty"`
}

// Objects are the structs of its objects by the names that the API's document has.
var Objects = map[string]any{"Anatomy": anatomyObject{}}

// bytesObject is a run of a file's bytes; shorter than asked at its end.
type bytesObject struct {
	Offset uint64 `json:"offset"`
	Length int    `json:"length"`
	Hex    string `json:"hex" is:"/^([0-9a-f]{2})*$/"`
}

// maxBytes is how many bytes of a file one answer has at most.
const maxBytes = 64 << 10

// GetSays is what the API's description says of the call.
const GetSays = `
	profiles getAnatomy: The layout of each file
	Same as proflens inspect -json. Works for profiles that failed to decode too. With at, each file includes the
	bytes from that offset.
	?q: Words to find in the names or values of the section's fields; all must match. from then counts matching
	fields. Needs section.
	?file: Picks one of several files by name or by number, from 0.
	?at /^(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})$/: Offset in the file, in decimal or in hexadecimal after 0x. Adds the
	bytes from there.
	?length /^(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})$/: Number of bytes from at, in decimal or in hexadecimal after 0x.
	Default 512, at most 65536.
	?section: Returns only the section of this name, with fields read from the file. These include records and
	counters that the plain anatomy omits.
	?from integer 0..: First field of that section, from 0. A page holds 256.
	?function: Adds where each raw or indexed file keeps a function's record, name, counters, bitmap and value data.
	Takes the function's name or the 16 hexadecimal digits of its NameRef. If no name is equal, words from a name list
	the matches.
	?hash /^(0[xX])?[0-9a-fA-F]{1,16}$/: FuncHash of the record in hexadecimal, for a function with several.
	?record integer 0..: Same for a record, by its number in the file, from 0.
	?format json|text =json: json, or text as proflens inspect prints it, of sections and fields alone.
	>200 AnatomyList text: One object per file.
	>304 400 404 410`

// Get is GET /profiles/{id}/anatomy: the layout of each file, as
// "proflens inspect -json" prints it. A profile that could not be decoded has
// one too: what could be read, and the fault. file=NAME or file=N picks one;
// at=OFFSET adds length=N bytes from there. section=NAME gives of each file that
// section alone, with its fields from number from=N on, of those that have the words
// q= in their name or value. function=NAME, a NameRef
// with hash=FUNCHASH, or record=N adds how the data of a function are found.
func (s *Handler) Get(w http.ResponseWriter, r *http.Request) error {
	files := s.Entry(r).Files
	p, err := parseRaw(r.URL.Query(), Keys, files)
	if err != nil {
		return err
	}
	if p.Length > maxBytes {
		return &site.ParamError{
			Param: "length", Msg: fmt.Sprintf("%d bytes are more than the %d of one answer", p.Length, maxBytes),
		}
	}
	if p.File >= 0 {
		files = files[p.File : p.File+1]
	}
	if s.NotModified(w, r, string(p.Format)) {
		return nil
	}
	ctx := s.RequestContext(r)
	list := struct {
		Items      []anatomyObject `json:"items"`
		NextCursor *string         `json:"next_cursor"`
		Total      int             `json:"total"`
	}{Items: []anatomyObject{}}
	all, first := s.Entry(r).Files, max(p.File, 0)
	for i, file := range files {
		a, err := s.Of(ctx, file)
		if err != nil {
			return err
		}
		object := anatomyObject{Anatomy: a}
		if p.Section != "" {
			only := *a
			if only.Sections, err = s.fields(ctx, file, p.Section, p.From, p.Words); err != nil {
				return err
			}
			object.Anatomy = &only
		}
		if p.At != nil {
			b, err := s.readBytes(ctx, file, *p.At, int(cmp.Or(p.Length, hexPage)))
			if err != nil {
				return err
			}
			object.Bytes = &bytesObject{*p.At, len(b), hex.EncodeToString(b)}
		}
		if p.Wanted != nil && a.Locates {
			found, err := s.locate(ctx, all, first+i, *p.Wanted)
			if err != nil {
				return err
			}
			object.Location, object.Matches = found.location, found.matches
		}
		list.Items = append(list.Items, object)
	}
	if p.Format == table.FormatText {
		var text strings.Builder
		for _, o := range list.Items {
			o.WriteText(&text, "section=%s&from=%d")
		}
		lines := strings.Split(text.String(), "\n")
		for i := range lines {
			lines[i] = humanize.Visible(lines[i])
		}
		return site.WritePlain(w, http.StatusOK, strings.Join(lines, "\n"))
	}
	list.Total = len(list.Items)
	return site.WriteJSON(w, list)
}

// anatomyOf is what the layout of a file depends on.
type anatomyOf struct {
	name, sha256 string
	packed       bool // an archive that could not be unpacked
}

// Of is the layout of one file, which nobody may change.
func (s *Handler) Of(ctx context.Context, file catalog.FileEntry) (*model.Anatomy, error) {
	key := anatomyOf{file.Name, file.SHA256, file.Finding != nil}
	return s.anatomies.Get(ctx, s.Decodes, key, func() (*model.Anatomy, int, error) {
		a, err := s.Originals.Anatomy(ctx, file)
		if err != nil {
			return nil, 0, err
		}
		parts := len(a.Sections) + len(a.Findings)
		for i := range a.Sections {
			parts += len(a.Sections[i].Fields)
		}
		return a, parts, nil
	})
}
