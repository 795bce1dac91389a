package handlers

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// profileObject is a profile in the API: what the catalog knows, and, where one
// profile is asked for, what its tables say.
type profileObject struct {
	ID         string             `json:"id" col:"id" width:"26" doc:"128 random bits in base32."`
	Name       string             `json:"name" col:"name" width:"32"`
	_          table.Computed     `col:"kinds" width:"16"`
	_          table.Computed     `col:"status" width:"8"`
	_          table.Computed     `col:"project" width:"16"`
	_          table.Computed     `col:"labels" width:"24"`
	_          table.Computed     `col:"created" width:"20"`
	Kinds      []model.Family     `json:"kinds" is:"{families}"`
	Status     catalog.State      `json:"status" is:"received|decoding|ready|failed"`
	Pending    bool               `json:"pending"` // waits to be decoded, or is being decoded, for the first time or again
	Progress   *ingest.Progress   `json:"progress,omitempty"`
	Project    *string            `json:"project"`
	Labels     map[string]string  `json:"labels"`
	Visibility catalog.Visibility `json:"visibility" is:"listed|unlisted"`
	Created    time.Time          `json:"created"`
	Updated    time.Time          `json:"updated"` // of the status
	Expires    *time.Time         `json:"expires"`

	Format    *model.Format  `json:"format"`
	Version   *uint64        `json:"version"` // of the format; null for text and DCPI
	Describe  string         `json:"describe" col:"describe"`
	Digest    string         `json:"digest"` // SHA-256 over the files' digests
	Size      int64          `json:"size" col:"size" width:"12" doc:"Size of all inputs in bytes."`
	Functions int            `json:"functions" col:"functions" width:"10"`
	_         table.Computed `col:"total" width:"20"`
	Total     *site.Exact    `json:"total"`
	Inputs    []inputObject  `json:"inputs"`
	Merged    *mergedObject  `json:"merged"` // what it was merged from; null for an upload
	// Partial has the inputs that end too soon and of which only the readable
	// beginning was decoded; empty for a whole profile.
	Partial []model.Partial `json:"partial" doc:"Partially decoded inputs. Empty for a whole profile."`

	Findings []model.Finding   `json:"findings"`
	Links    map[string]string `json:"links"`
}

// profileRows are profiles as CSV, NDJSON and text.
var profileRows = table.Declare[profileObject](table.Declaration{Text: "id created kinds status name"})

// Cell implements [table.Celler].
func (p *profileObject) Cell(column string, _ *table.Options) table.Cell {
	var words []string
	switch column {
	case "kinds":
		return table.Text(strings.ReplaceAll(site.JoinWords(p.Kinds), ",", ""))
	case "status":
		return table.Text(string(p.Status))
	case "created":
		return table.Text(p.Created.Format(time.RFC3339))
	case "total":
		if p.Total != nil {
			return table.BigCount(string(*p.Total))
		}
		return table.Null
	case "project":
		if p.Project != nil {
			words = append(words, *p.Project)
		}
	default:
		for _, key := range site.SortedKeys(p.Labels) {
			words = append(words, key+"="+p.Labels[key])
		}
	}
	return table.Text(strings.Join(words, " "))
}

// profileTables is what a profile's tables say of the whole.
type profileTables struct {
	Storing     bool     `json:"storing,omitempty" doc:"True for a preview: the tables are still being written."`
	Variant     []string `json:"variant"` // flags in words, "IR" or "front end" first; empty for MIP and DCPI
	PointerSize int      `json:"pointer_size" doc:"Bytes; 0 if the format does not say."`
	ByteOrder   string   `json:"byte_order" is:"little-endian|big-endian"`
	BinaryIDs   []string `json:"binary_ids"` // hex
}

type inputObject struct {
	Name     string         `json:"name"`
	SHA256   string         `json:"sha256"`
	Size     int64          `json:"size" doc:"Unpacked size in bytes."`
	Describe string         `json:"describe,omitempty"`
	Format   model.Format   `json:"format,omitempty"`
	Version  uint64         `json:"version,omitempty"`
	Finding  *model.Finding `json:"finding,omitempty"`
	Partial  *model.Partial `json:"partial,omitempty"` // what of it was read, when that is not all
}

