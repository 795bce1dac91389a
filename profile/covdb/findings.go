package covdb

import (
	"fmt"
	"strings"

	"proflens/decode/model"
	"proflens/names"
)

// Findings implements [stored.Prepared].
func (t *tables) Findings() []model.Finding {
	var list []model.Finding
	find := func(severity model.Severity, code, message, cause, remedy string, n int) {
		list = append(list, model.Finding{
			Severity: severity, Code: "coverage." + code, Kind: model.KindIncompatible, Count: uint64(n), Message: message,
			Cause: cause, Remedy: remedy,
		})
	}
	// report is find of some misfits, of which a message says how many and which.
	report := func(severity model.Severity, code string, misfits []*Misfit, one, several, message, cause, remedy string) {
		if n := len(misfits); n > 0 {
			find(severity, code, fmt.Sprintf(message, model.Amount(n, one, several), some(misfits)), cause, remedy, n)
		}
	}
	mismatched := t.of(Mismatched, nil)
	switch {
	case t.joined == 0 && t.records > 0 && len(t.functions)+len(mismatched) > 0:
		find(model.Warning, "wrong_program",
			fmt.Sprintf("no record of the profile, which has %d, fits the program, which has %s: ",
				t.records, model.Amount(len(t.functions)+len(mismatched), "function", "functions"))+
				"no count is of this program",
			"the program is another one, or was rebuilt since the profile was recorded", "give the program that ran",
			len(t.functions)+len(mismatched))
	default:
		report(model.Warning, "mismatched", mismatched, "function is", "functions are",
			"%s of another build than the one that ran, and in no total: %s",
			"the program was rebuilt after the profile was recorded, or profiles of several builds were merged",
			"give the program that ran, or record again")
	}
	report(model.Warning, "short", t.of(Short, nil), "function has", "functions have",
		"%s fewer counters than the mapping speaks of, and in no total: %s",
		"the record is damaged, or of a compiler that counts otherwise", "record again with the program that was given")
	report(model.Warning, "no_bitmap", t.of(Bitmapless, nil), "function", "functions",
		"MC/DC cannot be told of %s that the profile has no bitmaps of, and which are in no total: %s",
		"debug info took the place of records, which does not say where bitmaps are, or a tool left them out of the profile",
		"build with -profile-correlate=binary or without correlation, and record again")
	report(model.Warning, "other_lines", t.other, "function has", "functions have",
		"%s other lines in another of the programs, and the counts of all are on those of the first: %s",
		"the programs were compiled with other macros, or from other sources", "open each program with its own profiles")
	ran := func(m *Misfit) bool { return m.Ran }
	const noLines = "%s no lines: the mapping has another function of the same name: %s"
	report(model.Warning, "lost", t.of(Lost, ran), "function ran and has", "functions ran and have", noLines,
		"the profile is of several programs or builds, or the linker kept one of several static functions of equal "+
			"names, in files of equal names",
		"give each program with its own profiles; of one program, rename one of the files or functions, or give its "+
			"object files")
	report(model.Note, "lost_idle", t.of(Lost, func(m *Misfit) bool { return !m.Ran }),
		"function that never ran has", "functions that never ran have", noLines, "", "")
	report(model.Note, "hidden", t.of(Hidden, ran),
		"function that ran and is counted", "functions that ran and are counted",
		"llvm-cov shows zeros for %s here: %s", "an object that comes earlier saw the function and did not emit it", "")
	report(model.Note, "dummies", t.of(DummyRecord, nil), "record", "records",
		"llvm-cov calls %[1]s mismatched that a unit saw and did not emit; nothing is missing", "", "")
	if t.foreign > 0 && t.joined > 0 {
		find(model.Note, "unmapped", fmt.Sprintf("%s of functions that no given program has",
			model.Amount(t.foreign, "record is", "records are")),
			"the profile is of several programs and libraries, or was merged of several", "give the others too", t.foreign)
	}
	return list
}

// of are the misfits of a kind that suit.
func (t *tables) of(kind MisfitKind, suits func(*Misfit) bool) []*Misfit {
	var list []*Misfit
	for i := range t.misfits {
		if m := &t.misfits[i]; m.Kind == kind && (suits == nil || suits(m)) {
			list = append(list, m)
		}
	}
	return list
}

// some names the first.
func some(list []*Misfit) string {
	const most = 3
	var called []string
	for _, m := range list[:min(most, len(list))] {
		called = append(called, cutName(m.Name.PGO))
	}
	text := strings.Join(called, ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func cutName(linkage string) string {
	const most = 120
	name := names.Demangle(linkage, names.Full)
	if len(name) > most {
		return strings.ToValidUTF8(name[:most], "") + "…"
	}
	return name
}
