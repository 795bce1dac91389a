package stored

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// SchemaVersion is the version of migrations/schema. A file of another
// version is not read but decoded again.
const SchemaVersion = 8

// The sizes of the pages of a profile's file, in bytes. Rows of functions are some 150
// bytes long; a page of the table reads up to three of these for each. Every table takes a
// page at least: of small profiles most would be empty. What the end of a page is too short
// for is lost: of large profiles a hundredth.
const (
	SmallPages = 512
	Pages      = 4096
	LargePages = 8192
)

// Image is a profile's file without rows, as SQLite makes it of statements, with pages of
// a size.
func Image(schema string, pageSize int) ([]byte, error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx) // one connection: another would have a database of its own
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, statement := range []string{
		fmt.Sprintf("PRAGMA page_size = %d", pageSize),
		schema,
		fmt.Sprintf("PRAGMA user_version = %d", SchemaVersion),
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return nil, fmt.Errorf("schema of a profile's file: %w", err)
		}
	}
	var image []byte
	err = conn.Raw(func(driver any) error {
		s, ok := driver.(interface{ Serialize() ([]byte, error) })
		if !ok {
			return errors.New("the SQLite driver cannot serialize a database")
		}
		image, err = s.Serialize()
		return err
	})
	return image, err
}
