package site

import (
	"cmp"
	"slices"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/projectpath"
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// stateTag is a profile's state in one word; what the worst finding says is its title.
func stateTag(e *catalog.Entry) page.Tag {
	tag := page.Tag{Text: string(e.State), Tone: page.Accented}
	if e.Finding != nil {
		tag.Title = humanize.Printable(e.Finding.Message)
	}
	switch {
	case e.State == catalog.Received:
		tag.Text = "waiting"
	case e.State == catalog.Failed && !e.Pending:
		tag.Tone = page.Bad
	case e.State != catalog.Ready:
	case len(e.Partial()) > 0:
		tag.Text, tag.Tone = "partial", page.Caution
	case e.Finding != nil && e.Finding.Severity != model.Note:
		tag.Text, tag.Tone = "warnings", page.Caution
	default:
		tag = page.Tag{Text: "ready", Tone: page.Good}
	}
	return tag
}

func (s *Site) ProfileRow(e *catalog.Entry, now time.Time) page.ProfileRow {
	format, variant := formatWords(e.Describe)
	if variant != "" {
		format += " · " + variant
	}
	if list := s.leading(e); len(list) > 0 && list[0].Leads {
		format = list[0].Measures + " · " + format
	}
	row := page.ProfileRow{
		ID: e.ID, URL: PageOf(e.ID), Name: cmp.Or(humanize.Printable(e.Name), e.ID), Project: humanize.Printable(e.Project),
		Format: cmp.Or(humanize.Printable(format), "–"), Describe: humanize.Printable(e.Describe), Version: "–",
		Functions: humanize.Number{Text: "–"}, Total: humanize.Number{Text: "–"},
		Size: humanize.Bytes(uint64(max(e.Size, 0))), Spark: chart.NewSpark(e.Spark, s.FirstFamily(e).Shape),
		Digest: ShortDigest(e.Digest), DigestFull: e.Digest, Added: humanize.Ago(e.Created, now), State: stateTag(e),
	}
	if e.Project != "" && e.Visibility == catalog.Listed && s.Builds != nil {
		row.ProjectURL = projectpath.Of(e.Project)
	}
	for _, key := range SortedKeys(e.Labels) {
		text := humanize.Printable(key + "=" + e.Labels[key])
		row.Labels = append(row.Labels, page.Tag{Text: text, Title: text, Tone: page.Neutral})
	}
	if e.Version > 0 {
		row.Version = humanize.Int(e.Version)
	}
	if e.State == catalog.Ready {
		row.Functions, row.Total = s.Sizes(e)
	}
	return row
}

func SortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
