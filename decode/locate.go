package decode

import (
	"context"

	"proflens/decode/format"
	"proflens/decode/model"
)

// Locate finds a function in one of a profile's files, and works out where its
// record, name, counters and other data stand there. The location is nil when the
// file has no such function, or is of a format without records of functions;
// matches are then functions whose name has the words that were wanted.
func Locate(ctx context.Context, files []format.File, at int,
	wanted model.Wanted) (*model.Location, []model.Match, error) {
	files = recognised(files)
	f := files[at]
	if f.Is.Err != nil || f.Is.Empty || f.Is.Format == nil || f.Is.Format.Locate == nil {
		return nil, nil, nil
	}
	location, matches, err := f.Is.Format.Locate(ctx, files, at, wanted)
	return location, matches, f.Is.Format.InFile(f.Name, err)
}
