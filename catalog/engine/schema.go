package engine

import (
	"fmt"
	"io/fs"

	"proflens/migrations"
)

// Newest is the number of the last migration that this program knows.
func Newest() (n int64) {
	names, _ := fs.Glob(migrations.Catalog, "*.sql") // the pattern is right
	for _, name := range names {
		n = max(n, numberOf(name))
	}
	return n
}

// numberOf is the number that a migration's name begins with.
func numberOf(name string) (n int64) {
	fmt.Sscanf(name, "%d_", &n)
	return n
}
