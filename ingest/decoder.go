package ingest

import (
	"context"

	"proflens/decode"
	"proflens/decode/model"
)

// decoder is package decode, or a stand-in for it that tests need to hang,
// panic or fail on demand.
type decoder interface {
	Recognise(name string, data []byte) decode.Recognised
	Open(ctx context.Context, files []decode.File, o decode.Options) (*decode.Profile, error)
	Group(files []decode.Recognised) [][]int
	FindingOf(file string, err error) model.Finding
}

type realDecoder struct{}

func (realDecoder) Recognise(name string, data []byte) decode.Recognised {
	return decode.Recognise(name, data)
}
func (realDecoder) Open(ctx context.Context, files []decode.File, o decode.Options) (*decode.Profile, error) {
	return decode.Open(ctx, files, o)
}
func (realDecoder) Group(files []decode.Recognised) [][]int { return decode.Group(files) }
func (realDecoder) FindingOf(file string, err error) model.Finding {
	return decode.FindingOf(file, err)
}
