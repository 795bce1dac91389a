package sample

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// The codes of the findings that [Findings] makes.
const (
	CodeNoSamples    = "sample.no_samples"
	CodeOneFunction  = "sample.one_function"
	CodeNoHeads      = "sample.no_heads"
	CodeFlatHeads    = "sample.flat_heads"
	CodeNoCalls      = "sample.no_calls"
	CodeThin         = "sample.thin"
	CodeUnnamed      = "sample.unnamed"
	CodeUnplaced     = "sample.unplaced"
	CodeAboveLine    = "sample.above_line"
	CodeUnlistedName = "sample.unlisted"
)

// Findings are the observations on a profile, worst first.
func Findings(p *sampleprof.Profile, w *Whole, q *Quality) (found []model.Finding) {
	note := func(severity model.Severity, code string, count uint64, message, cause, remedy string) {
		found = append(found, model.Finding{
			Severity: severity, Code: code, Count: count, Message: message, Cause: cause, Remedy: remedy,
		})
	}
	const sampleAgain = "record branches: perf record -b (-e br_inst_retired.near_taken:u on Intel, a BRS or LBR event " +
		"on AMD), then convert with the program that ran"
	if w.Sum.IsZero() {
		note(model.Warning, CodeNoSamples, 0, "the profile has no samples: compilers learn nothing from it",
			"the converter found no branches in the recording, no mapping of the program's segments, or another program than "+
				"the one that ran", sampleAgain)
		return found
	}
	if w.Functions == 1 {
		note(model.Warning, CodeOneFunction, 0, "all samples are of one function",
			"the program was recorded for too short a time, or the converter found no symbols or debug info for the rest",
			"record longer, and convert with the program that ran, with -gline-tables-only or -fpseudo-probe-for-profiling")
	}
	if q.Heads == 0 {
		note(model.Warning, CodeNoHeads, 0, "no function has head samples: it is not known how often functions were entered",
			"the recording has no branches, only instruction addresses", sampleAgain)
	} else if q.Flat() {
		note(model.Warning, CodeFlatHeads, uint64(q.EqualHeads),
			fmt.Sprintf("%d of %d functions with head samples have the same number: heads do not tell hot functions from others",
				q.EqualHeads, q.HeadFunctions),
			"the samples are few, or the converter made heads up", sampleAgain)
	}
	if w.Figures.Targets == 0 && w.Functions > 1 {
		note(model.Note, CodeNoCalls, 0, "no calls were sampled: indirect calls cannot be promoted",
			"the recording has no branches, only instruction addresses", sampleAgain)
	}
	if n := w.Figures.Zero + w.Figures.One; w.Figures.All >= 100 && w.Figures.Thin() {
		note(model.Note, CodeThin, uint64(n),
			fmt.Sprintf("%.1f %% of %d places have a count of 0 or 1: the samples are thin",
				100*float64(n)/float64(w.Figures.All), w.Figures.All),
			"the program was recorded for a short time, or seldom", "record longer or more often, or merge several recordings")
	}
	if n := q.Hashed - q.Named; n > 0 {
		note(model.Note, CodeUnnamed, uint64(n),
			model.Amount(n, "function is", "functions are")+" known by the MD5 hash of the name alone",
			"the converter or llvm-profdata wrote the profile with -md5",
			"add the program that was profiled, or a list of its symbols (nm program), and the names come back")
	}
	if q.Empty > 0 {
		note(model.Note, CodeUnplaced, uint64(q.Empty),
			model.Amount(q.Empty, "function has", "functions have")+" samples in total and none at any place",
			"the converter found no debug info or probes for their code",
			"build with -gline-tables-only or -fpseudo-probe-for-profiling")
	}
	if q.Odd > 0 {
		note(model.Note, CodeAboveLine, uint64(q.Odd),
			model.Amount(q.Odd, "place stands", "places stand")+" for lines above the function's first: "+
				"offsets have 16 bits, so that 65535 is the line before it",
			"macros, headers included in functions, or #line directives put code there", "")
	}
	if q.Unlisted > 0 {
		note(model.Note, CodeUnlistedName, uint64(q.Unlisted),
			model.Amount(q.Unlisted, "function has", "functions have")+" samples but no place in the list of symbols",
			"the list is of another build, or functions are inlined everywhere and have no symbol", "")
	}
	return found
}
