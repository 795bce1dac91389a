//go:build !unix

package ingest

import (
	"io"
	"os"
)

// mapFile reads a whole file.
func mapFile(f *os.File) ([]byte, error) { return io.ReadAll(f) }

func unmap([]byte) {}
