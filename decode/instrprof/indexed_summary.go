package instrprof

import (
	"proflens/decode/model"
	"proflens/decode/wire"
)

// summaryHeader is NumSummaryFields and NumCutoffEntries.
const summaryHeader = 16

// readSummary reads the stored summary that starts where the payload would
// (instrprof.md §3.2) and moves the payload behind it.
//
// The size that moves the payload is LLVM's 32-bit arithmetic, so that a file
// is walked from the same byte. A summary whose claim differs from that size
// is left out with a finding: it is advisory, the records decide.
func (x *Indexed) readSummary(section string, rec *wire.Recorder) (*Summary, error) {
	start := x.payload
	c := x.at(section, "", start, summaryHeader)
	peek := *c
	fields, cutoffs := peek.U64("NumSummaryFields"), peek.U64("NumCutoffEntries")
	peek.Count("NumCutoffEntries", cutoffs, 24)
	if err := peek.Err(); err != nil {
		return nil, err
	}
	size := uint64(summaryHeader + 8*uint32(fields) + 24*uint32(cutoffs))
	body := c.Section(section, size)
	if err := c.Err(); err != nil {
		return nil, err
	}
	x.payload = start + size
	body.Record(rec)
	body.U64("NumSummaryFields")
	body.U64("NumCutoffEntries")
	if fields > body.Remaining()/8 || 8*fields+24*cutoffs != body.Remaining() {
		x.warn("indexed.summary", section, start, model.KindMalformed,
			"the sizes in the stored summary contradict each other; it is left out")
		return nil, nil
	}
	return readSummaryBody(body, fields, cutoffs), body.Err()
}

// readSummaryBody reads the fields and cutoffs, which are known to fit.
func readSummaryBody(c *wire.Cursor, fields, cutoffs uint64) *Summary {
	s := &Summary{Detailed: make([]SummaryEntry, cutoffs)}
	known := []struct {
		name string
		dst  *uint64
	}{
		{"TotalNumFunctions", &s.NumFunctions},
		{"TotalNumBlocks", &s.NumCounts},
		{"MaxFunctionCount", &s.MaxFunctionCount},
		{"MaxBlockCount", &s.MaxCount},
		{"MaxInternalBlockCount", &s.MaxInternalCount},
		{"TotalBlockCount", &s.TotalCount},
	}
	for i := range fields {
		if i < uint64(len(known)) {
			*known[i].dst = c.U64(known[i].name)
		} else {
			c.Skip("unknown field", 8)
		}
	}
	for i := range s.Detailed {
		s.Detailed[i] = SummaryEntry{
			Cutoff: c.U64("Cutoff"), MinCount: c.U64("MinBlockCount"), NumCounts: c.U64("NumBlocks"),
		}
	}
	return s
}
