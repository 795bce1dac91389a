package dcpidb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze/sources"
	"proflens/decode/dcpi"
	"proflens/profile/lines"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// lineSpan is addresses of an image that one line of source was compiled to: those with
// samples, and where procedures begin.
type lineSpan struct {
	image       int
	first, last uint64 // addresses, both inclusive
	file, line  uint32 // file counts from 1
}

// maxLineAddresses bounds how many addresses are looked up for their line.
const maxLineAddresses = 1 << 24

// findLines asks the executables for the lines of what was sampled.
func (d *database) findLines(ctx context.Context) error {
	files := map[string]uint32{}
	for i := range d.Images {
		image := &d.Images[i]
		if image.Listing < 0 || d.Listings[image.Listing].Line == nil {
			continue
		}
		listing := &d.Listings[image.Listing]
		for n, address := range d.addressesOf(i, listing) {
			if n%stored.CheckEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			name, line, ok := listing.Line(address)
			if !ok {
				continue
			}
			name = sources.Clean(name)
			file, known := files[name]
			if !known {
				d.lineFiles = append(d.lineFiles, name)
				file = uint32(len(d.lineFiles))
				files[name] = file
			}
			if last := len(d.lines) - 1; last >= 0 && d.lines[last].image == i && d.lines[last].file == file &&
				d.lines[last].line == line {
				d.lines[last].last = address
				continue
			}
			d.lines = append(d.lines, lineSpan{i, address, address, file, line})
		}
	}
	return nil
}

// addressesOf are the addresses of an image with samples, and those where its procedures
// begin, rising.
func (d *database) addressesOf(image int, listing *dcpi.Listing) []uint64 {
	var list []uint64
	for p := range d.Profiles() {
		if p.ImageIndex != image {
			continue
		}
		for chunk := range p.Each {
			for i, n := range chunk.Counts {
				if n > 0 && len(list) < maxLineAddresses {
					list = append(list, d.Images[image].Base+chunk.Offset+p.Stride*uint64(i))
				}
			}
		}
	}
	for i := range listing.Procedures {
		list = append(list, listing.Procedures[i].Address)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (d *database) writeSampleLines(w *stored.Writer) error {
	err := w.Rows("sample_file", len(d.lineFiles), func(r *stored.Record, i int) { r.Name([]byte(d.lineFiles[i])) })
	if err != nil {
		return err
	}
	return w.Rows("sample_line", len(d.lines), func(r *stored.Record, i int) {
		s := &d.lines[i]
		r.Ints(s.image + 1)
		r.Uints(s.first, s.last, uint64(s.file), uint64(s.line))
	})
}

// places are the lines of addresses, as the file has them.
type places struct {
	files []string
	spans []lineSpan // by image and address
}

// places reads them; nil where no executable said any.
func (p *Profile) places(ctx context.Context) (*places, error) {
	return stored.Cached(ctx, p.Profile, "dcpi lines", func() (*places, int64, error) {
		of := &places{}
		size := int64(0)
		err := p.Walk("sample_file", func(row *stored.Row) {
			of.files = append(of.files, string(row.Blob(1)))
			size += int64(len(of.files[len(of.files)-1])) + 16
		})
		if err != nil {
			return nil, 0, err
		}
		err = p.Walk("sample_line", func(row *stored.Row) {
			s := lineSpan{int(row.Int(1)) - 1, row.Uint(2), row.Uint(3), uint32(row.Uint(4)), uint32(row.Uint(5))}
			if s.file == 0 || int(s.file) > len(of.files) {
				row.Fail(stored.Damaged("line %d is in file %d of %d", row.ID, s.file, len(of.files)))
			}
			of.spans = append(of.spans, s)
			size += 40
		})
		if len(of.spans) == 0 {
			return nil, 0, err
		}
		return of, size, err
	})
}

// of is the line of an address.
func (p *places) of(image int, address uint64) (file string, line uint32) {
	if p == nil {
		return "", 0
	}
	i, found := slices.BinarySearchFunc(p.spans, lineSpan{image: image, first: address}, func(s, at lineSpan) int {
		return cmp.Or(cmp.Compare(s.image, at.image), cmp.Compare(s.first, at.first))
	})
	if !found {
		i--
	}
	if i < 0 || p.spans[i].image != image || address > p.spans[i].last {
		return "", 0
	}
	return p.files[p.spans[i].file-1], p.spans[i].line
}

// SourceLines are the samples of each event by line; nil where no executable said any.
func (p *Profile) SourceLines(ctx context.Context) (*lines.Table, error) {
	of, err := p.places(ctx)
	if err != nil || of == nil {
		return nil, err
	}
	return stored.Cached(ctx, p.Profile, "dcpi line table", func() (*lines.Table, int64, error) {
		plan := p.Overview.plan(&Selection{})
		m, err := p.matrix(ctx, plan)
		if err != nil {
			return nil, 0, err
		}
		columns := make([]lines.Column, len(plan.columns))
		for i, c := range plan.columns {
			columns[i] = lines.Column{Key: "samples_" + c.Name, Label: c.Name, Title: "samples of " + c.Name}
		}
		b := lines.New(columns...)
		for i := range uint32(m.len()) {
			image, _, address := m.place(i)
			file, line := of.of(image, address)
			if file == "" {
				continue
			}
			for c := range columns {
				if n := m.cell(i, c).Samples; n > 0 {
					b.Add(file, line, c, n)
				}
			}
		}
		t := b.Table()
		if len(t.Files) == 0 {
			return nil, 0, nil
		}
		return t, t.Bytes(), nil
	})
}

// AtLine are the addresses with samples that a line was compiled to, those with the most
// of the first event first, at most limit; and how many there are.
func (p *Profile) AtLine(ctx context.Context, file string, line uint32,
	limit int) (rows []AddressRow, all int, err error) {
	of, err := p.places(ctx)
	if err != nil || of == nil {
		return nil, 0, err
	}
	plan := p.Overview.plan(&Selection{})
	m, err := p.matrix(ctx, plan)
	if err != nil {
		return nil, 0, err
	}
	o, err := p.newAddressOrder(ctx, plan, m, 0, 0, 0, &table.Query{})
	if err != nil {
		return nil, 0, err
	}
	o.ids = slices.DeleteFunc(o.ids, func(i uint32) bool {
		image, _, address := m.place(i)
		at, n := of.of(image, address)
		return n != line || at != file
	})
	if len(o.ids) == 0 {
		return nil, 0, nil
	}
	o.cum = make([]float64, len(o.ids)/cumEvery+1)
	rows, err = p.addressRows(ctx, plan, m, o, 0, min(limit, len(o.ids)))
	return rows, len(o.ids), err
}
