package ingest

import (
	"context"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

// decoder is package decode, or a stand-in for it that tests need to hang,
// panic or fail on demand.
type decoder interface {
	Recognise(name string, data []byte) format.Recognised
	Open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error)
	Group(files []format.Recognised) [][]int
	FindingOf(file string, err error) model.Finding
}

type realDecoder struct{}

func (realDecoder) Recognise(name string, data []byte) format.Recognised {
	return decode.Recognise(name, data)
}
func (realDecoder) Open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	return decode.Open(ctx, files, o)
}
func (realDecoder) Group(files []format.Recognised) [][]int { return format.Group(files) }
func (realDecoder) FindingOf(file string, err error) model.Finding {
	return format.FindingOf(file, err)
}
