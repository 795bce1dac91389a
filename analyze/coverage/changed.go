package coverage

import (
	"fmt"
	"slices"

	"proflens/analyze/sources"
	"proflens/decode/unidiff"
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
	Text  string // as the diff has it
}

// ChangedSum counts added lines by state. Lines with code that is left out are LeftOut.
type ChangedSum struct{ Covered, Partly, NotCovered, NoCode, LeftOut int }

// Metric is the lines that hold code, and those of them that ran, wholly or in part.
func (s ChangedSum) Metric() Metric {
	return Metric{Total: s.Covered + s.Partly + s.NotCovered, Covered: s.Covered + s.Partly}
}

// Without says what the other numbers are without; empty for nothing.
func (s ChangedSum) Without() string {
	if s.LeftOut == 0 {
		return ""
	}
	return fmt.Sprintf("Changed lines with code that are left out: %d.", s.LeftOut)
}

func (s *ChangedSum) count(state State) {
	*[]*int{Unmapped: &s.NoCode, Missed: &s.NotCovered, Partly: &s.Partly, Ran: &s.Covered}[state]++
}

func (s *ChangedSum) add(o ChangedSum) {
	s.Covered += o.Covered
	s.Partly += o.Partly
	s.NotCovered += o.NotCovered
	s.NoCode += o.NoCode
	s.LeftOut += o.LeftOut
}

// Changer has what is needed to say how the lines ran that a diff adds.
type Changer struct {
	Names []string // of the files, as the mapping has them
	// View is the view of a file, by index of Names.
	View func(file int) (*View, error)
	// Whole is the view with what was left out of View; nil where nothing was.
	Whole func(file int) (*View, error)
	// Text is the lines of a file's source, which tell hunks of other versions. Where it
	// is nil, or has none, nothing is checked.
	Text func(file int) (lines [][]byte, ok bool, err error)
}

// Changed says how the lines ran that a diff adds. Errors are those of View and Text.
func (x *Changer) Changed(files []unidiff.File) (*Changed, error) {
	changed := &Changed{}
	named := sources.NewNames(x.Names)
	for i := range files {
		f := &files[i]
		at := named.Find(f.Path)
		if at < 0 {
			changed.Unmapped = append(changed.Unmapped, f.Path)
			continue
		}
		one, err := x.changedFile(f, at)
		if err != nil {
			return nil, err
		}
		changed.Sum.add(one.Sum)
		changed.Files = append(changed.Files, *one)
	}
	return changed, nil
}

func (x *Changer) changedFile(f *unidiff.File, at int) (*ChangedFile, error) {
	one := &ChangedFile{File: at, Diff: f}
	var lines [][]byte
	checked := false
	if x.Text != nil {
		var err error
		if lines, checked, err = x.Text(at); err != nil {
			return nil, err
		}
	}
	var added []int
	var texts []string
	for n := range f.Hunks {
		h := &f.Hunks[n]
		if checked && !fits(h, lines) {
			one.Unfit = append(one.Unfit, h)
			continue
		}
		for _, l := range h.Lines {
			if l.Added() {
				added, texts = append(added, l.New), append(texts, l.Text)
			}
		}
	}
	view, err := x.View(at)
	if err != nil {
		return nil, err
	}
	one.Lines = view.at(added)
	for i := range one.Lines {
		one.Lines[i].Text = texts[i]
		one.Sum.count(one.Lines[i].State)
	}
	if x.Whole == nil {
		return one, nil
	}
	if view, err = x.Whole(at); err != nil {
		return nil, err
	}
	for i, l := range view.at(added) {
		if l.State != Unmapped && one.Lines[i].State == Unmapped {
			one.Sum.NoCode--
			one.Sum.LeftOut++
		}
	}
	return one, nil
}

// fits reports whether the lines after the change are those of the source.
func fits(h *unidiff.Hunk, source [][]byte) bool {
	for _, l := range h.Lines {
		if l.New > 0 && (l.New > len(source) || string(source[l.New-1]) != l.Text) {
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

// ChangedHunk is a hunk, as far as it is shown.
type ChangedHunk struct {
	unidiff.Hunk
	Unfit bool // see [ChangedFile]
}

// Hunks are those of the file with added lines of a state, all of them for Unmapped, as far as so
// many lines go, and how many more there are.
func (f *ChangedFile) Hunks(state State, most int) (list []ChangedHunk, left int) {
	states := f.States()
	for i := range f.Diff.Hunks {
		h := &f.Diff.Hunks[i]
		one := ChangedHunk{*h, slices.Contains(f.Unfit, h)}
		switch {
		case state != Unmapped && (one.Unfit || !slices.ContainsFunc(h.Lines, func(l unidiff.Line) bool {
			return l.Added() && states[l.New].State == state
		})):
			continue
		case most == 0:
			left++
			continue
		}
		one.Lines = one.Lines[:min(len(one.Lines), most)]
		most -= len(one.Lines)
		list = append(list, one)
	}
	return list, left
}

// States are the lines of the file by number.
func (f *ChangedFile) States() map[int]ChangedLine {
	states := map[int]ChangedLine{}
	for _, l := range f.Lines {
		states[l.Line] = l
	}
	return states
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
