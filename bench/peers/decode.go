package main

import (
	"context"

	"proflens/analyze"
	"proflens/decode"
	"proflens/mapped"
)

// decodeAndStats reads every record of a profile, its statistics and its
// summary: what an upload computes before anything is stored.
func decodeAndStats(ctx context.Context, path string) error {
	data, err := mapped.ReadFile(path)
	if err != nil {
		return err
	}
	defer mapped.Release(data)
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
