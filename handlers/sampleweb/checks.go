package sampleweb

import (
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// checks answer whether a profile has enough to be trusted, and say how many are worth a
// look.
func checks(base string, o *sampledb.Overview) (list []sampleview.Check, says string) {
	odd := 0
	add := func(good bool, word, text, url string) {
		tag := page.Tag{Text: word, Tone: page.Caution}
		if good {
			tag = page.Tag{Text: "● " + word, Tone: page.Good}
		} else {
			odd++
		}
		list = append(list, sampleview.Check{Tag: tag, Says: text, URL: url})
	}
	q, places := &o.Quality, &o.Places
	share := func(n, of int) string { return humanize.PartPercent(n, of, 1) }
	if places.All > 0 {
		thin := places.Thin()
		text := humanize.Say("{} of {place} have no sample", share(places.Zero, places.All), places.All)
		if rest := places.All - places.Zero; rest > 0 {
			text += "; " + share(places.One, rest) + " of the others have one"
		}
		add(!thin, map[bool]string{true: "thin", false: "samples"}[thin], text+".", "")
	}
	switch {
	case o.Symbols < 0:
		add(false, "no list", "No symbol list: cold cannot be told from unseen.", base+"/symbols")
	case q.Unlisted > 0:
		add(false, "list", humanize.Say("{function has|functions have} samples and no place in the list of {symbol}.",
			q.Unlisted, o.Symbols),
			base+"/functions?among=sampled&unlisted=1")
	default:
		add(true, "list", humanize.Say("{} of {listed symbol} have no sample: cold.", q.Never,
			o.Symbols), base+"/symbols?never=1")
	}
	switch {
	case q.Heads == 0:
		add(false, "no heads", "No head samples: it is not known how often functions were entered.", "")
	case q.Flat():
		add(false, "heads", humanize.Say("Flat: {} of {function} have the same number of head samples.", q.EqualHeads,
			q.HeadFunctions), "")
	default:
		add(true, "heads", humanize.Plural(q.Heads, "head sample")+", not flat.", "")
	}
	switch missing := q.Hashed - q.Named; {
	case missing > 0:
		add(false, "MD5", humanize.Say("{} of {name} are known by their hash alone. Add the program or a list of its "+
			"symbols.", missing, o.Functions),
			base+"/functions?among=sampled&unnamed=1")
	case q.Hashed > 0:
		add(true, "names", humanize.Plural(q.Hashed, "name")+" by MD5, all given back.", "")
	default:
		add(true, "names", "All in full; none by MD5.", "")
	}
	if q.Empty > 0 {
		add(false, "unplaced", humanize.Say("{function has|functions have} samples and no place for them: {%} of all.",
			q.Empty, humanize.Part(q.EmptyTotal, o.Summary.Total)), "")
	}
	if places.Targets == 0 && o.Functions > 1 {
		add(false, "no calls", "No calls were sampled: indirect calls cannot be promoted.", "")
	}
	if p := &o.Program; p.Defined > 0 {
		add(true, "coverage", humanize.Say("{} of {function} in the program have samples, {}.", p.DefinedSampled, p.Defined,
			share(p.DefinedSampled, p.Defined)), base+"/symbols?never=1")
	}
	says = humanize.Plural(len(list), "check")
	if odd > 0 {
		says += ", " + humanize.Int(odd) + " to look at"
	}
	return list, says
}
