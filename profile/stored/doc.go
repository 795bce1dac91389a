// Package stored is one profile's file, as every family of profiles has it: how it
// is opened and read, how it is written, what it says of the whole, and what is
// kept in memory of what was computed from it.
//
// The file is an ordinary SQLite database, read and written page by page by
// package btree. What families keep in it is theirs: a [Family] names its tables
// and writes them, and a package of its own reads them.
package stored
