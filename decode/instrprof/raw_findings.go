package instrprof

import (
	"fmt"

	"proflens/decode/model"
)

// Uncorrelated is what is wrong with a correlated profile without its executable.
const Uncorrelated = "the profile has counters, but no data records or names to assign them to"

// Findings implements [Source].
func (r *Raw) Findings() []model.Finding {
	if r.findings == nil {
		return r.collectFindings(oddRecords{})
	}
	return r.findings
}

// oddRecords counts the records with something to know about.
type oddRecords struct {
	large   uint64 // with an implausible count
	unnamed uint64 // whose NameRef no name has
	untimed uint64 // of a temporal profile, without room for a timestamp
}

// collectFindings says what to know of the file beyond its records.
func (r *Raw) collectFindings(odd oddRecords) []model.Finding {
	var correlated, counters, without, last, truncated uint64
	for _, p := range r.parts {
		if p.correlated() {
			correlated++
			counters += p.word[numCounters]
		}
		if p.valuesMissing {
			without++
		}
		if p.addressing == narrow {
			truncated++
		}
		if p.word[valueKindLast] > maxValueKind {
			last = p.word[valueKindLast]
		}
	}
	out := append([]model.Finding{}, r.partialFinding()...)
	if correlated > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.missing_correlation_info", Kind: model.KindMissingCorrelation, Section: "header",
			Expected: "data records and names", Found: model.Amount(counters, "counter", "counters") + " and no records",
			Count:   correlated,
			Message: Uncorrelated,
			Cause: "the program was built with -profile-correlate, which leaves records and names in the executable or its " +
				"debug info",
			Remedy: "add the executable as it was linked: not stripped and, for debug-info correlation, with its debug info",
		})
	}
	out = append(out, r.correlationFindings()...)
	out = append(out, r.wrappedCounts()...)
	if odd.untimed > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.no_timestamps", Section: "counters", Count: odd.untimed,
			Expected: "eight bytes of timestamp before the coverage of each function", Found: "one byte a function",
			Message: "the profile is marked temporal but has only function-entry coverage: the order of first runs was not " +
				"recorded",
			Cause: "clang writes no timestamps with -pgo-function-entry-coverage; llvm-profdata reads eight neighbouring " +
				"bytes as one, and prints a trace with functions that never ran",
			Remedy: "build with -pgo-temporal-instrumentation alone, or with -pgo-block-coverage, for the order",
		})
	}
	if without > 0 {
		out = append(out, model.Finding{
			Severity: model.Note, Code: "raw.no_value_data", Section: "value data", Count: without,
			Message: "functions have value sites, but the file ends before the value data",
			Cause:   "continuous mode (%c) writes no value data; a file cut exactly here looks the same",
			Remedy:  "without %c in LLVM_PROFILE_FILE the program writes value data at its exit",
		})
	}
	if odd.unnamed > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.unnamed_function", Section: "names", Count: odd.unnamed,
			Message: "functions have no name in the file; the text form cannot hold them, so the profile is empty as text",
			Cause:   "the names section was left out or stripped, or the file is damaged",
			Remedy:  "record the profile again with the program as it was linked",
		})
	}
	if truncated > 0 {
		out = append(out, model.Finding{
			Severity: model.Note, Code: "raw.narrow_pointers", Section: "data", Field: "CounterPtr", Count: truncated,
			Message: "counters are found only with their pointers cut to 32 bits",
			Cause:   "a 64-bit Windows program stores them so; elsewhere a pointer is damaged",
		})
	}
	if odd.large > 0 {
		out = append(out, r.largeFinding(odd.large))
	}
	if last > 0 {
		out = append(out, model.Finding{
			Severity: model.Note, Code: "raw.value_kind_last", Section: "header", Field: "ValueKindLast",
			Expected: fmt.Sprintf("at most %d", maxValueKind), Found: fmt.Sprint(last),
			Message: "the header declares more value kinds than exist; the number is ignored",
		})
	}
	return out
}

