package encode

import (
	"io"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// ProducerOf reads the hashes of a profile and says which generation they are
// of. The error is the source's.
func ProducerOf(src instrprof.Source) (Producer, error) {
	var hashes hashCounts
	for f, err := range src.Functions() {
		if err != nil {
			return Producer{}, err
		}
		hashes.add(f.FuncHash)
	}
	return producerOf(src.Info(), hashes), nil
}

// Order plans and writes an order file, and returns what it cannot hold.
func Order(w io.Writer, src instrprof.Source, o OrderOptions) ([]model.Finding, error) {
	p, err := PlanOrder(src, o)
	if err != nil {
		return nil, err
	}
	return p.Findings, p.Write(w)
}
