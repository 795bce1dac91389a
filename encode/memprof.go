package encode

import (
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// unsymbolized is the error for a heap profile without functions, of which an
// encoding would say nothing; nil when there are functions.
func unsymbolized(p *memprof.Profile, format string) error {
	if p.Symbolized {
		return nil
	}
	fault := model.Faultf(model.KindUnsymbolized,
		"%s needs the functions of the heap profile, which has only addresses", format)
	if p.Format == memprof.FormatReport {
		fault.Msg = fmt.Sprintf("%s needs the functions of the heap profile; a runtime's report has their demangled names "+
			"only", format)
	}
	for _, f := range p.Findings {
		if f.Kind == model.KindUnsymbolized {
			fault.Msg += "; " + f.Remedy
		}
	}
	return fault
}

// recordOrder is the order in which an indexed file has the records: that of
// its hash table. Those that were read from one file stand in it already.
func recordOrder(p *memprof.Profile) []int32 {
	order := make([]int32, 0, len(p.Records))
	if p.Format == instrprof.FormatIndexed && p.Dumps == 1 {
		for i := range p.Records {
			order = append(order, int32(i))
		}
		return order
	}
	for _, item := range guidBuckets(p.Records).items {
		order = append(order, int32(item.first))
	}
	return order
}

// guidBuckets puts records into the buckets of an on-disk hash table, whose
// hash is the GUID itself (memprof.md §3.5).
func guidBuckets(records []memprof.Record) layout {
	guids := make([]nameItem, len(records))
	for i, r := range records {
		guids[i] = nameItem{hash: r.Function, first: uint32(i)}
	}
	var l layout
	l.fillBuckets(guids)
	return l
}

// writtenSchema is the fields that are written of every MIB: those that some
// MIB has and, as llvm-profdata has it of a text form, the four that the
// compiler needs.
func writtenSchema(p *memprof.Profile) memprof.MIBSchema {
	if p.Format == memprof.FormatYAML && p.Schema != 0 {
		return p.Schema | memprof.DefaultSchema
	}
	return p.Schema
}

// memprofRemarks are findings on what an indexed file and the text form have not
// of a heap profile.
func memprofRemarks(p *memprof.Profile) []model.Finding {
	var findings []model.Finding
	histograms, partial := uint64(0), uint64(0)
	schema := writtenSchema(p)
	for i := range p.Contexts {
		m := &p.Contexts[i].MIB
		if len(m.Histogram) > 0 {
			histograms++
		}
		if m.Schema != schema {
			partial++
		}
	}
	if histograms > 0 {
		findings = append(findings, model.Finding{Severity: model.Note, Code: "memprof.histograms", Count: histograms,
			Message: "the access histograms of " + model.Amount(histograms, "context", "contexts") +
				" are left out: neither indexed files nor the text form have them"})
	}
	if partial > 0 {
		findings = append(findings, model.Finding{Severity: model.Note, Code: "memprof.missing_fields", Count: partial,
			Message: model.Amount(partial, "context lacks", "contexts lack") +
				" fields that others have, or that the compiler needs; these are written as 0, as llvm-profdata writes them"})
	}
	return findings
}

// hottestFirst is the records of a data access profile as llvm-profdata prints
// them, and its cold symbols and hashes in order.
func hottestFirst(a *memprof.DataAccess) memprof.DataAccess {
	out := memprof.DataAccess{
		Records: slices.Clone(a.Records), ColdSymbols: slices.Clone(a.ColdSymbols), ColdHashes: slices.Clone(a.ColdHashes),
	}
	slices.SortStableFunc(out.Records, func(a, b memprof.DataAccessRecord) int {
		switch {
		case a.AccessCount > b.AccessCount:
			return -1
		case a.AccessCount < b.AccessCount:
			return 1
		}
		return 0
	})
	slices.Sort(out.ColdSymbols)
	slices.Sort(out.ColdHashes)
	return out
}
