package dcpidb

import (
	"context"
	"math/bits"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/decode/model"
	"proflens/profile/stored"
)

// database is samples on their way into a file.
type database struct {
	*dcpi.Database
	blocks []blockRange // of the profiles, once they are written

	lines     []lineSpan // by image and address
	lineFiles []string
}

func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	d := &database{Database: in.Records.(*dcpi.Database)}
	return d, d.findLines(ctx)
}

// Meta implements [stored.Prepared].
func (*database) Meta(*stored.MetaWriter) {}

// Findings implements [stored.Prepared].
func (*database) Findings() []model.Finding { return nil }

// Figures implements [stored.Prepared]. Addresses are counted by their samples of
// one profile.
func (d *database) Figures() stored.Counts {
	counts := stored.Counts{Magnitudes: new([65]uint64), Title: title(d.Database)}
	for i := range d.Images {
		if l := d.Images[i].Listing; l >= 0 {
			counts.Functions += len(d.Listings[l].Procedures)
		}
	}
	var sum analyze.Sum
	for p := range d.Profiles() {
		sum.Add(p.Samples)
		for chunk := range p.Each {
			for _, n := range chunk.Counts {
				counts.Magnitudes[bits.Len32(n)]++
			}
		}
	}
	counts.Total = sum.String()
	return counts
}
