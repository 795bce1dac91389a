package analyze

import (
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// The codes of the findings that [Quality] makes.
const (
	CodeSeveralHashes = "instr.several_hashes"
	CodeSaturated     = "instr.saturated"
	CodePseudoCounts  = "instr.pseudo_counts"
	CodeNeverRan      = "instr.never_ran"
	CodeNothingRan    = "instr.nothing_ran"
	CodeNoCounters    = "instr.no_counters"
)

// Quality looks for what a reader of the profile should know before trusting
// it. It keeps eight bytes a record.
type Quality struct {
	variant           instrprof.Variant
	siteLimit         int
	records, executed uint64
	pseudo            uint64
	figures           QualityFigures
	plain, cs         []uint64 // NameRefs of the records
}

// QualityFigures count what is odd about a profile, where [Mark] and [SiteMark]
// say what each is.
type QualityFigures struct {
	SaturatedCounters uint64 `api:"saturated_counters" doc:"Counters at 2^64-3 or above."`
	Saturated         uint64 `api:"saturated_functions"` // records with such a counter
	AllOnes           uint64 `api:"all_ones,optional"`   // records
	EntryZero         uint64 `api:"entry_zero,optional"` // records
	// names with records of more than one FuncHash, context-sensitive ones apart
	SeveralHashes uint64     `api:"several_hashes" doc:"Names with records of more than one FuncHash."`
	HashRecords   uint64     `api:"several_hashes_records"`                  // their records
	NoName        uint64     `api:"no_name" doc:"Functions without a name."` // records
	FullSites     ValueSites `api:"full_sites" doc:"Value sites with site_limit values or more, by kind."`
	ShortSites    ValueSites `api:"short_sites"`
}

// ValueSites are numbers of value sites by their kind.
type ValueSites [instrprof.NumValueKinds]uint64

// API gives them by the names of kinds.
func (s ValueSites) API() any {
	sites := map[string]uint64{}
	for kind, n := range s {
		sites[instrprof.ValueKind(kind).String()] = n
	}
	return sites
}

// NewQuality is for a profile that says this of itself.
func NewQuality(info *instrprof.Info) *Quality {
	return &Quality{variant: info.Variant, siteLimit: SiteLimit(info)}
}

// Grow makes room for n more records.
func (q *Quality) Grow(n int) { q.plain = slices.Grow(q.plain, n) }

// Add looks at a record and its statistics.
func (q *Quality) Add(f *instrprof.Function, s *Stats) {
	q.records++
	q.mark(MarksOf(s, q.variant, len(f.Name) > 0))
	if f.HasSites() {
		q.markSites(f, s)
	}
	if s.CS {
		q.cs = append(q.cs, f.NameRef)
	} else {
		q.plain = append(q.plain, f.NameRef)
	}
	if s.Pseudo {
		q.pseudo++
		return
	}
	if s.Executed() {
		q.executed++
	}
	if s.Max >= instrprof.MaxCount {
		for _, c := range f.Counters {
			if c >= instrprof.MaxCount {
				q.figures.SaturatedCounters++
			}
		}
	}
}

func (q *Quality) mark(m Mark) {
	if m == 0 {
		return
	}
	count(&q.figures.Saturated, m&Saturated != 0)
	count(&q.figures.AllOnes, m&AllOnes != 0)
	count(&q.figures.EntryZero, m&EntryZero != 0)
	count(&q.figures.NoName, m&NoName != 0)
}

func (q *Quality) markSites(f *instrprof.Function, s *Stats) {
	for kind, sites := range f.Sites {
		for _, site := range sites {
			var sum Sum
			for _, v := range site {
				sum.Add(v.Count)
			}
			m := SiteMarksOf(len(site), q.siteLimit, sum, s.NumCounters, s.Total)
			count(&q.figures.FullSites[kind], m&SiteFull != 0)
			count(&q.figures.ShortSites[kind], m&SiteShort != 0)
		}
	}
}

func count(n *uint64, when bool) {
	if when {
		*n++
	}
}

// AddAll looks at the records that another has looked at.
func (q *Quality) AddAll(o *Quality) {
	q.records += o.records
	q.executed += o.executed
	q.pseudo += o.pseudo
	q.figures.SaturatedCounters += o.figures.SaturatedCounters
	q.figures.Saturated += o.figures.Saturated
	q.figures.AllOnes += o.figures.AllOnes
	q.figures.EntryZero += o.figures.EntryZero
	q.figures.NoName += o.figures.NoName
	for kind := range o.figures.FullSites {
		q.figures.FullSites[kind] += o.figures.FullSites[kind]
		q.figures.ShortSites[kind] += o.figures.ShortSites[kind]
	}
	q.plain = append(q.plain, o.plain...)
	q.cs = append(q.cs, o.cs...)
}

// Figures are the counts of all records so far.
func (q *Quality) Figures() QualityFigures {
	f := q.figures
	for _, refs := range [][]uint64{q.plain, q.cs} {
		_, names, records := repetitions(refs)
		f.SeveralHashes += uint64(names)
		f.HashRecords += uint64(records)
	}
	return f
}

// Names is the number of distinct names with a record.
func (q *Quality) Names() int {
	if len(q.cs) == 0 {
		names, _, _ := repetitions(q.plain)
		return names
	}
	all := make([]uint64, 0, len(q.plain)+len(q.cs))
	all = append(append(all, q.plain...), q.cs...)
	names, _, _ := repetitions(all)
	return names
}

// Findings are the observations on all records so far, worst first.
func (q *Quality) Findings() []model.Finding {
	var found []model.Finding
	if q.records == 0 {
		found = append(found, noCounters)
	}
	figures := q.Figures()
	if n := figures.SaturatedCounters; n > 0 {
		found = append(found, saturated(n))
	}
	if n := figures.SeveralHashes; n > 0 {
		found = append(found, severalHashes(n))
	}
	if q.pseudo > 0 {
		found = append(found, pseudoCounts(q.pseudo))
	}
	if counted := q.records - q.pseudo; counted > 0 {
		switch never := counted - q.executed; {
		case never == counted:
			found = append(found, nothingRan(counted))
		case never > 0:
			found = append(found, neverRan(never, counted))
		}
	}
	return found
}

// repetitions sorts refs and counts its distinct values, those among them that
// stand there more than once, and how often they do.
func repetitions(refs []uint64) (values, repeated, times int) {
	sortUint64(refs)
	for i := 0; i < len(refs); {
		start := i
		for i < len(refs) && refs[i] == refs[start] {
			i++
		}
		values++
		if i-start > 1 {
			repeated++
			times += i - start
		}
	}
	return values, repeated, times
}

func severalHashes(n uint64) model.Finding {
	return model.Finding{
		Severity: model.Warning, Code: CodeSeveralHashes, Count: n,
		Message: model.Amount(n, "function has", "functions have") +
			" records with more than one FuncHash; their counts cannot be applied together",
		Cause: "the profile merges builds with different source or flags, or the name stands for several functions, such " +
			"as inline functions compiled differently",
		Remedy: "merge only profiles of one build; the compiler uses the record whose hash it computes itself and ignores " +
			"the rest",
	}
}

func saturated(n uint64) model.Finding {
	return model.Finding{
		Severity: model.Warning, Code: CodeSaturated, Count: n,
		Message: model.Amount(n, "counter is", "counters are") +
			" at the largest legal value; the true count is unknown",
		Cause:  "merging stops at 2^64-3; counts of that size come from large weights or a damaged profile",
		Remedy: "merge again with smaller weights, or find the input with the large counts",
	}
}

func pseudoCounts(n uint64) model.Finding {
	return model.Finding{
		Severity: model.Note, Code: CodePseudoCounts, Count: n,
		Message: model.Amount(n, "record holds", "records hold") +
			" a pseudo count, hot or warm, in place of counters; no figure includes it",
		Cause: "a sample profile supplemented this one",
	}
}

func neverRan(never, of uint64) model.Finding {
	return model.Finding{
		Severity: model.Note, Code: CodeNeverRan, Count: never,
		Message: fmt.Sprintf("%s (%.1f %%) never ran", model.Amount(never, "function record", "function records"),
			100*float64(never)/float64(of)),
	}
}

// noCounters is the finding about a profile without records.
var noCounters = model.Finding{
	Severity: model.Warning, Code: CodeNoCounters, Message: "nothing was recorded: the profile has no counters",
	Cause: "the program ended without writing it: it was killed, or called _exit, which runs no atexit handlers; or its " +
		"sources were compiled without instrumentation; or LLVM_PROFILE_FILE names one file for several programs, and the " +
		"last to end has no counters",
	Remedy: "let it exit normally, call __llvm_profile_write_file, or compile with -fprofile-continuous, which writes " +
		"while it runs; compile the sources, too, with -fprofile-generate or -fprofile-instr-generate; use a file for each " +
		"program, such as LLVM_PROFILE_FILE=%m-%p.profraw",
}

func nothingRan(n uint64) model.Finding {
	return model.Finding{
		Severity: model.Warning, Code: CodeNothingRan, Count: n,
		Message: "every counter is 0: no function ran",
		Cause: "the counters were reset or never written: the profile was dumped too early, or the instrumented code is " +
			"in a library that was not loaded",
		Remedy: "check that the program ends normally or writes its profile explicitly, and collect again",
	}
}
