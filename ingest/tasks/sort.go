package tasks

import (
	"context"
	"fmt"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

// Sort looks at the first bytes of files and sorts them into profiles.
type Sort struct {
	Files []File
	// Kept are the files, by index, that nothing can be told of: archives that could
	// not be unpacked. They are not opened.
	Kept map[int]model.Kind
}

// Sorted is the answer.
type Sorted struct {
	Is     []Kind  // of each file
	Groups [][]int // files of one profile each, by index
}

// Kind is what a file was recognised as.
type Kind struct {
	Describe string
	Families []model.Family
	Format   model.Format // empty for what is no profile
}

func (t *Sort) do(ctx context.Context, _ Out) (any, error) {
	recognised := make([]format.Recognised, len(t.Files))
	sorted := &Sorted{Is: make([]Kind, len(t.Files))}
	for i, f := range t.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if kind, kept := t.Kept[i]; kept {
			recognised[i].Err = &model.FormatError{Kind: kind, File: f.Name}
			continue
		}
		files, closer, err := open([]File{f})
		if err != nil {
			return nil, err
		}
		defer closer.Close() // what is recognised points into the file
		recognised[i] = recognise(files[0])
	}
	all := make([]*format.Recognised, len(recognised))
	for i := range recognised {
		all[i] = &recognised[i]
	}
	format.Settle(all)
	for i, r := range recognised {
		if r.Err == nil {
			sorted.Is[i] = Kind{r.Describe, r.Families, r.Format.Name}
		}
	}
	sorted.Groups = format.Group(recognised)
	return sorted, nil
}

// recognise survives a panic: decoding will say more.
func recognise(f format.File) (r format.Recognised) {
	defer func() {
		if v := recover(); v != nil {
			r = format.Recognised{Err: &model.FormatError{Kind: model.KindInternal, File: f.Name, Msg: fmt.Sprint(v)}}
		}
	}()
	return decode.Recognise(f.Name, f.Data)
}
