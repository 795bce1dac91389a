package tasks

import (
	"context"

	"proflens/decode"
	"proflens/decode/model"
)

// Anatomy reads the layout of one file. The answer is [Layout]; a fault in the file
// is a finding in it.
type Anatomy struct{ File File }

// Layout is an anatomy with what its JSON does not have.
type Layout struct {
	Anatomy model.Anatomy
	Locates bool
}

func (t *Anatomy) do(_ context.Context, _ Out) (any, error) {
	files, closer, err := open([]File{t.File})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	a := decode.Inspect(files[0])
	return Layout{*a, a.Locates}, nil
}

// Fields reads fields of a section of one file; see [decode.Fields]. The answer is
// a list of [model.Section].
type Fields struct {
	File    File
	Section string
	From    uint64
	Words   string
}

func (t *Fields) do(_ context.Context, _ Out) (any, error) {
	files, closer, err := open([]File{t.File})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return decode.Fields(files[0], t.Section, t.From, t.Words)
}

// Locate finds a function in one of the files of a profile; see [decode.Locate].
type Locate struct {
	Files  []File
	At     int // which of them
	Wanted model.Wanted
}

// Located is the answer: nil where the file has none such, perhaps with others.
type Located struct {
	Location *model.Location
	Matches  []model.Match
}

func (t *Locate) do(ctx context.Context, _ Out) (any, error) {
	files, closer, err := open(t.Files)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	var found Located
	found.Location, found.Matches, err = decode.Locate(ctx, files, t.At, t.Wanted)
	return found, err
}
