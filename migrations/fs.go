// Package migrations holds the SQL of the store: the catalog's numbered
// migrations, run in order and never edited once shipped, and schema/, the
// tables of a profile's own file, which is never migrated but written anew,
// and rows/, what an exported one has besides.
package migrations

import (
	"embed"
	"io/fs"
	"strings"
)

// Catalog holds the catalog's migrations, NNNN_what_it_does.sql, for goose.
//
//go:embed [0-9]*.sql
var Catalog embed.FS

//go:embed schema/*.sql
var schema embed.FS

// Schema makes the tables of a profile's own file: those that every profile
// has, then those of each family, a file each.
var Schema = readSchema()

//go:embed rows/*.sql
var rows embed.FS

// Rows makes the tables that an exported profile has besides: vectors as rows,
// with their views. RowIndexes makes their indexes once they are filled.
var Rows, RowIndexes = readRows()

func readRows() (tables, indexes string) {
	files, err := fs.Glob(rows, "rows/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range files {
		sql, err := rows.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		if strings.HasSuffix(name, "_indexes.sql") {
			indexes += string(sql)
		} else {
			tables += string(sql)
		}
	}
	return tables, indexes
}

func readSchema() string {
	files, err := fs.Glob(schema, "schema/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	const first = "schema/common.sql"
	var text strings.Builder
	for _, name := range append([]string{first}, files...) {
		if name == first && text.Len() > 0 {
			continue
		}
		sql, err := schema.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		text.Write(sql)
		text.WriteByte('\n')
	}
	return text.String()
}
