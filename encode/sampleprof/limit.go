package sampleprof

import (
	"bytes"
	"io"
	"math"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// Within writes a profile in at most limit bytes: while it takes more, functions with the
// lowest totals are left out, as many as llvm-profdata merge --output-size-limit leaves out.
// The error is that of write, or a [*model.FormatError] of kind too_large if not one function
// has room.
func Within(w io.Writer, p *sampleprof.Profile, limit uint64, write func(io.Writer, *sampleprof.Profile) error) error {
	var b bytes.Buffer
	for {
		b.Reset()
		if err := write(&b, p); err != nil {
			return err
		}
		if uint64(b.Len()) <= limit || len(p.Functions) == 0 {
			break
		}
		has := len(p.Functions)
		share := float64(limit) / float64(b.Len())
		p.Functions = p.Functions[:min(int(math.Round(float64(has)*share*share)), has-1)]
	}
	if len(p.Functions) == 0 {
		return model.Faultf(model.KindTooLarge, "no function has room in so few bytes")
	}
	_, err := w.Write(b.Bytes())
	return err
}
