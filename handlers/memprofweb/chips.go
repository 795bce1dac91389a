package memprofweb

import (
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/views/page"
)

// filterChips are the filters of contexts in force, each with the address without
// it, and the address without all of them.
// The list of library frames that the browser keeps is none.
func filterChips(a site.Address, f *memprofdb.Filter, kept string) (chips []page.Chip, clear string) {
	a = a.FirstPage("sel")
	add := func(text string, keys ...string) {
		chips = append(chips, page.Chip{Text: humanize.Printable(text), Remove: a.Without(keys...).String()})
	}
	for _, c := range []struct{ key, says, value string }{
		{"q", "has ", f.Text}, {"re", "matches ", f.Regexp}, {"focus", "only stacks with ", f.Focus},
		{"ignore", "no stacks with ", f.Ignore}, {"path", "file ", strings.TrimSuffix(f.Path, ";")},
	} {
		if c.value != "" && a.Query.Has(c.key) {
			add(c.says+c.value, c.key)
		}
	}
	for _, c := range []struct {
		key, says string
		id        *uint64
	}{
		{"owner", "allocated by ", f.Owner}, {"function", "through ", f.Function}, {"site", "site ", f.Site},
		{"blame", "blamed on ", f.Blame},
	} {
		if c.id != nil {
			add(c.says+site.FID(*c.id), c.key)
		}
	}
	if f.Type != nil {
		add("type "+a.Query.Get("type"), "type")
	}
	if text := a.Query.Get("library"); text != "" && text != kept {
		add("own library list", "library")
	}
	if len(f.Classes) > 0 {
		words := make([]string, len(f.Classes))
		for i, class := range f.Classes {
			words[i] = string(class)
		}
		add("class "+strings.Join(words, " or "), "class")
	}
	if f.Mixed != nil {
		add(map[bool]string{true: "needs cloning", false: "needs no cloning"}[*f.Mixed], "mixed")
	}
	if f.Truncated != nil {
		add(map[bool]string{true: "stack cut off at the root", false: "whole stack"}[*f.Truncated], "truncated")
	}
	if f.Changed != nil {
		add(map[bool]string{
			true: "of another class than by default", false: "of the same class as by default",
		}[*f.Changed], "changed")
	}
	for _, r := range f.Ranges {
		key := string(r.Column)
		add(site.ChipText(key, a.Query.Get(key)), key)
	}
	if t := f.Thresholds; t != analyze.DefaultMemProfThresholds && t != (analyze.MemProfThresholds{}) {
		add("own thresholds", thresholdKeys...)
	}
	return chips, a.Without(slices.Concat(filterKeys)...).String()
}

func hasDensity(o *memprofdb.Overview) bool {
	return o.Schema.Has(memprof.TotalLifetimeAccessDensity) && o.Schema.Has(memprof.AllocCount)
}

func hasLifetime(o *memprofdb.Overview) bool {
	return o.Schema.Has(memprof.TotalLifetime) && o.Schema.Has(memprof.AllocCount)
}
