package ingest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest/tasks"
)

// Commit makes profiles of the batch's files. When it returns they are on the
// disk, whatever happens to the process then; decoding follows. It returns
// *RequestError; on any error the batch can still be committed or discarded.
func (b *Batch) Commit(ctx context.Context, r Request) ([]Accepted, error) {
	if len(b.files) == 0 {
		return nil, &RequestError{"file", "the upload has no file"}
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	sorted, err := b.sort(ctx)
	if err != nil {
		return nil, err
	}
	b.salvage(r.Salvage)
	groups := [][]int{everyIndex(len(b.files))}
	if r.Group == "auto" {
		groups = sorted.Groups
	}
	profiles := make([]catalog.NewProfile, len(groups))
	for i, g := range groups {
		profiles[i] = b.profile(r, g, sorted.Is)
		if r.Name != "" && len(groups) > 1 {
			profiles[i].Name = r.Name + ": " + defaultName(profiles[i].Files[0].Name, len(profiles[i].Files))
		}
	}
	created, err := b.s.st.Create(ctx, profiles)
	if err != nil {
		return nil, err
	}
	b.files = nil
	b.s.wakeWorkers(len(created))
	accepted := make([]Accepted, len(created))
	for i, c := range created {
		accepted[i] = Accepted(c)
	}
	return accepted, nil
}

// AddTo adds the batch's files to a profile that is there and has it decoded
// again: its id and its answers stay until then. salvage is as in Request; a
// profile that is partial takes more files with it only. It returns
// catalog.ErrNotFound and *catalog.GoneError as catalog.Entry does, and *RequestError;
// for a partial profile [*model.FormatError], incompatible.
func (b *Batch) AddTo(ctx context.Context, id string, salvage bool) (Accepted, error) {
	if len(b.files) == 0 {
		return Accepted{}, &RequestError{"file", "the upload has no file"}
	}
	e, err := b.s.st.Entry(ctx, id)
	if err != nil {
		return Accepted{}, err
	}
	if n := len(e.Files) + len(b.files); n > maxFiles {
		return Accepted{}, &RequestError{
			"file", fmt.Sprintf("a profile may have at most %d files; this would make %d", maxFiles, n),
		}
	}
	if partial := e.Partial(); len(partial) > 0 && !salvage {
		return Accepted{}, &model.FormatError{Kind: model.KindIncompatible, File: partial[0].File, Section: "header",
			Offset: partial[0].End,
			Msg: "the profile is partial, so sums with more files would be too small where records are missing; salvage=1 " +
				"merges them anyway"}
	}
	b.salvage(salvage)
	if e, err = b.s.st.AddFiles(ctx, id, b.files); err != nil {
		return Accepted{}, err
	}
	b.files = nil
	b.s.wakeWorkers(1)
	return Accepted{Entry: *e}, nil
}

// salvage notes on the files whether their beginnings are wanted.
func (b *Batch) salvage(wanted bool) {
	for i := range b.files {
		b.files[i].Salvage = wanted
	}
}

// sort has the beginning of every file looked at.
func (b *Batch) sort(ctx context.Context) (*tasks.Sorted, error) {
	t := &tasks.Sort{Kept: map[int]model.Kind{}}
	for i, f := range b.files {
		t.Files = append(t.Files, tasks.File{Name: f.Name, Path: f.Staged.Path})
		if f.Finding != nil {
			t.Kept[i] = f.Finding.Kind
		}
	}
	sorted := &tasks.Sorted{}
	err := b.s.runner.Run(ctx, t, sorted, tasks.Out{})
	if death, ok := errors.AsType[*tasks.Death](err); ok {
		// The upload is kept, as one profile; decoding it says more.
		b.s.log.Error("looking at an upload failed", "error", death)
		return &tasks.Sorted{Is: make([]tasks.Kind, len(b.files)), Groups: [][]int{everyIndex(len(b.files))}}, nil
	}
	return sorted, err
}

// profile is one group of the batch's files.
func (b *Batch) profile(r Request, group []int, is []tasks.Kind) catalog.NewProfile {
	p := catalog.NewProfile{Name: r.Name, Project: r.Project, Labels: r.Labels,
		Visibility: r.Visibility, Lifetime: b.s.lifetime(r.Expires), Merged: r.Merged}
	if p.Visibility == "" {
		p.Visibility = b.s.config.Visibility
	}
	for _, i := range group {
		p.Files = append(p.Files, b.files[i])
	}
	at := slices.IndexFunc(group, func(i int) bool { return len(is[i].Families) > 0 }) // a README may come before
	if at < 0 {
		at = slices.IndexFunc(group, func(i int) bool { return is[i].Describe != "" })
	}
	first := group[max(0, at)]
	p.Describe, p.Families, p.Format = is[first].Describe, is[first].Families, is[first].Format
	if p.Name == "" {
		p.Name = defaultName(b.files[first].Name, len(p.Files))
	}
	return p
}

// lifetime is the shorter of what was asked for and what the server allows.
func (s *Service) lifetime(asked time.Duration) time.Duration {
	if asked > 0 && (s.config.TTL == 0 || asked < s.config.TTL) {
		return asked
	}
	return s.config.TTL
}

// defaultName is that of a profile of so many files, by one of them.
func defaultName(file string, files int) string {
	name := path.Base(file)
	if n := files - 1; n > 0 {
		name += fmt.Sprintf(" and %d more", n)
	}
	return name
}

// namedByFiles reports whether nobody named a profile of several files, so that what is
// in them may.
func namedByFiles(job *catalog.Job) bool {
	n := len(job.Files)
	return n > 1 && slices.ContainsFunc(job.Files, func(f catalog.FileEntry) bool {
		return job.Entry.Name == defaultName(f.Name, n)
	})
}

func everyIndex(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// The most a request's texts may hold: characters, and labels.
const (
	maxName       = 200
	maxLabels     = 64
	maxLabelKey   = 64
	maxLabelValue = 200
)

// check returns a *RequestError for the first field that is not right.
func (r *Request) check() error {
	if err := CheckNaming(catalog.Naming{Name: r.Name, Project: r.Project, Labels: r.Labels}); err != nil {
		return err
	}
	if r.Expires < 0 {
		return &RequestError{"expires", "is in the past"}
	}
	switch r.Visibility {
	case "", catalog.Listed, catalog.Unlisted:
	default:
		return &RequestError{"visibility", fmt.Sprintf("expected listed or unlisted, found %q", r.Visibility)}
	}
	switch r.Group {
	case "", "one", "auto":
	default:
		return &RequestError{"group", fmt.Sprintf("expected one or auto, found %q", r.Group)}
	}
	return nil
}

// CheckNaming returns a *RequestError for the first text that a profile cannot have.
func CheckNaming(n catalog.Naming) error {
	if err := checkText("name", n.Name, maxName); err != nil {
		return err
	}
	if err := checkText("project", n.Project, maxName); err != nil {
		return err
	}
	if len(n.Labels) > maxLabels {
		return &RequestError{"label", fmt.Sprintf("at most %d labels, found %d", maxLabels, len(n.Labels))}
	}
	for k, v := range n.Labels {
		if k == "" || strings.Contains(k, "=") {
			return &RequestError{"label", fmt.Sprintf("%q is not a key: expected k=v", k)}
		}
		if err := checkText("label", k, maxLabelKey); err != nil {
			return err
		}
		if err := checkText("label", v, maxLabelValue); err != nil {
			return err
		}
	}
	if text := n.Labels[sources.TemplateLabel]; text != "" {
		if _, err := sources.ParseTemplate(text); err != nil {
			return &RequestError{"label", sources.TemplateLabel + ": " + err.Error()}
		}
	}
	return nil
}

func checkText(field, s string, longest int) error {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return &RequestError{field, "expected UTF-8 without control characters"}
	}
	if n := utf8.RuneCountInString(s); n > longest {
		return &RequestError{field, fmt.Sprintf("at most %d characters, found %d", longest, n)}
	}
	return nil
}
