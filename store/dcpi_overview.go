package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/store/btree"
)

// DCPIOverview is what there is to say of a database of DCPI's samples: its
// images and its profiles (dcpi.md §4).
type DCPIOverview struct {
	Images   []DCPIImage
	Profiles []DCPIProfile
	// Events, Epochs and Platforms are those of the profiles: cycles before other
	// events, epochs by time.
	Events, Epochs, Platforms []string
	Samples                   analyze.Sum
}

// DCPIImage is a program, a library or a kernel that was sampled.
type DCPIImage struct {
	dcpi.Image         // Listing is 0, or -1 for none
	ListingFile string // names the procedures; empty for none
	Symbols     int    // procedures that are known
}

// DCPIProfile is the samples of one event of one image in one epoch on one host.
type DCPIProfile struct {
	Image                          int // in DCPIOverview.Images
	analyze.DCPIRate                   // of a sample
	CPUAMask, CPUImplVer, CPUCount *uint64
	Chunks                         int
	Addresses, Nonzero             uint64 // counts, and those above zero
	Samples                        uint64
	Stride                         uint64 // bytes between the addresses of two counts
	Dump                           int    // of dcpicat text, from 0
	Version                        string // as written; empty when there is none
	Epoch                          string // its start, RFC 3339, UTC; of several spellings one
	EpochText                      string // as written
	Platform, Event, File          string

	firstBlock, blocks int64
}

// readDCPIOverview reads images and profiles; nil when there is no profile.
func (p *Profile) readDCPIOverview() (*DCPIOverview, error) {
	o := &DCPIOverview{}
	err := walk(p.r, "image", func(row *rowReader) {
		image := DCPIImage{ListingFile: row.text(7), Symbols: int(row.Int(4)), Image: dcpi.Image{
			HasTextStart: !row.IsNull(1), TextStart: row.Uint(1), TextSize: row.Uint(2), Base: row.Uint(3),
			ID: row.text(5), Label: row.text(6), Listing: -1,
		}}
		if paths := row.text(8); paths != "" {
			image.Paths = strings.Split(paths, "\n")
		}
		if !row.IsNull(7) {
			image.Listing = 0
		}
		o.Images = append(o.Images, image)
	})
	if err != nil {
		return nil, err
	}
	damaged := false
	err = walk(p.r, "dcpi_profile", func(row *rowReader) {
		f := DCPIProfile{
			Image: int(row.Int(1)) - 1, DCPIRate: analyze.DCPIRate{Period: row.Uint(2), Fraction: row.Uint(3), CPUSpeed: row.Uint(4)},
			CPUAMask: row.optional(5), CPUImplVer: row.optional(6), CPUCount: row.optional(7),
			Chunks: int(row.Int(8)), Addresses: row.Uint(9), Nonzero: row.Uint(10), Samples: row.Uint(11), Stride: row.Uint(12),
			firstBlock: row.Int(13), blocks: row.Int(14), Dump: int(row.Int(15)),
			Version: row.text(16), Epoch: row.text(17), EpochText: row.text(18), Platform: row.text(19), Event: row.text(20), File: row.text(21),
		}
		damaged = damaged || f.Image < 0 || f.Image >= len(o.Images)
		o.Profiles = append(o.Profiles, f)
	})
	if damaged {
		err = errOr(err, "a profile of DCPI without its image")
	}
	if err != nil || len(o.Profiles) == 0 {
		return nil, err
	}
	o.list()
	return o, nil
}

// optional is a number, nil for NULL.
func (r *rowReader) optional(column int) *uint64 {
	if r.IsNull(column) {
		return nil
	}
	v := r.Uint(column)
	return &v
}

