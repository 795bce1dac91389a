package migrations

import (
	"io/fs"
	"regexp"
	"testing"
)

var numbered = regexp.MustCompile(`^([0-9]{4})_[a-z0-9_]+\.sql$`)

func TestMigrationsAreNumberedOnce(t *testing.T) {
	files, err := fs.Glob(Catalog, "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	seen := map[string]string{}
	for _, name := range files {
		m := numbered.FindStringSubmatch(name)
		if m == nil {
			t.Errorf("%s is not named NNNN_what_it_does.sql", name)
			continue
		}
		if other, twice := seen[m[1]]; twice {
			t.Errorf("%s and %s have the same number", other, name)
		}
		seen[m[1]] = name
	}
}
