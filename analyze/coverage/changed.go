package coverage

import (
	"slices"

	"proflens/decode/unidiff"
	"proflens/sources"
)

// Changed is how a change's lines ran.
type Changed struct {
	Files    []ChangedFile // in the order of the diff
	Unmapped []string      // paths of the diff that no mapping mentions
	Sum      ChangedSum
}

// ChangedFile is a file of a diff that the mapping mentions.
type ChangedFile struct {
	File  int // index of Coverage.Files
	Diff  *unidiff.File
	Lines []ChangedLine // those added, in order
	Sum   ChangedSum
	// Unfit are hunks that do not fit the text of the source: the diff is of another
	// version. Their lines are in no sum.
	Unfit []*unidiff.Hunk
}

// ChangedLine is a line that a change adds.
type ChangedLine struct {
	Line  int
	Count uint64
	State State
}

// ChangedSum counts added lines by state.
type ChangedSum struct{ Covered, Partly, NotCovered, NoCode int }

// Metric is the lines that hold code, and those of them that ran, wholly or in part.
func (s ChangedSum) Metric() Metric {
	return Metric{Total: s.Covered + s.Partly + s.NotCovered, Covered: s.Covered + s.Partly}
}

func (s *ChangedSum) count(state State) {
	*[]*int{Unmapped: &s.NoCode, Missed: &s.NotCovered, Partly: &s.Partly, Ran: &s.Covered}[state]++
}

func (s *ChangedSum) add(o ChangedSum) {
	s.Covered += o.Covered
	s.Partly += o.Partly
	s.NotCovered += o.NotCovered
	s.NoCode += o.NoCode
}

// Changed says how the lines ran that a diff adds. The text of a source, by index of
// Files, tells hunks of other versions; where text is nil, or gives none, nothing is
// checked.
func (c *Coverage) Changed(files []unidiff.File, text func(file int) (lines []string, ok bool)) *Changed {
	changed := &Changed{}
	names := make([]string, len(c.Files))
	for i := range c.Files {
		names[i] = c.Files[i].Name
	}
	named := sources.NewNames(names)
	for i := range files {
		f := &files[i]
		at := named.Find(f.Path)
		if at < 0 {
			changed.Unmapped = append(changed.Unmapped, f.Path)
			continue
		}
		one := ChangedFile{File: at, Diff: f}
		var lines []string
		checked := false
		if text != nil {
			lines, checked = text(at)
		}
		var added []int
		for n := range f.Hunks {
			h := &f.Hunks[n]
			if checked && !fits(h, lines) {
				one.Unfit = append(one.Unfit, h)
				continue
			}
			for _, l := range h.Lines {
				if l.Added() {
					added = append(added, l.New)
				}
			}
		}
		one.Lines = c.FileView(at).at(added)
		for _, l := range one.Lines {
			one.Sum.count(l.State)
		}
		changed.Sum.add(one.Sum)
		changed.Files = append(changed.Files, one)
	}
	return changed
}

// fits reports whether the lines after the change are those of the source.
func fits(h *unidiff.Hunk, source []string) bool {
	for _, l := range h.Lines {
		if l.New > 0 && (l.New > len(source) || source[l.New-1] != l.Text) {
			return false
		}
	}
	return true
}

// at is what a view says of some lines, which ascend.
func (v *View) at(lines []int) []ChangedLine {
	list := make([]ChangedLine, 0, len(lines))
	for _, r := range v.Rows() {
		for len(lines) > 0 && lines[0] <= int(r.Last) {
			one := ChangedLine{Line: lines[0]}
			if lines[0] >= int(r.First) && r.State != Unmapped {
				one.State, one.Count = r.State, r.Count
			}
			list, lines = append(list, one), lines[1:]
		}
	}
	for _, n := range lines {
		list = append(list, ChangedLine{Line: n})
	}
	return list
}

// Uncovered are the lines that did not run, as ranges of lines on end.
func (f *ChangedFile) Uncovered() []unidiff.Range {
	var list []unidiff.Range
	for _, l := range f.Lines {
		if l.State != Missed {
			continue
		}
		if n := len(list); n > 0 && list[n-1].From+list[n-1].Lines == l.Line {
			list[n-1].Lines++
			continue
		}
		list = append(list, unidiff.Range{From: l.Line, Lines: 1})
	}
	return list
}

// ByGaps are the files, those with the most lines that did not run first.
func (c *Changed) ByGaps() []*ChangedFile {
	list := make([]*ChangedFile, len(c.Files))
	for i := range c.Files {
		list[i] = &c.Files[i]
	}
	slices.SortStableFunc(list, func(a, b *ChangedFile) int { return b.Sum.NotCovered - a.Sum.NotCovered })
	return list
}
