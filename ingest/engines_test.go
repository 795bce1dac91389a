package ingest

import (
	"os"
	"sync"
	"testing"

	"proflens/catalog"
	"proflens/catalog/engine/pgtest"
)

// onPostgres says that the tests run on PostgreSQL: each of them runs on both engines.
var onPostgres = pgtest.On

func TestMain(m *testing.M) {
	if place := os.Getenv(killedEnv); place != "" {
		os.Exit(killed(place))
	}
	os.Exit(pgtest.Both(m))
}

// databases are the URLs of the databases that were made, by folder.
var databases sync.Map

// at is the place of a catalog in a folder.
func at(t testing.TB, dir string) catalog.Place {
	t.Helper()
	place := catalog.Place{Dir: dir}
	if onPostgres {
		url, known := databases.Load(dir)
		if !known {
			url = pgtest.Database(t, func(url string) error {
				st, err := catalog.Open(t.Context(), catalog.Place{Dir: t.TempDir(), Database: url})
				if err != nil {
					return err
				}
				return st.Close()
			})
			databases.Store(dir, url)
		}
		place.Database = url.(string)
	}
	return place
}
