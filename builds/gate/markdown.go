package gate

import (
	"fmt"
	"io"
	"strings"

	"proflens/internal/humanize"
)

// outcomeWords are the outcomes as a table for people has them.
var outcomeWords = map[Outcome]string{Pass: "passes", Fail: "**fails**", Missing: "**missing**"}

// WriteMarkdown writes a report for a pull request: a sentence, then a table.
func WriteMarkdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**Profile gate: %s.** ", humanize.Plain(r.Verdict()))
	said := markdownText(r.Test)
	if r.Base != "" {
		said += " against " + markdownText(r.Base)
	}
	if r.Link != "" {
		said = "[" + said + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "").Replace(r.Link) + ">)"
	}
	if r.Warning != "" {
		said += "\n\n**Warning:** " + markdownText(r.Warning)
	}
	if left := r.LeftOut(); left != "" {
		said += "\n\n" + markdownText(left)
	}
	fmt.Fprintf(&b, "%s\n\n| rule | wanted | found | |\n| --- | --- | --- | --- |\n", said)
	for i := range r.Results {
		res := &r.Results[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdownText(res.Name), markdownText(res.Wanted),
			markdownText(res.found()), outcomeWords[res.Outcome])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownText is text that is no mark-up, in a cell of a table.
func markdownText(text string) string {
	var b strings.Builder
	for _, c := range line(text) {
		if strings.ContainsRune("\\`*_{}[]<>#|~!&@", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
