//go:build !unix

package main

import (
	"errors"
	"os"
)

// mapFile is for systems without memory maps that we use.
func mapFile(*os.File, int64) (data []byte, unmap func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}
