package dcpidb

import (
	"cmp"
	"context"
	"slices"

	"proflens/profile/table"
)

// Total is what a selection holds of one image, epoch, host or event.
type Total struct {
	Name string // of the epoch, host or event; the label of an image
	// In is the image; nil of others.
	In *Image
	// Images, Epochs and Platforms are how many there are of each.
	Images    int    `col:"images" width:"6" is:"sort,range"`
	Profiles  int    `col:"profiles" width:"8" is:"sort,range"`
	Epochs    int    `col:"epochs" width:"6" is:"sort,range"`
	Platforms int    `col:"platforms" width:"9" head:"Hosts" is:"sort,range"`
	_         column `col:"samples" is:"sort,range,number,page,script"`
	Cells     []Cell // by column
}

// Cell implements [table.Celler].
func (t *Total) Cell(string, *table.Options) table.Cell {
	return table.Count(t.Cells[0].Samples)
}

// Figures implements [Figured].
func (t *Total) Figures() []Cell { return t.Cells }

// ImageTotal is that of an image.
type ImageTotal struct {
	*Image
	*Total `parts:"profiles,epochs,platforms,samples"`
}

// EpochTotal is that of an epoch.
type EpochTotal struct {
	Epoch  string `col:"epoch" width:"20" is:"key,script" as:"date-time"`
	Start  string `col:"name" head:"Epoch" is:"page,sort,up,words" help:"when it starts"`
	*Total `parts:"images,profiles,platforms,samples"`
}

// PlatformTotal is that of a host.
type PlatformTotal struct {
	Platform string `col:"platform" width:"20" is:"key,script"`
	Host     string `col:"name" head:"Host" is:"page,sort,up,words"`
	*Total   `parts:"images,profiles,epochs,samples"`
}

// The tables of totals.
var (
	ImageTotals = table.Declare[ImageTotal](table.Declaration{
		Others: "DCPIFigure", Around: (*Around)(nil),
		About: "A program, library or kernel, and two members per column.",
		Noun:  "image", Sought: "image name",
		Show: "name address size symbols *",
	})
	EpochTotals = table.Declare[EpochTotal](table.Declaration{
		Others: "DCPIFigure", Around: (*Around)(nil),
		About: "An epoch, and two members per column.",
		Noun:  "epoch", Usual: "name",
		Show: "name images profiles *",
	})
	PlatformTotals = table.Declare[PlatformTotal](table.Declaration{
		Others: "DCPIFigure", Around: (*Around)(nil),
		About: "A host, and two members per column.",
		Noun:  "host", Sought: "host", Usual: "name",
		Show: "name images profiles *",
	})
)

// FindTotals finds images, epochs or hosts, as [Profile.Totals] has them.
func (p *Profile) FindTotals(_ context.Context, s Selection, of TotalOf) (*table.Declaration, table.Find, error) {
	plan := p.Overview.plan(&s)
	totals := p.totals(plan, of)
	d, rows := TotalRows(of, totals, plan.columns)
	return d, plan.within(d, table.Set{Rows: rows, Sorted: true, Matched: func(ids []uint32) any {
		around := plan.around()
		for _, id := range ids {
			for i := range around.Totals {
				around.Totals[i].Add(&totals[id].Cells[i])
			}
		}
		return around
	}}), nil
}

// TotalRows are totals as rows of their table, with its columns.
func TotalRows(of TotalOf, totals []Total, columns []Column) (d *table.Declaration, rows any) {
	switch of {
	case OfImage:
		d, rows = ImageTotals, each(totals, func(t *Total) ImageTotal { return ImageTotal{t.In, t} })
	case OfEpoch:
		d, rows = EpochTotals, each(totals, func(t *Total) EpochTotal { return EpochTotal{t.Name, t.Name, t} })
	default:
		d, rows = PlatformTotals, each(totals, func(t *Total) PlatformTotal { return PlatformTotal{t.Name, t.Name, t} })
	}
	return (&plan{columns: columns}).declare(d, false), rows
}

func each[T any](totals []Total, row func(t *Total) T) []T {
	rows := make([]T, len(totals))
	for i := range totals {
		rows[i] = row(&totals[i])
	}
	return rows
}

// within finds among rows, by the columns of the plan.
func (plan *plan) within(d *table.Declaration, set table.Set) table.Find {
	find := d.Within(set)
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		plan.ask(&q)
		return find(ctx, q)
	}
}

// TotalOf says what the rows of a table of totals are.
type TotalOf string

// What rows can be; besides an image, the dimensions.
const (
	OfImage    TotalOf = "image"
	OfEpoch    TotalOf = TotalOf(ByEpoch)
	OfPlatform TotalOf = TotalOf(ByPlatform)
)

// Totals adds a selection up by image, epoch or host: images by samples of the
// first column, descending, the others in their order. The columns are those of
// the selection.
func (p *Profile) Totals(s Selection, of TotalOf) ([]Total, []Column) {
	plan := p.Overview.plan(&s)
	return p.totals(plan, of), plan.columns
}

func (p *Profile) totals(plan *plan, of TotalOf) []Total {
	type key struct {
		name  string
		image int
	}
	index := map[key]int{}
	type part struct {
		total int
		what  TotalOf
		name  string
	}
	seen := map[part]bool{}
	first := func(in part) int { // 1 when it is new
		if seen[in] {
			return 0
		}
		seen[in] = true
		return 1
	}
	totals := []Total{}
	for _, f := range plan.profiles {
		label := p.Overview.Images[f.Image].Label
		k := key{label, f.Image}
		if of != OfImage {
			k = key{f.value(Dimension(of)), -1}
		}
		n, ok := index[k]
		if !ok {
			n = len(totals)
			index[k] = n
			totals = append(totals, Total{Name: k.name, Cells: make([]Cell, len(plan.columns))})
			if of == OfImage {
				totals[n].In = f.In
			}
		}
		t := &totals[n]
		t.Profiles++
		t.Cells[f.column].add(f.Samples, &f.DCPIRate)
		t.Images += first(part{n, OfImage, label})
		t.Epochs += first(part{n, OfEpoch, f.Epoch})
		t.Platforms += first(part{n, OfPlatform, f.Platform})
	}
	slices.SortStableFunc(totals, func(a, b Total) int {
		if of == OfImage && len(plan.columns) > 0 {
			return cmp.Compare(b.Cells[0].Samples, a.Cells[0].Samples)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return totals
}
