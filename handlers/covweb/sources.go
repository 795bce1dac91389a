package covweb

import (
	"context"

	"proflens/profiledb/stored"
)

// Sources has the text of source files.
type Sources interface {
	// Text is that of a file by its name as recorded; nil where there is none.
	Text(ctx context.Context, p *stored.Profile, name string) ([]byte, error)
}

// noSources has none.
type noSources struct{}

func (noSources) Text(context.Context, *stored.Profile, string) ([]byte, error) { return nil, nil }
