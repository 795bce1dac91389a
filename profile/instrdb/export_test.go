package instrdb

import (
	"context"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb/collected"
)

// What tests of queries that take time, and of previews, count by.
const (
	DemangleBatch = demangleBatch
	PreviewFrom   = previewFrom
	PreviewRows   = previewRows
)

// Collect reads a source and adds it up, as preparing it begins.
func Collect(ctx context.Context, src instrprof.Source) (*Overview, error) {
	c, err := collected.Read(ctx, src, src.Info(), func(uint64, uint64) {})
	if err != nil {
		return nil, err
	}
	return overview(c), nil
}

// HoldAtMost bounds what comparisons hold of a profile, and returns how it was.
func HoldAtMost(bytes int64) (before int64) {
	before, heldBytes = heldBytes, bytes
	return before
}
