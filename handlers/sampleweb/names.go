package sampleweb

import (
	"strconv"

	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/table"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// nameOf writes a function's name.
func nameOf(n table.Named, s site.Symbols) humanize.Name {
	linkage, guid, _ := n.Named()
	return s.Name(linkage, guid)
}

// pageOf is the page of a function.
func pageOf(base string, n table.Named) string {
	_, guid, _ := n.Named()
	return base + "/functions/" + site.FID(guid)
}

// namesOf writes functions for templates.
func namesOf(base string, s site.Symbols) sampleview.Names {
	return sampleview.Names{
		Name: func(n table.Named) humanize.Name { return nameOf(n, s) },
		URL:  func(n table.Named) string { return pageOf(base, n) },
	}
}

// placeWords writes a place in a function: "+9.2", or "12" of a probe.
func placeWords(o *sampledb.Overview, at sampleprof.Loc) string {
	if o.Has(sampleprof.Probes) {
		return at.String()
	}
	offset := int16(at.Offset)
	text := "+" + strconv.Itoa(int(offset))
	if offset < 0 {
		text = "−" + strconv.Itoa(-int(offset))
	}
	if at.Discriminator > 0 {
		text += "." + strconv.FormatUint(uint64(at.Discriminator), 10)
	}
	return text
}

// fitTag says how a function stands in the programs; nil for the same, and where it cannot
// be told.
func fitTag(f sampleprof.Fit) *page.Tag {
	switch f {
	case sampleprof.FitStale:
		return &page.Tag{
			Text: "stale", Tone: page.Caution,
			Title: "its code has another checksum in the program: the compiler drops its samples",
		}
	case sampleprof.FitGone:
		return &page.Tag{Text: "gone", Tone: page.Bad, Title: "the program has no such function"}
	}
	return nil
}

// heatTag marks hot functions, and cold ones.
func heatTag(h sampledb.Heat) *page.Tag {
	switch h {
	case sampledb.Hot:
		return &page.Tag{
			Text: "hot", Tone: page.Bad, Title: "one of its counts is among those that make up 99 % of all samples",
		}
	case sampledb.Cold:
		return &page.Tag{
			Text: "cold", Tone: page.Accented, Title: "none of its counts is among those that make up 99.9999 % of all samples",
		}
	}
	return nil
}

// stretchesOf is a bar of counts by how their functions stand.
func stretchesOf(same, unknown, stale, gone uint64) sampleview.Stretches {
	whole := float64(same) + float64(unknown) + float64(stale) + float64(gone)
	s := sampleview.Stretches{}
	at := 0.0
	for _, p := range []struct {
		class, word string
		n           uint64
	}{
		{"same", "same code", same}, {"unknown", "cannot be told", unknown}, {"stale", "stale", stale},
		{"gone", "gone", gone},
	} {
		if p.n == 0 {
			continue
		}
		part := humanize.Part(float64(p.n), whole)
		s.Parts = append(s.Parts, sampleview.Stretch{X: decimal(1000 * at), Width: decimal(1000 * part), Class: p.class})
		if at += part; s.Says != "" {
			s.Says += ", "
		}
		s.Says += humanize.Percent(part, 1) + " " + p.word
	}
	return s
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
