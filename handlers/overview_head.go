package handlers

import (
	"net/http"

	"proflens/catalog"
	"proflens/views/page"
)

// How much of each list the first page of a profile shows.
const (
	overviewIDs    = 4
	overviewLines  = 8
	overviewInputs = 12
)

// beginOverview is how the first page of a profile of any family begins. done
// says that the answer is written.
func (s *Site) beginOverview(w http.ResponseWriter, r *http.Request) (done bool, err error) {
	if r.URL.Query().Has("format") {
		return true, redirectToAPI(w, r)
	}
	if _, err := newValues(r.URL.Query(), nil); err != nil {
		return true, err
	}
	if wantsPlain(r) {
		return true, s.profileText(w, r)
	}
	if s.notModifiedPage(w, r) {
		return true, nil
	}
	if s.profile(r).Storing() {
		unsettled(w)
	}
	return false, nil
}

// overviewHead is what the first pages of all families have: findings, and what
// the profile is made of.
func (s *Site) overviewHead(r *http.Request) page.Overview {
	o, base := s.profile(r).Overview, pageOf(s.entry(r).ID)
	v := page.Overview{
		Describe: o.Info.Describe, Storing: o.Storing, File: fileCard(o), Merged: mergedModel(s.entry(r).Merged),
		FindingCount: page.Int(len(o.Findings)), FindingsURL: base + "/diagnostics", RawURL: base + "/raw", IDsURL: base + "/binary-ids",
	}
	for _, f := range worstFirst(o.Findings)[:min(len(o.Findings), overviewLines)] {
		v.Findings = append(v.Findings, findingLine(f))
	}
	if more := len(o.Findings) - len(v.Findings); more > 0 {
		v.MoreFindings = page.Int(more) + " more"
	}
	return v
}

// mergedModel says what a profile was merged from; nil for an upload.
func mergedModel(m *catalog.Merged) *page.Merged {
	if m == nil {
		return nil
	}
	list := &page.Merged{}
	for _, in := range m.Inputs {
		input := page.MergedInput{Name: page.Printable(in.Name), Describe: in.Describe, Weight: page.Int(in.Weight), Digest: shortDigest(in.Digest)}
		if in.ID != "" {
			input.URL = pageOf(in.ID)
		}
		if len(in.Partial) > 0 {
			input.Partial = "partial: " + in.Partial[0].Count(func(n uint64) string { return page.Int(n) }, "–")
		}
		list.Inputs = append(list.Inputs, input)
	}
	for _, f := range m.Findings {
		list.Findings = append(list.Findings, findingLine(f))
	}
	return list
}
