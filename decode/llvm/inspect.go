package llvm

import (
	"errors"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// inspect reads a file of counters for its anatomy, to the last record.
func inspect(a *model.Anatomy, f format.File, rec *wire.Recorder) error {
	src, err := openCounters(f, nil, rec, false)
	if err == nil {
		a.Format = src.Info().Describe
		a.Findings = append(a.Findings, new(heaps).openSection(f, src.Info(), rec)...)
		err = readAll(src)
		a.Findings = append(a.Findings, src.Findings()...)
	}
	err = cutShort(f.Data, err)
	if c, ok := errors.AsType[cut](err); ok {
		*rec = wire.Recorder{Allowance: rec.Allowance}
		// the sections after the fault too, and what there is of the one it is in
		_, _ = instrprof.SalvageRaw(f.Data, nil, rec)
		if c.partial.Records > 0 {
			a.Salvage = &c.partial
		}
	}
	return err
}

// readAll reads every record and returns the first fault.
func readAll(src instrprof.Source) error {
	for _, err := range src.Functions() {
		if err != nil {
			return err
		}
	}
	for _, err := range src.Traces() {
		if err != nil {
			return err
		}
	}
	return nil
}
