package instrweb

import (
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/page"
)

// qualityCard is what to know before trusting a profile, for a reader of the overview at base ("/p/{id}").
func qualityCard(base string, p *instrdb.Profile) page.Quality {
	o := p.Overview
	f := &o.Quality
	rows := func(q instrdb.Quality) string { return base + "/functions?quality=" + string(q) }
	odd := func(id, label string, n uint64, note, means, url string, how page.How) page.QualityItem {
		i := page.QualityItem{
			ID: id, Label: label, Value: humanize.Whole(n), Note: note, Means: means, Odd: n > 0, How: how,
		}
		if n > 0 {
			i.URL, i.Link = url, "Show them"
		}
		return i
	}
	absent := func(i page.QualityItem, means string) page.QualityItem {
		i.Value, i.Note, i.Means, i.URL, i.Odd = humanize.Number{Text: "–"}, "", means, "", false
		return i
	}
	saturated := odd("saturated", "Saturated counters", f.SaturatedCounters, "",
		"At the maximum, where merging stops: the true count is unknown.", rows(instrdb.QualitySaturated), page.HowSaturated)
	if f.Saturated > 0 {
		saturated.Note = "in " + humanize.Plural(f.Saturated, "function")
	}
	ones := odd("all-ones", "Every counter is 1", f.AllOnes, functionsNote(f.AllOnes),
		"Each has several counters and all are 1, so they may show only that code ran, not how often.",
		rows(instrdb.QualityAllOnes), page.HowAllOnes)
	if !looksFor(o, instrdb.QualityAllOnes) {
		ones = absent(ones, "Byte coverage: every counter of code that ran is 1, so this check does not apply.")
	}
	entry := odd("entry-zero", "Entry 0 but body ran", f.EntryZero, functionsNote(f.EntryZero),
		"Code ran in functions with an entry count of 0: counters were reset or written while they ran, or threads raced.",
		rows(instrdb.QualityEntryZero), page.HowEntryZero)
	if !looksFor(o, instrdb.QualityEntryZero) {
		entry = absent(entry, "Counter 0 is not an entry count in this profile.")
	}
	hashes := odd("hashes", "Names with several hashes", f.SeveralHashes, "",
		"The compiler uses the record whose hash matches its own and ignores the others.", rows(instrdb.QualityHashes),
		page.HowHashes)
	if f.SeveralHashes > 0 {
		hashes.Note = humanize.Say("{name} with {} records", f.SeveralHashes, f.HashRecords)
		hashes.Value = humanize.Whole(f.SeveralHashes)
	}
	names := odd("no-name", "Missing names", f.NoName, functionsNote(f.NoName),
		"The file has only the MD5 of their names; the executable may have the names.", rows(instrdb.QualityNoName),
		page.HowMissingNames)
	return qualityOf(p.Storing(), []page.QualityItem{
		saturated, ones, entry, hashes, names, siteItem(base, o, "full", f.FullSites),
		siteItem(base, o, "short", f.ShortSites), neverItem(base, o), carryItem(base, o),
	})
}

// qualityOf sums the items up.
func qualityOf(storing bool, items []page.QualityItem) page.Quality {
	odd, folded := 0, 0
	for n := range items {
		i := &items[n]
		if i.Odd {
			odd++
		}
		if i.Folded = !i.Odd && i.URL == ""; i.Folded {
			folded++
		}
	}
	q := page.Quality{Items: items, Says: "nothing unusual"}
	if odd > 0 {
		q.Says = humanize.Plural(odd, "point to check", "points to check")
	}
	if folded > 0 {
		q.Folded = humanize.Say("{check found|checks found} nothing", folded)
	}
	if storing {
		q.Says = "of the whole profile"
	}
	return q
}

func functionsNote(n uint64) string {
	if n == 0 {
		return ""
	}
	if n == 1 {
		return "function"
	}
	return "functions"
}

// siteItem is for value sites that are full or short.
func siteItem(base string, o *instrdb.Overview, quality string,
	sites [instrprof.NumValueKinds]uint64) page.QualityItem {
	all, most := sites[0]+sites[1]+sites[2], slices.Max(sites[:])
	i := page.QualityItem{
		ID: quality + "-sites", Label: "Truncated value sites", Value: humanize.Whole(all), Odd: all > 0,
		How: page.HowTruncatedSites,
		Means: "They have " + humanize.Int(analyze.SiteLimit(&o.Info)) +
			" values or more, the most that one run keeps per site; others may be missing.",
	}
	if quality == "short" {
		i.Label = "Incomplete value sites"
		i.Means = "Their counts add up to less than their function's only counter: some calls were not recorded."
	}
	if total := o.Sites[0] + o.Sites[1] + o.Sites[2]; total == 0 {
		i.Means = "The profile has no value sites."
	} else if all > 0 {
		i.Note = "of " + humanize.Int(total)
		i.Link = "Show them"
		i.URL = base + "/values?kind=" + valueKindWords[slices.Index(sites[:], most)] + "&quality=" + quality
	}
	return i
}

func neverItem(base string, o *instrdb.Overview) page.QualityItem {
	i := page.QualityItem{
		ID: "never", Label: "Never executed",
		Value: humanize.Number{Text: humanize.PartPercent(o.NeverRan, o.Functions, 1)},
		Means: "Functions whose counters are all 0; the compiler treats them as cold.", How: page.HowNeverRun,
	}
	if o.NeverRan > 0 {
		i.Note = humanize.Say("{} of {}", o.NeverRan, o.Functions)
		i.URL, i.Link = base+"/functions?class=never", "Show them"
	}
	return i
}

func carryItem(base string, o *instrdb.Overview) page.QualityItem {
	i := page.QualityItem{
		ID: "carry-99", Label: "Counters that carry 99 %", Value: humanize.Whole(o.Thresholds.NumHot),
		Means: "The largest counters, which together hold 99 % of the total. LLVM calls more than 12 500 a large working " +
			"set.", How: page.HowCarry99,
	}
	if o.Thresholds.NumHot > 0 {
		i.Note = humanize.PartPercent(o.Thresholds.NumHot, o.Counters, 2) + " of all"
		i.URL, i.Link = base+"/functions?class=hot", "Show their functions"
	}
	return i
}
