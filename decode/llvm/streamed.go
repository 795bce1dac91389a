package llvm

import (
	"context"

	"proflens/decode/format"
	"proflens/decode/instrprof"
)

// streamed is the source of the only file, which holds no records: they end with the
// context, and their errors name the file.
type streamed struct {
	instrprof.Source
	ctx    context.Context
	file   format.File
	passed func(file []byte, from, to uint64) // see format.Options
}

// Unwrap is the source itself.
func (s streamed) Unwrap() instrprof.Source { return s.Source }

// Functions implements [instrprof.Source].
func (s streamed) Functions() instrprof.Functions {
	return s.watched(s.Source.Functions())
}

// Parts implements [instrprof.Parted].
func (s streamed) Parts(n int) []instrprof.Functions {
	parted, ok := s.Source.(instrprof.Parted)
	if !ok {
		return []instrprof.Functions{s.Functions()}
	}
	parts := parted.Parts(n)
	for i := range parts {
		parts[i] = s.watched(parts[i])
	}
	return parts
}

func (s streamed) watched(functions instrprof.Functions) instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		n, from := 0, uint64(0)
		for f, err := range functions {
			if err != nil {
				yield(nil, indexedFormat.InFile(s.file.Name, err))
				return
			}
			if n == 0 {
				from = f.Offset
			}
			if n++; n%reportEvery == 0 {
				if s.ctx.Err() != nil {
					yield(nil, s.ctx.Err())
					return
				}
				if s.passed != nil {
					s.passed(s.file.Data, from, f.Offset)
				}
				from = f.Offset
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}