// profileObject makes the object of a catalog entry.
func (s *server) profileObject(e *catalog.Entry, quote bool) profileObject {
	p := profileObject{
		ID: e.ID, Name: e.Name, Kinds: e.Families, Status: e.State,
		Pending: e.Pending || e.State == catalog.Received || e.State == catalog.Decoding,
		Labels:  e.Labels, Visibility: e.Visibility, Created: e.Created.UTC(), Updated: e.Updated.UTC(),
		Describe: e.Describe, Digest: e.Digest, Size: e.Size, Functions: e.Functions,
		Inputs: make([]inputObject, len(e.Files)), Merged: newMergedObject(e.Merged, quote), Findings: []model.Finding{},
		Links: s.links(e),
	}
	if p.Kinds == nil {
		p.Kinds = []model.Family{}
	}
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	if e.Project != "" {
		p.Project = &e.Project
	}
	if !e.Expires.IsZero() {
		at := e.Expires.UTC()
		p.Expires = &at
	}
	if e.Format != "" {
		p.Format = &e.Format
		if e.Version > 0 {
			p.Version = &e.Version
		}
	}
	if e.Total != "" {
		total := site.Exactly(quote)(e.Total)
		p.Total = &total
	}
	p.Partial = append([]model.Partial{}, e.Partial()...)
	for i, f := range e.Files {
		p.Inputs[i] = inputObject{Name: f.Name, SHA256: f.SHA256, Size: f.Size, Finding: f.Finding, Partial: f.Partial}
	}
	if e.Finding != nil {
		p.Findings = append(p.Findings, *e.Finding)
	}
	if p.Pending {
		at := s.Ingest.Progress(e.ID)
		p.Progress = &at
	}
	return p
}

// links are paths of what a profile of its families has.
func (s *server) links(e *catalog.Entry) map[string]string {
	api := s.BasePath + site.APIOf(e.ID)
	links := map[string]string{
		"self": api, "page": s.BasePath + site.PageOf(e.ID), "anatomy": api + "/anatomy",
		"diagnostics": api + "/diagnostics", "original": api + "/original",
	}
	if e.State == catalog.Failed {
		return links
	}
	links["csv"], links["sqlite"] = api+"/export/csv", api+"/export/sqlite"
	for _, f := range s.Families {
		if slices.Contains(e.Families, f.Name) {
			for _, path := range f.Links(e) {
				links[path[strings.LastIndex(path, "/")+1:]] = api + "/" + path
			}
		}
	}
	return links
}

// joined is several objects written as one.
type joined []any

// MarshalJSON writes the members of all, in order.
func (j joined) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, object := range j {
		members, err := site.Marshal(object)
		if err != nil {
			return nil, err
		}
		members = bytes.TrimSpace(members)
		if members = members[1 : len(members)-1]; len(members) > 0 && len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, members...)
	}
	return append(b, '}'), nil
}

// wholeProfile adds what the profile's tables say, where it has them: figures of
// the families that it has, and of no other.
func (s *server) wholeProfile(ctx context.Context, e *catalog.Entry,
	quote bool) (p *profileObject, whole joined, err error) {
	p = new(s.profileObject(e, quote))
	whole = joined{p}
	if e.State == catalog.Failed {
		p.Findings = site.EntryFindings(e)
		return p, whole, nil
	}
	opened, err := s.Store.Open(ctx, e)
	if errors.Is(err, catalog.ErrNotFound) && e.State != catalog.Ready {
		return p, whole, nil
	}
	if errors.Is(err, catalog.ErrRebuilding) {
		if e, err = s.Store.Entry(ctx, e.ID); err == nil {
			p = new(s.profileObject(e, quote))
			return p, joined{p}, nil
		}
	}
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	o := opened.Overview
	p.describe(o.Inputs)
	p.Findings = site.ReadyFindings(e, o)
	whole = append(whole, tablesObject(o))
	for _, f := range s.Families {
		if !opened.Has(f.Name) {
			continue
		}
		object, err := f.ObjectOf(ctx, opened, quote)
		if err != nil {
			return nil, nil, err
		}
		whole = append(whole, object)
	}
	return p, whole, nil
}

// describe fills in what is known of the files.
func (p *profileObject) describe(inputs []stored.Input) {
	if len(inputs) == 0 {
		return
	}
	known := p.Inputs
	p.Inputs = make([]inputObject, len(inputs))
	for i, in := range inputs {
		p.Inputs[i] = inputObject{
			Name: in.Name, SHA256: in.SHA256, Size: in.Size, Describe: in.Describe, Format: in.Format, Version: in.Version,
		}
		if i < len(known) {
			p.Inputs[i].Partial = known[i].Partial
		}
	}
}

// tablesObject is what an overview says of a profile of any family.
func tablesObject(o *stored.Overview) *profileTables {
	t := &profileTables{
		Storing: o.Storing, Variant: append([]string{}, o.Info.Words...), PointerSize: o.Info.PointerSize,
		ByteOrder: "little-endian",
		BinaryIDs: make([]string, len(o.Info.BinaryIDs)),
	}
	if o.Info.BigEndian {
		t.ByteOrder = "big-endian"
	}
	for i, id := range o.Info.BinaryIDs {
		t.BinaryIDs[i] = hex.EncodeToString(id)
	}
	return t
}