// list finds the events, epochs and hosts.
func (o *DCPIOverview) list() {
	seen := [3]map[string]bool{{}, {}, {}}
	for i := range o.Profiles {
		f := &o.Profiles[i]
		o.Samples.Add(f.Samples)
		for n, word := range []string{f.Event, f.Epoch, f.Platform} {
			if !seen[n][word] {
				seen[n][word] = true
				list := []*[]string{&o.Events, &o.Epochs, &o.Platforms}[n]
				*list = append(*list, word)
			}
		}
	}
	slices.Sort(o.Epochs)
	slices.Sort(o.Platforms)
	slices.SortFunc(o.Events, func(a, b string) int {
		if isCycles(a) != isCycles(b) {
			if isCycles(a) {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}

// isCycles reports whether an event measures time.
func isCycles(event string) bool { return strings.EqualFold(event, "cycles") }

// DCPILines are the lines of the header of profile n of DCPIOverview.Profiles,
// in the order of the file.
func (p *Profile) DCPILines(_ context.Context, n int) ([]dcpi.Line, error) {
	lines := []dcpi.Line{}
	err := walk(p.r, "header_line", func(row *rowReader) {
		if row.Int(1) == int64(n)+1 {
			lines = append(lines, dcpi.Line{Offset: row.Uint(2), Kind: row.text(3), Key: row.text(4), Value: row.text(5)})
		}
	})
	return lines, err
}

// dcpi is the overview of a database of samples; ErrNotFound in other families.
func (p *Profile) dcpi(ctx context.Context) (*DCPIOverview, error) {
	o, err := p.Overview(ctx)
	if err != nil {
		return nil, err
	}
	if o.DCPI == nil {
		return nil, ErrNotFound
	}
	return o.DCPI, nil
}

// procedures are those of an image, moved by shift bytes.
func (p *Profile) procedures(ctx context.Context, o *DCPIOverview, image int, shift int64) (*analyze.ProcedureMap, error) {
	if o.Images[image].Symbols == 0 {
		return analyze.NewProcedureMap(nil, 0), nil
	}
	symbols, err := p.symbols(ctx, o)
	if err != nil {
		return nil, err
	}
	v, err := p.cached(ctx, cacheWords("dcpi procedure map", image, shift), func() (any, int64, error) {
		list := slices.Clone(symbols[image])
		for i := range list {
			list[i].Address += uint64(shift)
		}
		end := uint64(0)
		if size := o.Images[image].TextSize; size > 0 {
			end = o.Images[image].Base + size
		}
		return analyze.NewProcedureMap(list, end), int64(len(list)) * 48, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*analyze.ProcedureMap), nil
}

// symbols are the procedures of each image.
func (p *Profile) symbols(ctx context.Context, o *DCPIOverview) ([][]dcpi.Procedure, error) {
	v, err := p.cached(ctx, "dcpi symbols", func() (any, int64, error) {
		lists := make([][]dcpi.Procedure, len(o.Images))
		size := int64(0)
		table, err := p.r.Table("symbol")
		if err != nil {
			return nil, 0, err
		}
		err = eachRow(table, func(row *btree.Row) error {
			if row.ID%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			name, err := row.Bytes(4)
			image := row.Int(1) - 1
			if err != nil || image < 0 || image >= int64(len(lists)) {
				return errOr(err, "a symbol of image %d", image)
			}
			lists[image] = append(lists[image], dcpi.Procedure{Address: row.Uint(2), Size: row.Uint(3), Name: string(name)})
			size += int64(len(name)) + 48
			return nil
		})
		return lists, size, err
	})
	if err != nil {
		return nil, err
	}
	return v.([][]dcpi.Procedure), nil
}

// ImageKey addresses an image: its id, and where several have that, also where
// the text starts.
func (o *DCPIOverview) ImageKey(i int) string {
	id := strings.ToLower(o.Images[i].ID)
	for n := range o.Images {
		if n != i && strings.EqualFold(o.Images[n].ID, id) {
			return fmt.Sprintf("%s@%x.%x", id, o.Images[i].TextStart, o.Images[i].TextSize)
		}
	}
	return id
}

// FindImages are the images of a key, an id or a label.
func (o *DCPIOverview) FindImages(word string) []int {
	var found []int
	for i := range o.Images {
		image := &o.Images[i]
		if image.Label == word || strings.EqualFold(image.ID, word) || strings.Contains(word, "@") && o.ImageKey(i) == word {
			found = append(found, i)
		}
	}
	return found
}

// FindEpoch is the start of an epoch that is given so, or as a header writes it.
func (o *DCPIOverview) FindEpoch(word string) (start string, ok bool) {
	for i := range o.Profiles {
		if f := &o.Profiles[i]; f.Epoch == word || f.EpochText == word {
			return f.Epoch, true
		}
	}
	return "", false
}
