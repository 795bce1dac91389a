package llvmcov

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"proflens/analyze/coverage"
	"proflens/decode/unidiff"
	"proflens/internal/humanize"
)

// ChangedSays is the result in one sentence.
func ChangedSays(sum coverage.ChangedSum) string {
	m, left := sum.Metric(), sum.Without()
	if left != "" {
		left = " " + left
	}
	if m.Total == 0 {
		return "No changed line holds code." + left
	}
	return fmt.Sprintf("%d of %d changed lines covered, %s; %d not, %d in part.%s", m.Covered, m.Total, Percent(m),
		sum.NotCovered, sum.Partly, left)
}

// Percent is a share with one decimal, rounded as on pages, and 100 % for nothing less.
func Percent(m coverage.Metric) string {
	share := humanize.Percent(float64(m.Covered)/float64(max(m.Total, 1)), 1)
	return strings.ReplaceAll(share, humanize.NumberSpace, " ")
}

// WriteChangedText writes how changed lines ran, for a terminal.
func WriteChangedText(to io.Writer, changed *coverage.Changed) error {
	w := bufio.NewWriter(to)
	fmt.Fprintln(w, ChangedSays(changed.Sum))
	for _, f := range changed.ByGaps() {
		m := f.Sum.Metric()
		fmt.Fprintf(w, "%s: %d of %d\n", f.Diff.Path, m.Covered, m.Total)
		gaps := f.Uncovered()
		for _, l := range f.Lines {
			if l.State != coverage.Missed {
				continue
			}
			if len(gaps) > 0 && l.Line == gaps[0].From {
				fmt.Fprintf(w, "  not covered: %s\n", place(f.Diff.Path, gaps[0]))
				gaps = gaps[1:]
			}
			fmt.Fprintf(w, "    %s\n", numbered(l))
		}
		for _, l := range f.Lines {
			if l.State == coverage.Partly {
				fmt.Fprintf(w, "  in part: %s:%d\n    %s\n", f.Diff.Path, l.Line, numbered(l))
			}
		}
		for _, h := range f.Unfit {
			fmt.Fprintf(w, "  not counted, the source differs: %s\n", place(f.Diff.Path, h.New))
		}
	}
	for _, path := range changed.Unmapped {
		fmt.Fprintf(w, "%s: not in the program's coverage mapping\n", path)
	}
	return w.Flush()
}

// place is lines of a file as compilers write them.
func place(path string, lines unidiff.Range) string {
	if lines.Lines == 1 {
		return fmt.Sprintf("%s:%d", path, lines.From)
	}
	return fmt.Sprintf("%s:%d-%d", path, lines.From, lines.From+lines.Lines-1)
}

// WriteChangedMarkdown writes what goes into a comment on a pull request.
func WriteChangedMarkdown(to io.Writer, changed *coverage.Changed) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "**%s**\n", ChangedSays(changed.Sum))
	list := changed.ByGaps()
	if len(list) == 0 {
		return w.Flush()
	}
	fmt.Fprint(w, "\n| File | Covered | Not covered |\n| --- | ---: | --- |\n")
	for _, f := range list {
		m := f.Sum.Metric()
		var gaps []string
		for _, gap := range f.Uncovered() {
			gaps = append(gaps, strings.TrimPrefix(place("", gap), ":"))
		}
		fmt.Fprintf(w, "| `%s` | %d of %d | %s |\n", strings.NewReplacer("|", `\|`, "`", "'").Replace(f.Diff.Path),
			m.Covered, m.Total, strings.Join(gaps, ", "))
	}
	writeMissed(w, list)
	return w.Flush()
}

// maxShown is how many lines a comment has the text of: hosts refuse long ones.
const maxShown = 100

