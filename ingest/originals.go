package ingest

import (
	"context"
	"io"

	"proflens/catalog"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

// Originals decodes a profile's files again, for what its tables do not hold:
// lossless exports and the layout of a file.
type Originals struct{ Store *catalog.Catalog }

// Source decodes files as one profile. Closing it releases them; nothing that
// came from the profile may be used after.
func (o Originals) Source(ctx context.Context, files []catalog.FileEntry) (*format.Profile, io.Closer, error) {
	opened, closer, err := openFiles(o.Store, files)
	if err != nil {
		return nil, nil, err
	}
	profile, err := decode.Open(ctx, opened, format.Options{Salvage: salvaged(files)})
	if err != nil {
		closer.Close()
		return nil, nil, err
	}
	return profile, closer, nil
}

// Anatomy is the layout of one file. A fault in the file is a finding in it;
// the error is for a file that cannot be read at all. An archive that could not
// be unpacked has its finding for a layout.
func (o Originals) Anatomy(ctx context.Context, file catalog.FileEntry) (*model.Anatomy, error) {
	if file.Finding != nil {
		return &model.Anatomy{File: file.Name, Size: uint64(file.Size), Format: "archive", Findings: []model.Finding{*file.Finding}}, nil
	}
	opened, closer, err := openFiles(o.Store, []catalog.FileEntry{file})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return decode.Inspect(opened[0]), nil
}

// Fields reads fields of a section of one file; see [decode.Fields].
func (o Originals) Fields(ctx context.Context, file catalog.FileEntry, section string, from uint64) ([]model.Section, error) {
	if file.Finding != nil {
		return nil, nil // an archive has no sections
	}
	opened, closer, err := openFiles(o.Store, []catalog.FileEntry{file})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return decode.Fields(opened[0], section, from)
}
