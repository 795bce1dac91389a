package llvm

import (
	"context"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// locateRaw finds a function in a raw file. Records that the file left in its
// program come from that, when it is among the files.
func locateRaw(ctx context.Context, files []format.File, at int,
	wanted model.Wanted) (*model.Location, []model.Match, error) {
	o := opener{ctx: ctx, files: files}
	if f := files[at]; correlated(f) && len(files) > 1 {
		var err error
		if o.companions, err = companions(ctx, files, &o.options); err != nil {
			return nil, nil, err
		}
	}
	return instrprof.LocateRaw(files[at].Data, o.correlators(), wanted)
}