// writeMissed writes the lines that did not run, folded.
func writeMissed(w io.Writer, files []*coverage.ChangedFile) {
	var b strings.Builder
	shown, missed := 0, 0
	for _, f := range files {
		last := 0
		for _, l := range f.Lines {
			if l.State != coverage.Missed {
				continue
			}
			if missed++; shown == maxShown {
				continue
			}
			switch {
			case last == 0:
				fmt.Fprintf(&b, "\n%s\n", humanize.Printable(f.Diff.Path))
			case l.Line != last+1:
				b.WriteString("…\n")
			}
			fmt.Fprintln(&b, numbered(l))
			shown, last = shown+1, l.Line
		}
	}
	if missed == 0 {
		return
	}
	if more := missed - shown; more > 0 {
		fmt.Fprintf(&b, "\nand %d more\n", more)
	}
	fence := "```"
	for strings.Contains(b.String(), fence) {
		fence += "`"
	}
	fmt.Fprintf(w, "\n<details><summary>Lines not covered: %d</summary>\n\n%s\n%s\n%s\n\n</details>\n", missed, fence,
		strings.TrimSpace(b.String()), fence)
}

// numbered is a line with its number. Of a long one the beginning is enough, and nothing in
// it can do more than be seen.
func numbered(l coverage.ChangedLine) string {
	const long = 160
	text := []rune(strings.ReplaceAll(l.Text[:min(len(l.Text), 4*long)], "\t", "    "))
	if len(text) > long {
		text = append(text[:long], '…')
	}
	return strings.TrimRight(fmt.Sprintf("%5d  %s", l.Line, humanize.Visible(string(text))), " ")
}

// ChangedObject is what WriteChangedJSON writes.
type ChangedObject struct {
	changedSum
	Files    []changedFile `json:"files"`
	Unmapped []string      `json:"unmapped" doc:"Paths that the coverage mapping does not name."`
}

// What stands in it.
type (
	changedSum struct {
		Lines      int     `json:"lines" doc:"Added lines that hold code."`
		Covered    int     `json:"covered" doc:"Lines covered whole."`
		Partly     int     `json:"partly" doc:"Lines that ran, with a region or a side of a condition that did not."`
		NotCovered int     `json:"not_covered" doc:"Lines that never ran."`
		NoCode     int     `json:"no_code" doc:"Added lines that hold no code."`
		LeftOut    int     `json:"left_out" doc:"Added lines with code that no number has, by what totals leave out."`
		Percent    float64 `json:"percent" doc:"Covered and partly covered, in percent of lines."`
	}
	changedFile struct {
		Path string `json:"path" doc:"Path in the diff."`
		File string `json:"file" doc:"Name in the coverage mapping."`
		changedSum
		Changed []changedLine `json:"changed"`
		Unfit   []lineRange   `json:"unfit" doc:"Hunks that do not fit the source; their lines are in no sum."`
	}
	changedLine struct {
		Line  int    `json:"line"`
		Count uint64 `json:"count"`
		State string `json:"state" doc:"no code, not covered, partly or covered."`
	}
	lineRange struct {
		From  int `json:"from"`
		Lines int `json:"lines"`
	}
)

func sumJSON(s coverage.ChangedSum) changedSum {
	m := s.Metric()
	return changedSum{m.Total, s.Covered, s.Partly, s.NotCovered, s.NoCode, s.LeftOut, m.Percent()}
}

// WriteChangedJSON writes how changed lines ran; names are the files' in the mapping.
func WriteChangedJSON(w io.Writer, names []string, changed *coverage.Changed) error {
	out := ChangedObject{
		changedSum: sumJSON(changed.Sum), Files: []changedFile{}, Unmapped: append([]string{}, changed.Unmapped...),
	}
	for _, f := range changed.ByGaps() {
		one := changedFile{
			Path: f.Diff.Path, File: names[f.File], changedSum: sumJSON(f.Sum), Changed: []changedLine{}, Unfit: []lineRange{},
		}
		for _, l := range f.Lines {
			one.Changed = append(one.Changed, changedLine{l.Line, l.Count, stateNames[l.State]})
		}
		for _, h := range f.Unfit {
			one.Unfit = append(one.Unfit, lineRange(h.New))
		}
		out.Files = append(out.Files, one)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// stateNames are the states in JSON, by state.
var stateNames = [...]string{
	coverage.Unmapped: "no code", coverage.Missed: "not covered", coverage.Partly: "partly", coverage.Ran: "covered",
}
