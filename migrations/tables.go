package migrations

import (
	"regexp"
	"strings"
)

// Table is a table or a view of a profile's file, as the SQL that makes it says.
type Table struct {
	Name    string
	About   string // the comment in front of it
	View    bool   // nothing stands behind its columns
	Columns []Column
}

// Column is a column, with the comment behind it; empty where the name says it all.
type Column struct{ Name, Says string }

// Tables are those, with views, that profiles of a family have, or all profiles, which are common: of a
// profile's own file, and behind them those that only an exported one has.
func Tables(family string) []Table {
	text := read("schema/" + family + ".sql")
	if family != "common" {
		text += read("rows/" + family + ".sql")
	}
	var list []Table
	var about []string
	inside := false
	for line := range strings.SplitSeq(text, "\n") {
		code, says, _ := strings.Cut(line, "--")
		code, says = strings.TrimSpace(code), strings.TrimSpace(says)
		name, made := strings.CutPrefix(code, "CREATE TABLE ")
		view, seen := strings.CutPrefix(code, "CREATE VIEW ")
		switch {
		case seen:
			name = strings.TrimSuffix(view, " AS")
			_, query, _ := strings.Cut(text, code)
			query, _, _ = strings.Cut(query, ";")
			list = append(list, Table{name, strings.Join(about, " "), true, selected(query)})
		case made:
			list = append(list, Table{Name: strings.TrimSuffix(name, "("), About: strings.Join(about, " ")})
			inside = true
		case code == ");":
			inside = false
		case inside && code == "": // more of what stands behind the column before
			columns := list[len(list)-1].Columns
			columns[len(columns)-1].Says += " " + says
		case inside:
			t := &list[len(list)-1]
			t.Columns = append(t.Columns, Column{strings.TrimSuffix(strings.Fields(code)[0], ","), says})
		case code == "" && says != "":
			about = append(about, says)
			continue
		}
		about = nil
	}
	return list
}

// tokens are those of SQL that selected tells apart.
var tokens = regexp.MustCompile(`--.*|'[^']*'|[(),]|[\w.]+`)

// selected are the columns of a query.
func selected(query string) (list []Column) {
	depth, last, selecting := 0, "", false
	for _, token := range tokens.FindAllString(query, -1) {
		switch {
		case token == "(":
			depth++
		case token == ")":
			depth--
		case depth > 0 || strings.HasPrefix(token, "--"):
		case token == "SELECT":
			selecting = true
		case selecting && (token == "," || token == "FROM"):
			list = append(list, Column{Name: last[strings.LastIndexByte(last, '.')+1:]})
			selecting = token == ","
		default:
			last = token
		}
	}
	return list
}

// About is what the tables of a family are of, as the comment in front of them all says: a
// title, and what stands behind its colon, in paragraphs.
func About(family string) (title, says string) {
	comment, _, _ := strings.Cut(read("schema/"+family+".sql"), "\n\n")
	title, says, _ = strings.Cut(strings.TrimPrefix(comment, "-- "), ": ")
	says = strings.NewReplacer("\n--\n-- ", "\n\n", "\n-- ", "\n").Replace(says)
	return title, strings.ToUpper(says[:1]) + says[1:]
}

// Families are the names of those that have tables, in alphabetical order.
func Families() []string {
	files, err := tables.ReadDir("rows")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	var list []string
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".sql"); !strings.HasSuffix(name, "_indexes") {
			list = append(list, name)
		}
	}
	return list
}

// Indexes are those of exported profiles of a family, each as table(column, column).
func Indexes(family string) []string {
	var list []string
	for line := range strings.SplitSeq(read("rows/"+family+"_indexes.sql"), "\n") {
		if _, on, ok := strings.Cut(line, " ON "); ok {
			list = append(list, strings.TrimSuffix(on, ";"))
		}
	}
	return list
}
