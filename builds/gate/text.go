package gate

import (
	"fmt"
	"io"
	"text/tabwriter"

	"proflens/internal/humanize"
)

// WriteText writes a report for a terminal: the verdict, then a line a rule.
func WriteText(w io.Writer, r *Report) error {
	fmt.Fprintf(w, "gate: %s\n", humanize.Plain(r.Verdict()))
	if r.Base != "" {
		fmt.Fprintf(w, "base: %s\n", humanize.Printable(r.Base))
	}
	fmt.Fprintf(w, "test: %s\n", humanize.Printable(r.Test))
	if r.Warning != "" {
		fmt.Fprintf(w, "warning: %s\n", line(r.Warning))
	}
	if left := r.LeftOut(); left != "" {
		fmt.Fprintf(w, "note: %s\n", line(left))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for i := range r.Results {
		res := &r.Results[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", res.Outcome, humanize.Printable(res.Name), humanize.Plain(res.Wanted),
			line(res.found()))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.Link != "" {
		_, err := fmt.Fprintf(w, "\n%s\n", r.Link)
		return err
	}
	return nil
}
