// Package migrations holds the SQL of the catalog and of profiles' files: the
// catalog's numbered migrations, run in order and never edited once shipped;
// schema/, the tables of a profile's own file by family, which is never migrated but
// written anew; and rows/, what an exported one has besides.
package migrations

import (
	"embed"
)

// Catalog holds the catalog's migrations, NNNN_what_it_does.sql.
//
//go:embed [0-9]*.sql
var Catalog embed.FS

// Engines holds what a migration does in one engine only, after what it does in both:
// sqlite/ and postgres/, under the same names.
//
//go:embed sqlite/*.sql postgres/*.sql
var Engines embed.FS

//go:embed schema/*.sql rows/*.sql
var tables embed.FS

// Schema makes the tables of a profile's own file: those that every profile
// has, then those of each family, a file each.
func Schema(families []string) string {
	text := read("schema/common.sql")
	for _, family := range families {
		text += "\n" + read("schema/"+family+".sql")
	}
	return text
}

// Rows makes the tables that an exported profile of these families has besides:
// vectors as rows, with their views; and their indexes, once they are filled.
func Rows(families []string) (tables, indexes string) {
	for _, family := range families {
		tables += read("rows/" + family + ".sql")
		indexes += read("rows/" + family + "_indexes.sql")
	}
	return tables, indexes
}

func read(name string) string {
	text, err := tables.ReadFile(name)
	if err != nil {
		panic(err) // a family without its file
	}
	return string(text)
}
