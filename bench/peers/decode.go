package main

import (
	"context"
	"os"

	"golang.org/x/sys/unix"

	"proflens/analyze"
	"proflens/decode"
)

// decodeAndStats reads every record of a profile, its statistics and its
// summary: what an upload computes before anything is stored.
func decodeAndStats(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_POPULATE)
	if err != nil {
		return err
	}
	p, err := decode.Open(ctx, []decode.File{{Name: path, Data: data}}, decode.Options{})
	if err != nil {
		return err
	}
	var total analyze.Sum
	var summarizer analyze.Summarizer
	variant := p.Info().Variant
	for fn, err := range p.Functions() {
		if err != nil {
			return err
		}
		s := analyze.StatsOf(fn, variant)
		total.AddSum(s.Total)
		summarizer.Add(fn)
	}
	summarizer.Summary()
	return nil
}
