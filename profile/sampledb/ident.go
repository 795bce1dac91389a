package sampledb

import (
	"bytes"
	"encoding/hex"
	"unicode/utf8"

	"proflens/profile/table"
)

// Ident is what a function is called: in a table of functions one column of pages and six
// of scripts; beside another function its "fid,function,linkage_name".
type Ident struct {
	ID   int    // of its Name, from 1; 0 for none
	GUID uint64 `col:"fid" width:"16" is:"hex,key" help:"its address in pages, the hash of the name"`
	// Linkage is the name, or the one that was given for its hash; nil where only the hash
	// is known.
	Linkage []byte
	_       column `col:"function" width:"48" is:"self" help:"demangled; none where only the hash is known"`
	_       column `col:"name" help:"none where only the hash is known"`
	_       column `col:"name_hex" help:"there only where name had to replace bytes that are no UTF-8" as:"string"`
	_       column `col:"linkage_name"`
	_       column `col:"demangled"`
	_       column `col:"path" help:"empty: names of sample profiles have none" as:"string"`
}

// Cell implements [table.Celler].
func (i *Ident) Cell(column string, o *table.Options) table.Cell {
	switch {
	case column == "path":
		return table.Text("")
	case column == "name_hex" && utf8.Valid(i.Linkage):
		return table.Absent
	case len(i.Linkage) == 0:
		return table.Null
	case column == "name_hex":
		return table.Text(hex.EncodeToString(i.Linkage))
	case column == "demangled", column == "function":
		return table.Text(o.Demangle(string(i.Linkage)))
	}
	return table.Text(string(i.Linkage))
}

// Named implements [table.Named].
func (i *Ident) Named() (linkage []byte, ref uint64, other string) { return i.Linkage, i.GUID, "" }

// Words implements [table.Sought].
func (i *Ident) Words(show func([]byte)) { show(i.Linkage) }

// Compare implements [table.Ordered].
func (i *Ident) Compare(other any) int { return bytes.Compare(i.Linkage, other.(*Ident).Linkage) }
