package cov

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"proflens/analyze/coverage"
	"proflens/decode/unidiff"
)

// diff says how the lines ran that a unified diff adds. The diff comes from standard
// input, or from a file.
func (r *run) diff() error {
	o := &r.options
	in := r.in
	if o.patch != "" && o.patch != "-" {
		f, err := os.Open(o.patch)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	c, s, err := r.open()
	if err != nil {
		return err
	}
	files, err := unidiff.Parse(in)
	if err != nil {
		return err
	}
	s.warn = func(string, error) {} // without its text a file is not checked
	changed := c.Changed(files, func(file int) ([]string, bool) {
		source, ok := s.source(file)
		lines := make([]string, len(source))
		for i, l := range source {
			lines[i] = string(l)
		}
		return lines, ok
	})
	switch o.format {
	case "json":
		err = writeChangedJSON(r, c, changed)
	case "markdown":
		writeChangedMarkdown(r, c, changed)
	case "text":
		writeChanged(r, c, changed)
	default:
		return usageError("-format of diff is text, json or markdown")
	}
	if err != nil {
		return err
	}
	if m := changed.Sum.Metric(); m.Total > 0 { // a change without code has nothing to test
		return o.short(0, "changed lines", m)
	}
	return nil
}

// says is the result in one sentence.
func says(sum coverage.ChangedSum) string {
	m := sum.Metric()
	if m.Total == 0 {
		return "No changed line holds code."
	}
	return fmt.Sprintf("%d of %d changed lines covered, %s; %d not, %d in part.", m.Covered, m.Total, percent(m), sum.NotCovered, sum.Partly)
}

// percent has one decimal, and 100 % for nothing less.
func percent(m coverage.Metric) string {
	tenths := m.Covered * 1000 / max(m.Total, 1)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

func writeChanged(r *run, c *coverage.Coverage, changed *coverage.Changed) {
	fmt.Fprintln(r.out, says(changed.Sum))
	for _, f := range changed.ByGaps() {
		m := f.Sum.Metric()
		fmt.Fprintf(r.out, "%s: %d of %d\n", f.Diff.Path, m.Covered, m.Total)
		for _, gap := range f.Uncovered() {
			fmt.Fprintf(r.out, "  not covered: %s\n", place(f.Diff.Path, gap))
		}
		for _, l := range f.Lines {
			if l.State == coverage.Partly {
				fmt.Fprintf(r.out, "  in part: %s:%d\n", f.Diff.Path, l.Line)
			}
		}
		for _, h := range f.Unfit {
			fmt.Fprintf(r.out, "  not counted, the source differs: %s\n", place(f.Diff.Path, h.New))
		}
	}
	for _, path := range changed.Unmapped {
		fmt.Fprintf(r.out, "%s: not in the program's coverage mapping\n", path)
	}
}

// place is lines of a file as compilers write them.
func place(path string, lines unidiff.Range) string {
	if lines.Lines == 1 {
		return fmt.Sprintf("%s:%d", path, lines.From)
	}
	return fmt.Sprintf("%s:%d-%d", path, lines.From, lines.From+lines.Lines-1)
}

// writeChangedMarkdown is what goes into a comment on a pull request.
func writeChangedMarkdown(r *run, c *coverage.Coverage, changed *coverage.Changed) {
	fmt.Fprintf(r.out, "**%s**\n", says(changed.Sum))
	list := changed.ByGaps()
	if len(list) == 0 {
		return
	}
	fmt.Fprint(r.out, "\n| File | Covered | Not covered |\n| --- | ---: | --- |\n")
	for _, f := range list {
		m := f.Sum.Metric()
		var gaps []string
		for _, gap := range f.Uncovered() {
			gaps = append(gaps, strings.TrimPrefix(place("", gap), ":"))
		}
		fmt.Fprintf(r.out, "| `%s` | %d of %d | %s |\n", strings.NewReplacer("|", `\|`, "`", "'").Replace(f.Diff.Path), m.Covered, m.Total, strings.Join(gaps, ", "))
	}
}

// The JSON of changed lines.
type (
	changedJSON struct {
		changedSum
		Files    []changedFile `json:"files"`
		Unmapped []string      `json:"unmapped"`
	}
	changedSum struct {
		Lines      int     `json:"lines"`
		Covered    int     `json:"covered"`
		Partly     int     `json:"partly"`
		NotCovered int     `json:"not_covered"`
		NoCode     int     `json:"no_code"`
		Percent    float64 `json:"percent"` // of lines, wholly or in part
	}
	changedFile struct {
		Path string `json:"path"`
		File string `json:"file"` // as the mapping calls it
		changedSum
		Changed []changedLine `json:"changed"`
		Unfit   []lineRange   `json:"unfit"`
	}
	changedLine struct {
		Line  int    `json:"line"`
		Count uint64 `json:"count"`
		State string `json:"state"`
	}
	lineRange struct {
		From  int `json:"from"`
		Lines int `json:"lines"`
	}
)

func sumJSON(s coverage.ChangedSum) changedSum {
	m := s.Metric()
	return changedSum{m.Total, s.Covered, s.Partly, s.NotCovered, s.NoCode, m.Percent()}
}

func writeChangedJSON(r *run, c *coverage.Coverage, changed *coverage.Changed) error {
	out := changedJSON{changedSum: sumJSON(changed.Sum), Files: []changedFile{}, Unmapped: append([]string{}, changed.Unmapped...)}
	for _, f := range changed.ByGaps() {
		one := changedFile{Path: f.Diff.Path, File: c.Files[f.File].Name, changedSum: sumJSON(f.Sum), Changed: []changedLine{}, Unfit: []lineRange{}}
		for _, l := range f.Lines {
			one.Changed = append(one.Changed, changedLine{l.Line, l.Count, stateNames[l.State]})
		}
		for _, h := range f.Unfit {
			one.Unfit = append(one.Unfit, lineRange(h.New))
		}
		out.Files = append(out.Files, one)
	}
	e := json.NewEncoder(r.out)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// stateNames are the states in JSON, by state.
var stateNames = [...]string{coverage.Unmapped: "no code", coverage.Missed: "not covered", coverage.Partly: "partly", coverage.Ran: "covered"}
