package pages

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"proflens/analyze"
	"proflens/builds/measures"
	"proflens/migrations"
)

// marks stand in a page for what follows from declarations: "{tables common}" for the tables of
// all profiles, "{tables}" for those of families, "{indexes}" for theirs, "{measures}" for what
// builds are followed by, "{library}" for the usual patterns of library frames.
var marks = regexp.MustCompile(`(?m)^\{(tables common|tables|indexes|measures|library)\}$`)

// expand puts in a page what its marks stand for.
func expand(source []byte) []byte {
	return marks.ReplaceAllFunc(source, func(mark []byte) []byte {
		var b bytes.Buffer
		switch string(mark) {
		case "{tables common}":
			writeTables(&b, "common")
		case "{tables}":
			for _, family := range migrations.Families() {
				title, says := migrations.About(family)
				fmt.Fprintf(&b, "### %s\n\n%s\n\n", title, marked(says))
				writeTables(&b, family)
			}
		case "{indexes}":
			var all []string
			for _, family := range migrations.Families() {
				all = append(all, migrations.Indexes(family)...)
			}
			writeList(&b, all)
		case "{measures}":
			writeMeasures(&b)
		case "{library}":
			writeList(&b, analyze.DefaultLibrary)
		}
		return b.Bytes()
	})
}

// writeList writes names as a sentence of markdown.
func writeList(b *bytes.Buffer, names []string) {
	fmt.Fprintf(b, "`%s`.\n", strings.Join(names, "`,\n`"))
}

// writeTables writes the tables of a family.
func writeTables(b *bytes.Buffer, family string) {
	for _, t := range migrations.Tables(family) {
		writeTable(b, family, t)
	}
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
	fmt.Fprintf(b, "#### `%s` {#%s}\n\n%s\n\n", t.Name, anchor, marked(t.About))
	if t.View {
		names := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			names[i] = c.Name
		}
		b.WriteString("Columns: ")
		writeList(b, names)
		b.WriteByte('\n')
		return
	}
	b.WriteString("| column | value |\n| --- | --- |\n")
	for _, c := range t.Columns {
		fmt.Fprintf(b, "| `%s` | %s |\n", c.Name, marked(c.Says))
	}
	b.WriteByte('\n')
}

// writeMeasures writes the measures of each family as a section of markdown with a table.
func writeMeasures(b *bytes.Buffer) {
	for i := range measures.Families {
		f := &measures.Families[i]
		fmt.Fprintf(b, "### `%s`, of %s {#measures-%[1]s}\n\n| measure | what it counts |\n| --- | --- |\n",
			f.Name, f.Needs)
		for _, m := range f.Measures {
			if m.Pair {
				m.Says = "of two: " + m.Says
			}
			if m.Needs != "" {
				m.Says += "; only with " + m.Needs
			}
			fmt.Fprintf(b, "| `%s` | %s |\n", m.Name, m.Says)
		}
		b.WriteByte('\n')
	}
}

// columns are names of columns with those of their tables, within a text.
var columns = regexp.MustCompile(`\b[a-z_]+\.[a-z_]+\b`)

// marked is a comment of SQL as markdown.
func marked(says string) string {
	says = strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace(says)
	return columns.ReplaceAllString(says, "`$0`")
}
