package dcpidb

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/profile/figure"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Overview is what there is to say of a database of DCPI's samples: its images
// and its profiles.
type Overview struct {
	Samples    analyze.Sum    `api:"samples"`               // of all events
	Counted    []Event        `api:"events" is:"list ..64"` // cycles first, at most maxEvents
	MoreEvents int            `api:"more_events" doc:"Number of events missing from the list."`
	Images     []Image        `api:"images,len"`
	Procedures int            `api:"procedures" doc:"Known procedures."`
	Epochs     []string       `api:"epochs,len"`  // of the profiles, by time
	FirstEpoch string         `api:"first_epoch"` // RFC 3339, UTC
	LastEpoch  string         `api:"last_epoch"`
	Platforms  []string       `api:"platforms,len"`
	Profiles   []EventProfile `api:"profiles,len" doc:"One per event, image, epoch and host."`
	Addresses  uint64         `api:"addresses,exact"` // with samples, of all profiles
	Events     []string       // of the profiles, cycles before others
}

// Event is what the profiles of an event come to.
type Event struct {
	Event    string      `api:"event"`
	Samples  analyze.Sum `api:"samples"`
	Profiles int         `api:"profiles"`
	// Periods are at most maxEvents.
	Periods []uint64 `api:"periods" doc:"Events per sample, ascending."`
}

// maxEvents bounds the events that are counted, and the periods of each.
const maxEvents = 64

// Figures are those of a database of samples.
var Figures = figure.Declare(figure.List{
	Object:    "dcpi",
	Overview:  figure.Overview(Of),
	Tiles:     "samples events images epochs hosts",
	Card:      "samples image epoch",
	Functions: `one:"procedure" many:"procedures" none:"no procedures are known"`,
	Total:     `one:"sample" many:"samples" unit:"count"`,
	Figures: []string{
		`name:"samples" label:"Samples" one:"sample" of:"Samples" unit:"count" note:"of all events" url:"/procedures"
			how:"dcpi-shares a share of the samples"`,
		`label:"Samples of the first event" of:"Counted.0.Samples" measure:"samples" better:"more"
			counts:"samples of the first event; cycles come first"`,
		`name:"events" label:"Events" of:"Events" how:"dcpi-events a number of events or seconds"`,
		`name:"images" label:"Images" of:"Images" note:"{Procedures|# procedure|# procedures} known" url:"/images"`,
		`name:"epochs" label:"Epochs" of:"Epochs" note:"over time" url:"/epochs"`,
		`name:"hosts" label:"Hosts" of:"Platforms" url:"/epochs?by=platform"`,
		`name:"profiles" label:"Profiles" of:"Profiles" note:"one per event, image, epoch and host"`,
		`name:"image" label:"{Images|Image|Images}" of:"Images"`,
		`name:"epoch" label:"{Epochs|Epoch|Epochs}" of:"Epochs"`,
	},
})

// column is the type of a blank field: the struct's method Cell makes its column, or its tag goes on with
// that of the field before it.
type column = table.Computed

// Image is a program, a library or a kernel that was sampled.
type Image struct {
	dcpi.Image         // Listing is 0, or -1 for none
	_          column  `col:"name" head:"Image" is:"page,sort,up,words"`
	_          column  `col:"image" width:"16" is:"script" as:"string"`
	_          column  `col:"image_id" width:"20" is:"script" help:"its id in the profiles" as:"string"`
	Key        string  `col:"key" is:"key,page,script"` // addresses it, see ImageKey
	Text       *uint64 `col:"text_start" width:"18" is:"address,script"`
	_          column  `help:"where its text starts; null where no header says"`
	_          column  `col:"text_size" width:"10" is:"script" help:"bytes" as:"Count"`
	_          column  `col:"address" head:"Text" is:"page,sort,up" help:"where it starts"`
	_          column  `col:"size" is:"page,sort,number,bytes" help:"of its text"`
	Symbols    int     `col:"symbols" width:"7" is:"sort,range" help:"known procedures"`
	// ListingFile names the procedures; empty for none.
	ListingFile string `col:"listing" width:"12" is:"omitzero" help:"the file that names its procedures"`
	_           column `col:"path" width:"24" head:"Paths"`
	at          int    // in Overview.Images
}

// Cell implements [table.Celler].
func (i *Image) Cell(column string, _ *table.Options) table.Cell {
	switch column {
	case "text_size", "size":
		return table.Count(i.TextSize)
	case "address":
		return table.Text(fmt.Sprintf("%016x", i.TextStart))
	case "image_id":
		return table.Text(i.ID)
	case "path":
		if len(i.Paths) == 0 {
			return table.Null
		}
		return table.Text(strings.Join(i.Paths, " "))
	}
	return table.Text(i.Label)
}

// Compare implements [table.Ordered]: by label.
func (i *Image) Compare(other any) int {
	o := other.(*Image)
	return cmp.Or(cmp.Compare(i.Label, o.Label), cmp.Compare(i.at, o.at))
}

