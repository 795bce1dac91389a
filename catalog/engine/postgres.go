package engine

import (
	"context"
	"errors"
)

func openPostgres(context.Context, *DB, Mode, int) error { return errors.ErrUnsupported }
