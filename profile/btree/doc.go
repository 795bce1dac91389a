// Package btree appends rows to, and reads rows from, the tables of an SQLite
// database file, page by page, without the SQL engine.
//
// A profile's file is written once and never changes after, its rows arrive in
// the order of their row ids, and pages of a screen need nothing but rows by
// id. For that a table's b-tree is two small things: a sequence of leaf pages,
// and an index of interior pages over it. Writing them takes a quarter of the
// time that INSERT takes, and so does reading a column compared with SELECT: the
// benchmarks here measure both. Everything else, the schema above all, is left to SQLite
// itself, and the result is an ordinary database that passes its
// integrity_check.
//
// The layout is that of https://www.sqlite.org/fileformat2.html, whose section
// numbers the comments give. It is the part of the format that has not changed
// since 2004: table b-trees with 64-bit row ids, no reserved space, UTF-8.
// What the package does not do: indexes, WITHOUT ROWID tables, free pages,
// auto-vacuum, journals, changing rows.
package btree

import (
	"errors"
	"fmt"
)

// ErrCorrupt is wrapped by every error about the content of a file: it is not
// a database, or not one that this package understands, or damaged.
var ErrCorrupt = errors.New("damaged database file")

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// The page types of §1.6 that table b-trees have.
const (
	interiorPage = 0x05
	leafPage     = 0x0d
)

// layout is what page size decides (§1.6): how much of a row's payload stays
// in its leaf page before the rest goes to overflow pages.
type layout struct {
	pageSize           int
	maxLocal, minLocal int
}

func layoutOf(pageSize int) layout {
	return layout{
		pageSize: pageSize,
		maxLocal: pageSize - 35,
		minLocal: (pageSize-12)*32/255 - 23,
	}
}

// local is how many of size payload bytes stand in the leaf page.
func (l layout) local(size int) int {
	if size <= l.maxLocal {
		return size
	}
	k := l.minLocal + (size-l.minLocal)%(l.pageSize-4)
	if k <= l.maxLocal {
		return k
	}
	return l.minLocal
}

// lockPage is the page that holds byte 2^30, which SQLite keeps for locks and
// never uses (§1.4).
func (l layout) lockPage() uint32 { return uint32((1<<30)/l.pageSize) + 1 }
