package site

import (
	"cmp"
	"slices"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// StateTag is a profile's state: a word, and what the first finding says.
func StateTag(e *catalog.Entry) page.Tag {
	switch e.State {
	case catalog.Failed:
		tag := page.Tag{Text: "✕ failed", Tone: page.Bad}
		if e.Finding != nil {
			tag.Title = say.Printable(e.Finding.Message)
			tag.Text = "✕ " + tag.Title
		}
		return tag
	case catalog.Ready:
		if e.Finding != nil && e.Finding.Severity != model.Note {
			text := say.Printable(e.Finding.Message)
			return page.Tag{Text: "⚠ " + text, Title: "ready; " + text, Tone: page.Caution}
		}
		return page.Tag{Text: "ready", Tone: page.Good}
	}
	return page.Tag{Text: string(e.State), Tone: page.Accented}
}

func (s *Site) ProfileRow(e *catalog.Entry, now time.Time) page.ProfileRow {
	format, variant := formatWords(e.Describe)
	if variant != "" {
		format += " · " + variant
	}
	row := page.ProfileRow{
		ID: e.ID, URL: PageOf(e.ID), Name: cmp.Or(say.Printable(e.Name), e.ID), Project: say.Printable(e.Project),
		Format: cmp.Or(say.Printable(format), "–"), Describe: say.Printable(e.Describe), Version: "–", Functions: say.Number{Text: "–"}, Total: say.Number{Text: "–"},
		Size: say.Bytes(uint64(max(e.Size, 0))), Spark: chart.NewSpark(e.Spark, s.FirstFamily(e).Shape),
		Digest: ShortDigest(e.Digest), DigestFull: e.Digest, Added: say.Ago(e.Created, now), State: StateTag(e),
	}
	for _, key := range SortedKeys(e.Labels) {
		text := say.Printable(key + "=" + e.Labels[key])
		row.Labels = append(row.Labels, page.Tag{Text: text, Title: text, Tone: page.Neutral})
	}
	if e.Version > 0 {
		row.Version = say.Int(e.Version)
	}
	if e.State == catalog.Ready {
		row.Functions, row.Total = s.FirstFamily(e).Figures(e)
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
