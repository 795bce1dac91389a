package dcpidb

import (
	"context"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared].
func (d *database) Write(_ context.Context, w *stored.Writer) error {
	return w.InTurn(d.writeChunks, d.writeImages, d.writeProfiles, d.writeLines, d.writeSymbols, d.writeSampleLines)
}

func (d *database) writeImages(w *stored.Writer) error {
	return w.Rows("image", len(d.Images), func(r *stored.Record, i int) {
		image := &d.Images[i]
		if image.HasTextStart {
			r.Uint(image.TextStart)
		} else {
			r.Null()
		}
		r.Uints(image.TextSize, image.Base)
		if image.Listing >= 0 {
			listing := &d.Listings[image.Listing]
			r.Ints(len(listing.Procedures))
			r.Texts(image.ID, image.Label, listing.File)
		} else {
			r.Ints(0)
			r.Texts(image.ID, image.Label)
			r.Null()
		}
		r.Texts(strings.Join(image.Paths, "\n"))
	})
}

func (d *database) writeProfiles(w *stored.Writer) error {
	profiles := slices.Collect(d.Profiles())
	return w.Rows("dcpi_profile", len(profiles), func(r *stored.Record, i int) {
		p := profiles[i]
		r.Ints(p.ImageIndex + 1)
		r.Uints(p.Period, p.Fraction, p.CPUSpeed)
		r.Known(p.CPUAMask)
		r.Known(p.CPUImplVer)
		r.Known(p.CPUCount)
		r.Ints(p.Chunks)
		r.Uints(p.Addresses, p.Nonzero, p.Samples, p.Stride)
		r.Ints(d.blocks[i].first, d.blocks[i].n, p.Dump)
		r.Uint(p.Bytes)
		r.Texts(p.Version, p.Start, p.Epoch, p.Platform, p.Event, p.File)
	})
}

func (d *database) writeLines(w *stored.Writer) error {
	return w.List("header_line", func(r *stored.Record, add func()) {
		profile := 0
		for p := range d.Profiles() {
			profile++
			for _, l := range p.Lines {
				r.Ints(profile)
				r.Uint(l.Offset)
				r.Texts(l.Kind, l.Key, l.Value)
				add()
			}
		}
	})
}

func (d *database) writeSymbols(w *stored.Writer) error {
	return w.List("symbol", func(r *stored.Record, add func()) {
		for i := range d.Images {
			if d.Images[i].Listing < 0 {
				continue
			}
			procedures := analyze.NewProcedureMap(d.Listings[d.Images[i].Listing].Procedures, 0)
			for n := range procedures.Len() {
				p, _ := procedures.At(n)
				r.Ints(i + 1)
				r.Uints(p.Address, p.Size)
				r.Name([]byte(p.Name))
				add()
			}
		}
	})
}