// largeFinding says which is the first counter of a few records that is implausible.
func (r *Raw) largeFinding(records uint64) model.Finding {
	f := model.Finding{
		Severity: model.Warning, Code: "raw.counter_value_too_large", Section: "counters", Count: records,
		Expected: "at most 2^56",
		Message:  "functions have a counter above 2^56",
		Cause:    "no program counts this high: the file is damaged, or the counters were overwritten at run time",
		Remedy:   "record the profile again; do not trust these functions' counters",
	}
	for _, p := range r.parts {
		for i := range p.numRecords() {
			record := p.record(i)
			whole, _ := p.counterBytes(i, record)
			_, counts := p.timestamp(whole)
			if p.counterSize() != 8 {
				continue
			}
			for n, count := range appendWords(nil, counts, p.bigEndian) {
				if !Implausible(count) {
					continue
				}
				ref := p.nameRef(i, record)
				name := string(p.table.name(ref))
				if name == "" {
					name = fmt.Sprintf("a function without a name (NameRef 0x%x)", ref)
				}
				at := p.offset(i, p.field(record, counterPtrField), p.word[countersDelta])
				f.Section, f.Field, f.Found = p.section("counters"), fmt.Sprintf("counter %d", n), fmt.Sprint(count)
				f.Offset = p.counters.at + uint64(at) + uint64(len(whole)-len(counts)) + 8*uint64(n)
				f.Message = fmt.Sprintf("counter %d of %s is %d, above 2^56", n, name, count)
				if records > 1 {
					f.Message = fmt.Sprintf("%d functions have a counter above 2^56; the first is counter %d of %s, %d", records, n,
						name, count)
				}
				return f
			}
		}
	}
	return f
}

// correlationFindings says what executables could not give.
func (r *Raw) correlationFindings() []model.Finding {
	var outside, incomplete, bitmap uint64
	section := countersSection
	for _, p := range r.parts {
		if p.correlation != nil {
			outside += p.correlation.outside
			section = p.correlation.counters
			incomplete += p.correlation.incomplete
			if p.correlation.bitmapless {
				bitmap += p.word[numBitmapBytes]
			}
		}
	}
	var out []model.Finding
	if outside > 0 {
		out = append(out, model.Finding{
			Severity: model.Note, Code: "raw.correlation_outside", Section: section, Count: outside,
			Message: "functions described in the executable have no counters in it, and are left out",
			Cause:   "the linker dropped them, or kept another copy of the same function",
		})
	}
	if incomplete > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.correlation_incomplete", Section: ".debug_info", Count: incomplete,
			Message: "functions are left out: the debug info lacks their name, hash or number of counters",
			Cause:   "a tool rewrote the debug info, or its strings are in another file",
			Remedy:  "give the executable as it was linked",
		})
	}
	if bitmap > 0 {
		out = append(out, model.Finding{
			Severity: model.Warning, Code: "raw.correlation_bitmap", Section: "bitmap", Field: "NumBitmapBytes",
			Found:   fmt.Sprint(bitmap),
			Message: "the profile has MC/DC bitmaps, and the debug info does not say whose they are",
			Remedy:  "build with -profile-correlate=binary, or without correlation",
		})
	}
	return out
}

// wrappedCounts warns of header fields that are not what the program wrote.
func (r *Raw) wrappedCounts() []model.Finding {
	var out []model.Finding
	for _, p := range r.parts {
		for _, f := range p.wrapped {
			out = append(out, model.Finding{
				Severity: model.Warning, Code: "raw.impossible_count", Section: p.section("header"), Field: headerFields[f].name,
				Message: fmt.Sprintf("%s counts more than 2^64 bytes; its high bits are left out, as llvm-profdata does, and %d "+
					"remain", headerFields[f].name, p.word[f]),
				Cause:  "the file was damaged after it was written",
				Remedy: "copy the file again, or record the profile again",
			})
		}
	}
	return out
}
