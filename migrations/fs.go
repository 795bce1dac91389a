// Package migrations holds the SQL of the store: the catalog's numbered
// migrations, run in order and never edited once shipped, and schema.sql, the
// tables of a profile's own file, which is never migrated but written anew.
package migrations

import "embed"

// Catalog holds the catalog's migrations, NNNN_what_it_does.sql, for goose.
//
//go:embed [0-9]*.sql
var Catalog embed.FS

// Schema makes the tables of a profile's own file.
//
//go:embed schema.sql
var Schema string
