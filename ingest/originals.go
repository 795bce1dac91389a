package ingest

import (
	"context"
	"io"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/ingest/tasks"
	"proflens/profile/exports"
)

// Originals reads a profile's files again, for what its tables do not hold:
// lossless exports and the layout of a file.
type Originals struct {
	Store  *catalog.Catalog
	Runner tasks.Runner
}

// Recognise says what files are that are not here yet.
func (o Originals) Recognise(ctx context.Context, t *tasks.Recognise) (*tasks.Recognition, error) {
	a := &tasks.Recognition{}
	return a, o.Runner.Run(ctx, t, a, tasks.Out{})
}

// Anatomy is the layout of one file. A fault in the file is a finding in it;
// the error is for a file that cannot be read at all. An archive that could not
// be unpacked has its finding for a layout.
func (o Originals) Anatomy(ctx context.Context, file catalog.FileEntry) (*model.Anatomy, error) {
	if file.Finding != nil {
		return &model.Anatomy{File: file.Name, Size: uint64(file.Size), Format: "archive",
			Findings: []model.Finding{*file.Finding}}, nil
	}
	files, release, err := filesOf(ctx, o.Store, []catalog.FileEntry{file})
	if err != nil {
		return nil, err
	}
	defer release()
	var a tasks.Layout
	err = o.Runner.Run(ctx, &tasks.Anatomy{File: files[0]}, &a, tasks.Out{})
	a.Anatomy.Locates = a.Locates
	return &a.Anatomy, err
}

// Fields reads fields of a section of one file; see [decode.Fields].
func (o Originals) Fields(ctx context.Context, file catalog.FileEntry, section string, from uint64,
	words string) (fields []model.Section, err error) {
	if file.Finding != nil {
		return nil, nil // an archive has no sections
	}
	files, release, err := filesOf(ctx, o.Store, []catalog.FileEntry{file})
	if err != nil {
		return nil, err
	}
	defer release()
	err = o.Runner.Run(ctx, &tasks.Fields{File: files[0], Section: section, From: from, Words: words}, &fields,
		tasks.Out{})
	return fields, err
}

// Export writes a profile in another form, to where begin says once the first byte
// is there. What the profile lacks is an [*exports.LackError].
func (o Originals) Export(ctx context.Context, files []catalog.FileEntry, name string, options exports.Options,
	begin func(tasks.Head) (io.Writer, error)) error {
	opened, release, err := filesOf(ctx, o.Store, files)
	if err != nil {
		return err
	}
	defer release()
	return o.Runner.Run(ctx, &tasks.Export{Files: opened, Name: name, Options: options}, nil, tasks.Out{Begin: begin})
}

// ProfdataPreview says what would become of a profile in each indexed version.
func (o Originals) ProfdataPreview(ctx context.Context, files []catalog.FileEntry,
	keepVTableNames bool) (*encode.ProfdataPreview, error) {
	opened, release, err := filesOf(ctx, o.Store, files)
	if err != nil {
		return nil, err
	}
	defer release()
	preview := &encode.ProfdataPreview{}
	err = o.Runner.Run(ctx, &tasks.ProfdataPreview{Files: opened, VTableNames: keepVTableNames}, preview, tasks.Out{})
	return preview, err
}

// Merge adds profiles up, each as often as its weight says, and writes the sum as an
// indexed profile to where begin says once the first byte is there.
func (o Originals) Merge(ctx context.Context, t tasks.Merge, entries []*catalog.Entry, weights []uint64,
	begin func(tasks.Head) (io.Writer, error)) error {
	for i, e := range entries {
		files, release, err := filesOf(ctx, o.Store, e.Files)
		if err != nil {
			return err
		}
		defer release()
		t.Inputs = append(t.Inputs, tasks.MergeInput{Name: e.Name, Files: files, Weight: weights[i]})
	}
	return o.Runner.Run(ctx, &t, nil, tasks.Out{Begin: begin})
}

// Locate finds a function in one of a profile's files; see [decode.Locate].
func (o Originals) Locate(ctx context.Context, files []catalog.FileEntry, at int,
	wanted model.Wanted) (*model.Location, []model.Match, error) {
	if files[at].Finding != nil {
		return nil, nil, nil // an archive has no records
	}
	opened, release, err := filesOf(ctx, o.Store, files)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	var found tasks.Located
	err = o.Runner.Run(ctx, &tasks.Locate{Files: opened, At: at, Wanted: wanted}, &found, tasks.Out{})
	return found.Location, found.Matches, err
}
