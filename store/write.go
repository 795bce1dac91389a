package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/store/btree"
)

// ProfileInput is what a profile's file is made of.
type ProfileInput struct {
	Source instrprof.Source
	Inputs []InputInfo
	// MIP is a Machine IR Profile, whose Source has no records; else nil.
	MIP *mip.Profile
	// DCPI is a database of samples, whose Source has no records; else nil.
	DCPI *dcpi.Database
	// MemProf is a heap profile, which may stand beside the Source's records; nil
	// where there is none.
	MemProf *memprof.Profile
	// Preview is where to write, as soon as they are known, the overview and
	// the first rows of a profile with many records, for those who wait for the
	// rest. Empty: no preview. The caller removes it.
	Preview string
}

// A preview holds previewRows rows, and is written from previewFrom records on.
const (
	previewRows = 1000
	previewFrom = 50_000
)

// WriteProfileFile reads the source to its end and writes its tables to path:
// under a temporary name beside it, made durable, then renamed, so that path
// is whole or is not there. progress is called now and then with the records
// read so far and those expected, 0 when unknown; it may be nil.
//
// Errors are the source's own, the context's, or of the disk.
func WriteProfileFile(ctx context.Context, path string, in ProfileInput, progress func(done, total uint64)) (Figures, error) {
	if progress == nil {
		progress = func(uint64, uint64) {}
	}
	c, err := collect(ctx, in.Source, progress)
	if err != nil {
		return Figures{}, err
	}
	o, ranks, err := c.prepare(ctx, in)
	if err != nil {
		return Figures{}, err
	}
	tables := &contents{c: c, overview: o, ranking: ranks}
	if in.MIP != nil {
		if tables.mip, err = prepareMIP(ctx, in.MIP); err != nil {
			return Figures{}, err
		}
		o.MIP = &tables.mip.overview
	}
	if in.MemProf != nil {
		if tables.heap, err = c.prepareHeap(ctx, in.MemProf); err != nil {
			return Figures{}, err
		}
		o.MemProf = &tables.heap.overview
	}
	tables.dcpi = in.DCPI
	if err := writeFile(ctx, path, tables); err != nil {
		return Figures{}, err
	}
	return figuresOf(o, in, tables), nil
}

// prepare ranks the records and grows the path tree and, beside that, makes the
// overview and writes the preview.
func (c *collection) prepare(ctx context.Context, in ProfileInput) (*Overview, ranking, error) {
	var o *Overview
	var ranks ranking
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		o = c.overview(in)
		c.addCurve(o)
		if in.Preview == "" || c.records.n < previewFrom {
			return nil
		}
		preview := *o
		preview.Storing = true
		return writeFile(ctx, in.Preview, &contents{c: c, overview: &preview, ranking: c.rank(c.top(previewRows))})
	})
	g.Go(func() error {
		ranks = c.rank(c.all())
		c.addPaths()
		return ctx.Err()
	})
	err := g.Wait()
	return o, ranks, err
}

// overview gathers what is known before the ranks are.
func (c *collection) overview(in ProfileInput) *Overview {
	f := &c.figures
	info := *in.Source.Info()
	o := &Overview{
		Info: info, Describe: info.Describe, Inputs: in.Inputs,
		Findings:  slices.Concat(in.Source.Findings(), f.quality.Findings()),
		Summary:   *f.plain.Summary(),
		Functions: c.records.n, Names: f.quality.Names(),
		Classes:  map[analyze.Class]int{},
		Counters: f.counters, Zero: f.zero, Total: f.total, Max: f.max,
		Sites: f.sites, BitmapBytes: f.bitmapBytes, Traces: len(c.traces),
		Histogram: f.histogram, Quality: f.quality.Figures(),
	}
	o.Thresholds = analyze.ThresholdsOf(&o.Summary)
	if f.anyCS {
		o.CSSummary = f.cs.Summary()
		t := analyze.ThresholdsOf(o.CSSummary)
		o.CSThresholds = &t
	}
	for _, chunk := range c.records.chunks {
		for i := range chunk {
			class := o.classify(&chunk[i].Stats)
			o.Classes[class]++
			if class == analyze.Never {
				o.NeverRan++
			}
		}
	}
	return o
}

// addCurve adds what needs the totals in descending order, which is less than
// the ranks: ties may stand as they like.
func (c *collection) addCurve(o *Overview) {
	descending := c.all()
	c.sortByTotal(descending)
	curve := analyze.CurveOf(len(descending), func(i int) analyze.Sum { return c.records.at(descending[i]).Total })
	o.Curve, o.Hot90, o.Hot99 = curve.Points, curve.Hot90, curve.Hot99
}

// classify gives a record's class by the thresholds of its own summary.
func (o *Overview) classify(s *analyze.Stats) analyze.Class {
	if s.CS && o.CSThresholds != nil {
		return o.CSThresholds.Classify(s)
	}
	return o.Thresholds.Classify(s)
}

// writeFile writes a profile's file at path, whole or not at all; a preview
// need not outlive the machine.
func writeFile(ctx context.Context, path string, contents *contents) (err error) {
	durable := !contents.overview.Storing
	image, err := emptyProfile()
	if err != nil {
		return err
	}
	temp := path + ".part"
	if err := os.WriteFile(temp, image, 0o600); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	w, err := btree.Append(temp)
	if err != nil {
		return err
	}
	contents.w = w
	if err := contents.write(ctx); err != nil {
		w.Discard()
		return fmt.Errorf("writing the profile's tables: %w", err)
	}
	if err := w.Close(durable); err != nil {
		return fmt.Errorf("writing the profile's tables: %w", err)
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	if !durable {
		return nil
	}
	return syncDir(filepath.Dir(path))
}
