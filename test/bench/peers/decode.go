package main

import (
	"context"

	"proflens/analyze"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/internal/mmap"
)

// decodeAndStats reads every record of a profile, its statistics and its
// summary: what an upload computes before anything is stored.
func decodeAndStats(ctx context.Context, path string) error {
	data, err := mmap.ReadFile(path)
	if err != nil {
		return err
	}
	defer mmap.Release(data)
	p, err := decode.Open(ctx, []format.File{{Name: path, Data: data}}, format.Options{})
	if err != nil {
		return err
	}
	var total analyze.Sum
	var summarizer analyze.Summarizer
	src := llvm.SourceOf(p)
	variant := src.Info().Variant
	for fn, err := range src.Functions() {
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
