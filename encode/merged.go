package encode

import (
	"context"

	"proflens/decode/instrprof"
)

// mergedOf returns src itself when it is merged, also inside something that
// unwraps to it, and else merges it, in memory.
func mergedOf(src instrprof.Source) (*instrprof.Merged, error) {
	for {
		if merged, ok := src.(*instrprof.Merged); ok {
			return merged, nil
		}
		outer, ok := src.(interface{ Unwrap() instrprof.Source })
		if !ok {
			break
		}
		src = outer.Unwrap()
	}
	m := instrprof.NewMerger()
	if err := m.Add(context.Background(), "", src, 1); err != nil {
		return nil, err
	}
	return m.Source(), nil
}
