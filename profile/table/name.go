package table

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
	"unsafe"

	"proflens/names"
)

// Name is a function by its PGO name: one column of pages, six of scripts.
type Name struct {
	Ref uint64   `col:"fid" width:"16" is:"hex,key" help:"its NameRef, and its address in pages"`
	PGO string   `col:"name" is:"omitzero" help:"its PGO name; none where the file lacks it"`
	_   Computed `col:"name_hex" help:"there only where name had to replace bytes that are no UTF-8" as:"string"`
	_   Computed `col:"linkage_name"`
	_   Computed `col:"demangled" is:"self"`
	_   Computed `col:"path" help:"source file of a local function" as:"string"`
}

// Names is the columns of a function alone.
var Names = Declare[Name](Declaration{})

// Label is a text in which words are sought, even where it is empty.
type Label string

// Words implements [Sought].
func (l *Label) Words(show func([]byte)) { show([]byte(*l)) }

// Cell implements [Celler].
func (n *Name) Cell(column string, o *Options) Cell {
	switch {
	case column == "path":
		path, _ := n.cut(o)
		return Text(path)
	case column == "name_hex" && utf8.ValidString(n.PGO):
		return Absent
	case n.PGO == "":
		return Null
	case column == "name_hex":
		return Text(hex.EncodeToString([]byte(n.PGO)))
	case column == "demangled":
		return Text(n.Demangled(o))
	}
	return Text(n.linkage(o))
}

// BindName finds a column of a name as a [Binder] does. Name is none itself: rows in which a name is embedded
// would be too, and lose their other columns.
func BindName(n *Name, column string, o *Options) func() Cell {
	of := n.linkage
	switch column {
	case "path", "name_hex":
		return func() Cell { return n.Cell(column, o) }
	case "demangled":
		of = n.Demangled
	}
	return func() Cell {
		if n.PGO == "" {
			return Null
		}
		return Text(of(o))
	}
}

// linkage is its linkage name.
func (n *Name) linkage(o *Options) string {
	_, linkage := n.cut(o)
	return linkage
}

// cut is names.Cut, whose results are parts of the name here too.
func (n *Name) cut(o *Options) (path, linkage string) {
	if o.pgo != n.PGO {
		p, l := names.Cut(unsafe.Slice(unsafe.StringData(n.PGO), len(n.PGO))) // which leaves them as they are
		o.pgo, o.path, o.linkage = n.PGO, n.PGO[:len(p)], n.PGO[len(n.PGO)-len(l):]
	}
	return o.path, o.linkage
}

// Demangled is the name as the options want it, of a linkage name.
func (n *Name) Demangled(o *Options) string { return o.Demangle(n.linkage(o)) }

// Named implements [Named].
func (n *Name) Named() (linkage []byte, ref uint64, other string) { return []byte(n.PGO), n.Ref, "" }

// Words implements [Sought].
func (n *Name) Words(show func([]byte)) { show([]byte(n.PGO)) }

// Compare implements [Ordered].
func (n *Name) Compare(other any) int { return strings.Compare(n.PGO, other.(*Name).PGO) }

// Missing implements [Missing].
func (n *Name) Missing() bool { return n.PGO == "" }
