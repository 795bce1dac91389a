package pages

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"proflens/builds/measures"
	"proflens/migrations"
)

// marks stand in a page for what follows from declarations: "{tables mip}" for the tables of a
// family, "{measures mip}" for its measures, "{indexes}" for those of the tables of all.
var marks = regexp.MustCompile(`(?m)^\{(tables|measures|indexes) ?([a-z]*)\}$`)

// expand puts in a page what its marks stand for.
func expand(source []byte) []byte {
	return marks.ReplaceAllFunc(source, func(mark []byte) []byte {
		var b bytes.Buffer
		of := marks.FindSubmatch(mark)
		switch family := string(of[2]); string(of[1]) {
		case "tables":
			for _, t := range migrations.Tables(family) {
				writeTable(&b, family, t)
			}
			return b.Bytes()
		case "measures":
			writeMeasures(&b, family)
			return b.Bytes()
		}
		var all []string
		for _, family := range migrations.Families() {
			for _, index := range migrations.Indexes(family) {
				all = append(all, "`"+index+"`")
			}
		}
		return []byte(strings.Join(all, ",\n") + ".\n")
	})
}

// writeTable writes a table of a family as a section of markdown. Of two tables of a name, the
// one that has its family's name in front keeps it as its anchor.
func writeTable(b *bytes.Buffer, family string, t migrations.Table) {
	anchor := t.Name
	for _, other := range migrations.Families() {
		if other != family && strings.HasPrefix(t.Name, other) {
			anchor = family + "-" + t.Name
		}
	}
	fmt.Fprintf(b, "#### `%s` {#%s}\n\n%s\n\n| column | value |\n| --- | --- |\n", t.Name, anchor, marked(t.About))
	for _, c := range t.Columns {
		fmt.Fprintf(b, "| `%s` | %s |\n", c.Name, marked(c.Says))
	}
	b.WriteByte('\n')
}

// writeMeasures writes the measures of a family as a table of markdown.
func writeMeasures(b *bytes.Buffer, family string) {
	fmt.Fprintf(b, "| %s | what it counts |\n| --- | --- |\n", family)
	for i := range measures.Families {
		for _, m := range measures.Families[i].Measures {
			if string(m.Family) != family {
				continue
			}
			if m.Pair {
				m.Says = "of two: " + m.Says
			}
			if m.Needs != "" {
				m.Says += "; only with " + m.Needs
			}
			fmt.Fprintf(b, "| `%s` | %s |\n", m.Name, m.Says)
		}
	}
}

// columns are names of columns with those of their tables, within a text.
var columns = regexp.MustCompile(`\b[a-z_]+\.[a-z_]+\b`)

// marked is a comment of SQL as markdown.
func marked(says string) string {
	says = strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace(says)
	return columns.ReplaceAllString(says, "`$0`")
}
