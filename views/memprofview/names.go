package memprofview

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// Names writes what rows hold as a request asks for it.
type Names interface {
	// Function is a function's name, or what stands for it; Short is that without types.
	Function(f *memprofdb.Function) humanize.Name
	Short(f *memprofdb.Function) string
	// LineURL is the page of a source file at a line; empty where either is not known.
	LineURL(file string, line uint32) string
}

// Place is where a frame is in its source, or as much of it as is known.
func Place(f *memprofdb.Frame) string {
	var text string
	switch {
	case f.File != "" && f.Line > 0:
		text = f.File + ":" + strconv.FormatUint(uint64(f.Line), 10)
	case f.File != "":
		text = f.File + " +" + strconv.FormatUint(uint64(f.LineOffset), 10)
	case f.GUID != 0 || f.Name != "":
		text = "line +" + strconv.FormatUint(uint64(f.LineOffset), 10)
	}
	if text != "" && f.Column > 0 {
		text += ":" + strconv.FormatUint(uint64(f.Column), 10)
	}
	return humanize.Printable(text)
}

// lastPart is a path, perhaps with a line, without its folders.
func lastPart(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }

// Figure is a column of a context; a dash where it is not known.
func Figure(c query.Column, row *memprofdb.Row) humanize.Number {
	v, known := row.Value(c)
	_, real := memprofdb.Needs(c)
	switch unit := memprofdb.Allocations.Field(string(c)).Unit; {
	case !known:
		return humanize.Number{Text: "–", Exact: "not known"}
	case unit == table.Bytes:
		return humanize.Bytes(uint64(math.Round(v)))
	case unit == table.Milliseconds:
		return humanize.Milliseconds(v)
	case real:
		return humanize.Rate(v)
	}
	return humanize.BigCount(strconv.FormatFloat(v, 'f', 0, 64))
}

// Allocator is the function that a context is of.
func Allocator(row *memprofdb.Row, n Names) humanize.Name {
	if len(row.Stack) == 0 {
		return humanize.Name{Base: "no frames", Full: "a stack without frames", Missing: true}
	}
	return n.Function(row.Stack[row.Own].Function)
}

// stackTitle is the first frames of a stack, a line each.
func stackTitle(row *memprofdb.Row, n Names) string {
	const shown = 12
	var lines []string
	for i := range row.Stack[:min(len(row.Stack), shown)] {
		lines = append(lines, n.Function(row.Stack[i].Function).Whole())
	}
	if row.Depth > shown {
		lines = append(lines, "… "+humanize.Int(row.Depth-shown)+" more")
	}
	return strings.Join(lines, "\n")
}

// ClassTag shows a class as a word on its colour.
func ClassTag(class analyze.MemProfClass) page.Tag {
	t := page.Tag{Text: string(class), Tone: page.Neutral}
	switch class {
	case analyze.MemProfCold:
		t.Tone, t.Title = "cold", "rarely accessed and long-lived"
	case analyze.MemProfHot:
		t.Tone = "hot"
		t.Title = "needs hot hints: without -memprof-use-hot-hints the compiler treats it as not cold"
	case analyze.MemProfUnknown:
		t.Title = "the context lacks the fields that decide the class"
	default:
		t.Title = "neither cold nor hot"
	}
	return t
}

// ClassTags say how the compiler takes contexts: the class of the most bytes, and
// the shares of others.
func ClassTags(t *memprofdb.SiteTotals) []page.Tag {
	most := 0
	for i := range t.Classes {
		if t.Classes[i].Bytes.Compare(t.Classes[most].Bytes) > 0 || t.Classes[most].Contexts == 0 {
			most = i
		}
	}
	tags := []page.Tag{ClassTag(analyze.MemProfClasses[most])}
	for i, class := range analyze.MemProfClasses {
		if i == most || t.Classes[i].Contexts == 0 || class == analyze.MemProfUnknown {
			continue
		}
		other := ClassTag(class)
		other.Text = humanize.Percent(t.Classes[i].Bytes.Float64()/t.Bytes.Float64(), 0) + " " + other.Text
		tags = append(tags, other)
	}
	return tags
}

// Mixed says how many of some sites need cloning; empty for none.
func Mixed(t *memprofdb.SiteTotals) string {
	switch {
	case t.Mixed == 1 && t.Sites == 1:
		return "needs cloning"
	case t.Mixed > 0:
		return humanize.Plural(t.Mixed, "needs cloning", "need cloning")
	}
	return ""
}

// ClassBytes are the bytes of a class; empty where no context is of it.
func ClassBytes(t *memprofdb.SiteTotals, class analyze.MemProfClass) humanize.Number {
	of := t.Classes[slices.Index(analyze.MemProfClasses[:], class)]
	if of.Contexts == 0 {
		return humanize.Number{}
	}
	return humanize.SumBytes(of.Bytes)
}
