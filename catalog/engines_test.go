package catalog

import (
	"os"
	"sync"
	"testing"

	"proflens/catalog/engine/pgtest"
)

// onPostgres says that the tests run on PostgreSQL: each of them runs on both engines.
var onPostgres = pgtest.On

func TestMain(m *testing.M) {
	os.Exit(pgtest.Both(m))
}

// databases are the URLs of the databases that were made, by folder.
var databases sync.Map

// at is the place of a catalog in a folder.
func at(t testing.TB, dir string) Place {
	t.Helper()
	place := Place{Dir: dir}
	if onPostgres {
		url, known := databases.Load(dir)
		if !known {
			url = pgtest.Database(t, func(url string) error {
				s, err := Open(t.Context(), Place{Dir: t.TempDir(), Database: url})
				if err != nil {
					return err
				}
				return s.Close()
			})
			databases.Store(dir, url)
		}
		place.Database = url.(string)
	}
	return place
}

// inAFile skips a test of what only a catalog in a file has.
func inAFile(t *testing.T) {
	t.Helper()
	if onPostgres {
		t.Skip("about a catalog in a file")
	}
}
