package catalog

import (
	"context"
	"fmt"

	"proflens/catalog/engine"
)

// moved says where a catalog's rows went, or are coming from; empty: nowhere.
type moved struct{ from, to string }

// MovedError is returned for a catalog that was moved to another database, or has not
// arrived from one yet.
type MovedError struct {
	Place Place
	To    string // where it is now; empty: it is still arriving
}

func (e *MovedError) Error() string {
	if e.To == "" {
		return fmt.Sprintf("data folder %s: %s has not arrived yet: run \"proflens migrate-store\" again to complete the "+
			"move", e.Place.Dir, e.Place)
	}
	return fmt.Sprintf("data folder %s: %s was moved to %s: start with that", e.Place.Dir, e.Place, e.To)
}

func moves(ctx context.Context, db *engine.DB) (m moved, err error) {
	err = db.Write.QueryRowContext(ctx,
		`SELECT coalesce((SELECT place FROM moved WHERE way = 'from'), ''), coalesce((SELECT place FROM moved WHERE way = 'to'), '')`).Scan(&m.from, &m.to)
	return m, wrapped(err)
}

// mark replaces what a database says of it.
func mark(ctx context.Context, db *engine.DB, m moved) error {
	return db.Update(ctx, durable, func(tx *engine.Tx) {
		tx.Exec(`DELETE FROM moved`)
		for way, place := range map[string]string{"from": m.from, "to": m.to} {
			if place != "" {
				tx.Exec(`INSERT INTO moved (way, place) VALUES (?, ?)`, way, place)
			}
		}
	})
}

// present returns *MovedError for a catalog that is not there to be served.
func (p Place) present(ctx context.Context, db *engine.DB) error {
	m, err := moves(ctx, db)
	if err == nil && m != (moved{}) {
		err = &MovedError{p, m.to}
	}
	return err
}
