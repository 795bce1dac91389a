package dcpidb

import (
	"context"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared].
func (d *database) Write(_ context.Context, w *stored.Writer) error {
	return w.InTurn(d.writeChunks, d.writeImages, d.writeProfiles, d.writeLines, d.writeSymbols, d.writeSampleLines)
}

func (d *database) writeImages(w *stored.Writer) error {
	return w.Rows("image", len(d.Images), func(r *btree.Record, i int) {
		image := &d.Images[i]
		if image.HasTextStart {
			r.Uint(image.TextStart)
		} else {
			r.Null()
		}
		stored.Uints(r, image.TextSize, image.Base)
		if image.Listing >= 0 {
			listing := &d.Listings[image.Listing]
			stored.Ints(r, len(listing.Procedures))
			stored.Text(r, image.ID, image.Label, listing.File)
		} else {
			stored.Ints(r, 0)
			stored.Text(r, image.ID, image.Label)
			r.Null()
		}
		stored.Text(r, strings.Join(image.Paths, "\n"))
	})
}

func (d *database) writeProfiles(w *stored.Writer) error {
	profiles := slices.Collect(d.Profiles())
	return w.Rows("dcpi_profile", len(profiles), func(r *btree.Record, i int) {
		p := profiles[i]
		stored.Ints(r, p.ImageIndex+1)
		stored.Uints(r, p.Period, p.Fraction, p.CPUSpeed)
		stored.Known(r, p.CPUAMask)
		stored.Known(r, p.CPUImplVer)
		stored.Known(r, p.CPUCount)
		stored.Ints(r, p.Chunks)
		stored.Uints(r, p.Addresses, p.Nonzero, p.Samples, p.Stride)
		stored.Ints(r, d.blocks[i].first, d.blocks[i].n, p.Dump)
		r.Uint(p.Bytes)
		stored.Text(r, p.Version, p.Start, p.Epoch, p.Platform, p.Event, p.File)
	})
}

func (d *database) writeLines(w *stored.Writer) error {
	return w.List("header_line", func(r *btree.Record, add func()) {
		profile := 0
		for p := range d.Profiles() {
			profile++
			for _, l := range p.Lines {
				stored.Ints(r, profile)
				r.Uint(l.Offset)
				stored.Text(r, l.Kind, l.Key, l.Value)
				add()
			}
		}
	})
}

func (d *database) writeSymbols(w *stored.Writer) error {
	return w.List("symbol", func(r *btree.Record, add func()) {
		for i := range d.Images {
			if d.Images[i].Listing < 0 {
				continue
			}
			procedures := analyze.NewProcedureMap(d.Listings[d.Images[i].Listing].Procedures, 0)
			for n := range procedures.Len() {
				p, _ := procedures.At(n)
				stored.Ints(r, i+1)
				stored.Uints(r, p.Address, p.Size)
				stored.Name(r, []byte(p.Name))
				add()
			}
		}
	})
}