// EventProfile is the samples of one event of one image in one epoch on one host.
type EventProfile struct {
	Event    string `col:"event" width:"10"`
	Epoch    string `col:"epoch" width:"20"` // its start, RFC 3339, UTC; of several spellings one
	Platform string `col:"platform" width:"12"`
	// Image is that in Overview.Images, In the same.
	Image            int
	In               *Image  `col:"image" parts:"image,image_id"`
	Samples          uint64  `col:"samples" width:"12"`
	Nonzero          uint64  `col:"addresses" width:"9"` // counts above zero
	_                column  `col:"events" width:"14"`
	analyze.DCPIRate         // of a sample
	CPUAMask         *uint64 `col:"cpuamask" width:"8" is:"address"`
	CPUImplVer       *uint64 `col:"cpuimplv" width:"8"`
	CPUCount         *uint64 `col:"cpucount" width:"8"`
	Chunks           int     `col:"chunks" width:"8"`
	Stride           uint64  `col:"stride" width:"6" help:"bytes between the addresses of two counts"`
	Version          string  `col:"version" width:"8" is:"omitzero"` // as written; empty when there is none
	File             string  `col:"file"`
	Addresses        uint64  // counts
	Dump             int     // of dcpicat text, from 0
	HeaderBytes      uint64  // before the samples; 0 for text of dcpicat
	EpochText        string  // as written

	firstBlock, blocks int64
}

// Cell implements [table.Celler].
func (f *EventProfile) Cell(string, *table.Options) table.Cell {
	return amount(f.Events(f.Samples), UnitEvents)
}

// Headers is the table of the profiles, in the order of the files.
var Headers = table.Declare[EventProfile](table.Declaration{
	About: "A profile of the database: an event of an image in an epoch on a host.",
	Noun:  "profile", Text: "samples event epoch platform image file",
})

// FindHeaders finds profiles.
func (p *Profile) FindHeaders(context.Context) (table.Find, error) {
	return Headers.Within(table.Set{Rows: p.Overview.Profiles}), nil
}

// readOverview reads images and profiles, of which there is one at least.
func readOverview(p *stored.Profile) (*Overview, error) {
	o := &Overview{}
	err := p.Walk("image", func(row *stored.Row) {
		image, paths := Image{at: len(o.Images), Image: dcpi.Image{Listing: -1}}, ""
		row.Fill(&image.Text, &image.TextSize, &image.Base, &image.Symbols, &image.ID, &image.Label,
			&image.ListingFile, &paths)
		if paths != "" {
			image.Paths = strings.Split(paths, "\n")
		}
		if !row.IsNull(7) {
			image.Listing = 0
		}
		if image.Text != nil {
			image.HasTextStart, image.TextStart = true, *image.Text
		}
		o.Images = append(o.Images, image)
	})
	if err != nil {
		return nil, err
	}
	for i := range o.Images {
		o.Images[i].Key = o.ImageKey(i)
	}
	err = p.Walk("dcpi_profile", func(row *stored.Row) {
		var f EventProfile
		row.Fill(&f.Image, &f.Period, &f.Fraction, &f.CPUSpeed, &f.CPUAMask, &f.CPUImplVer, &f.CPUCount, &f.Chunks,
			&f.Addresses, &f.Nonzero, &f.Samples, &f.Stride, &f.firstBlock, &f.blocks, &f.Dump, &f.HeaderBytes, &f.Version,
			&f.Epoch, &f.EpochText, &f.Platform, &f.Event, &f.File)
		f.Image--
		if f.Image < 0 || f.Image >= len(o.Images) {
			row.Fail(stored.Damaged("a profile of DCPI without its image"))
			return
		}
		f.In = &o.Images[f.Image]
		o.Profiles = append(o.Profiles, f)
	})
	if err != nil {
		return nil, err
	}
	if len(o.Profiles) == 0 {
		return nil, stored.ErrNoPart
	}
	o.list()
	return o, nil
}

// list finds the events, epochs and hosts.
func (o *Overview) list() {
	for i := range o.Profiles {
		f := &o.Profiles[i]
		o.Samples.Add(f.Samples)
		o.Events, o.Epochs, o.Platforms = append(o.Events, f.Event), append(o.Epochs, f.Epoch),
			append(o.Platforms, f.Platform)
	}
	for _, list := range []*[]string{&o.Events, &o.Epochs, &o.Platforms} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	cycles := slices.DeleteFunc(slices.Clone(o.Events), func(event string) bool { return !isCycles(event) })
	o.Events = append(cycles, slices.DeleteFunc(o.Events, isCycles)...)
	o.FirstEpoch, o.LastEpoch = o.Epochs[0], o.Epochs[len(o.Epochs)-1]
	for i := range o.Images {
		o.Procedures += o.Images[i].Symbols
	}
	o.count()
}

// count adds up the profiles of each event.
func (o *Overview) count() {
	o.Counted = make([]Event, min(len(o.Events), maxEvents))
	o.MoreEvents = len(o.Events) - len(o.Counted)
	index := map[string]int{}
	for i := range o.Counted {
		o.Counted[i].Event = o.Events[i]
		index[o.Events[i]] = i
	}
	for i := range o.Profiles {
		f := &o.Profiles[i]
		o.Addresses += f.Nonzero
		n, ok := index[f.Event]
		if !ok {
			continue
		}
		e := &o.Counted[n]
		e.Samples.Add(f.Samples)
		e.Profiles++
		if at, found := slices.BinarySearch(e.Periods, f.Period); !found && len(e.Periods) < maxEvents {
			e.Periods = slices.Insert(e.Periods, at, f.Period)
		}
	}
}

// isCycles reports whether an event measures time.
func isCycles(event string) bool { return strings.EqualFold(event, "cycles") }

// Lines are the lines of the header of profile n of Overview.Profiles, in the
// order of the file.
func (p *Profile) Lines(_ context.Context, n int) ([]dcpi.Line, error) {
	lines := []dcpi.Line{}
	err := p.Walk("header_line", func(row *stored.Row) {
		if row.Int(1) == int64(n)+1 {
			lines = append(lines, dcpi.Line{Offset: row.Uint(2), Kind: row.String(3), Key: row.String(4), Value: row.String(5)})
		}
	})
	return lines, err
}
