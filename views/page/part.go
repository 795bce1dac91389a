package page

import (
	"context"
	"io"
)

// Part is a piece of a page that a family adds to another's: a component.
type Part interface {
	Render(ctx context.Context, w io.Writer) error
}
