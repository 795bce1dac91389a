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
	mismatched := t.of(Mismatched, nil)
	switch {
	case t.joined == 0 && t.records > 0 && len(t.functions)+len(mismatched) > 0:
		find(model.Warning, "wrong_program",
			fmt.Sprintf("no record of the profile, which has %d, fits the program, which has %s: ",
				t.records, model.Amount(len(t.functions)+len(mismatched), "function", "functions"))+
				"no count is of this program",
			"the program is another one, or was rebuilt since the profile was recorded", "give the program that ran",
			len(t.functions)+len(mismatched))
	case len(mismatched) > 0:
		find(model.Warning, "mismatched",
			fmt.Sprintf("%s of another build than the one that ran, and in no total: %s",
				model.Amount(len(mismatched), "function is", "functions are"), some(mismatched)),
			"the program was rebuilt after the profile was recorded, or profiles of several builds were merged",
			"give the program that ran, or record again", len(mismatched))
	}
	if short := t.of(Short, nil); len(short) > 0 {
		find(model.Warning, "short", fmt.Sprintf("%s fewer counters than the mapping speaks of, and in no total: %s",
			model.Amount(len(short), "function has", "functions have"), some(short)),
			"the record is damaged, or of a compiler that counts otherwise", "record again with the program that was given",
			len(short))
	}
	if without := t.of(Bitmapless, nil); len(without) > 0 {
		find(model.Warning, "no_bitmap",
			fmt.Sprintf("MC/DC cannot be told of %s that the profile has no bitmaps of, and which are in no total: %s",
				model.Amount(len(without), "function", "functions"), some(without)),
			"debug info took the place of records, which does not say where bitmaps are, or a tool left them out of the profile",
			"build with -profile-correlate=binary or without correlation, and record again", len(without))
	}
	if len(t.other) > 0 {
		find(model.Warning, "other_lines",
			fmt.Sprintf("%s other lines in another of the programs, and the counts of all are on those of the first: %s",
				model.Amount(len(t.other), "function has", "functions have"), some(t.other)),
			"the programs were compiled with other macros, or from other sources", "open each program with its own profiles",
			len(t.other))
	}
	ran := func(m *Misfit) bool { return m.Ran }
	if lost := t.of(Lost, ran); len(lost) > 0 {
		find(model.Warning, "lost", fmt.Sprintf("%s no lines: the mapping has another function of the same name: %s",
			model.Amount(len(lost), "function ran and has", "functions ran and have"), some(lost)),
			"the profile is of several programs or builds, or the linker kept one of several static functions of equal "+
				"names, in files of equal names",
			"give each program with its own profiles; of one program, rename one of the files or functions, or give its "+
				"object files", len(lost))
	}
	if lost := t.of(Lost, func(m *Misfit) bool { return !m.Ran }); len(lost) > 0 {
		find(model.Note, "lost_idle", fmt.Sprintf("%s no lines: the mapping has another function of the same name: %s",
			model.Amount(len(lost), "function that never ran has", "functions that never ran have"), some(lost)),
			"", "", len(lost))
	}
	if hidden := t.of(Hidden, ran); len(hidden) > 0 {
		find(model.Note, "hidden", fmt.Sprintf("llvm-cov shows zeros for %s here: %s",
			model.Amount(len(hidden), "function that ran and is counted", "functions that ran and are counted"),
			some(hidden)),
			"an object that comes earlier saw the function and did not emit it", "", len(hidden))
	}
	if dummies := t.of(DummyRecord, nil); len(dummies) > 0 {
		find(model.Note, "dummies",
			fmt.Sprintf("llvm-cov calls %s mismatched that a unit saw and did not emit; nothing is missing",
				model.Amount(len(dummies), "record", "records")), "", "", len(dummies))
	}
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
