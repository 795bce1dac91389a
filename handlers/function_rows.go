package handlers

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/names"
	"proflens/store"
)

// functionItem is a row of the function table with what its cells need.
type functionItem struct {
	*store.FunctionRow
	hasEntry bool
	matching float64 // total of the matching rows; 0 where all match
	demangle func(linkage string) string
	path     string
	linkage  string
}

// functionItems makes items of a profile's rows; matching is nil where all rows
// match.
func functionItems(o *store.Overview, matching *analyze.Sum, demangle func(string) string) func(*store.FunctionRow) *functionItem {
	item := functionItem{hasEntry: analyze.HasEntry(o.Info.Variant), demangle: demangle}
	if matching != nil {
		item.matching = matching.Float64()
	}
	return func(row *store.FunctionRow) *functionItem {
		item.FunctionRow = row
		item.path, item.linkage = names.Split(row.Name)
		return &item
	}
}

// cached writes linkage names for one page, through the shared cache.
func (s *server) cached(mode names.Mode) func(string) string {
	return func(linkage string) string { return s.names.Demangle(linkage, mode) }
}

// uncached writes linkage names for a whole table, which would turn out of the
// cache what pages need again.
func uncached(mode names.Mode) func(string) string {
	return func(linkage string) string { return names.Demangle(linkage, mode) }
}

// functionColumns are all columns of the function table, in the order in which
// an object has them.
var functionColumns = []column[functionItem]{
	{"rank", 8, func(f *functionItem) cell { return intOf(uint64(f.Rank)) }},
	{"fid", 16, func(f *functionItem) cell { return textOf(fid(f.NameRef)) }},
	{"func_hash", 16, func(f *functionItem) cell { return textOf(fid(f.FuncHash)) }},
	{"name", 0, func(f *functionItem) cell { return named(f, string(f.Name)) }},
	{"name_hex", 0, nameHex},
	{"linkage_name", 0, func(f *functionItem) cell { return named(f, f.linkage) }},
	{"demangled", 0, func(f *functionItem) cell {
		if len(f.Name) == 0 {
			return cell{}
		}
		return textOf(f.demangle(f.linkage))
	}},
	{"path", 0, func(f *functionItem) cell { return textOf(f.path) }},
	{"class", 5, func(f *functionItem) cell {
		if f.Class == analyze.NoClass {
			return cell{}
		}
		return textOf(string(f.Class))
	}},
	{"total", 20, func(f *functionItem) cell { return bigCountOf(f.Total.String()) }},
	{"share", 8, func(f *functionItem) cell { return ratioOf(f.Share) }},
	{"share_matching", 14, func(f *functionItem) cell {
		if f.matching == 0 {
			return ratioOf(f.Share)
		}
		return ratioOf(f.Total.Float64() / f.matching)
	}},
	{"cum", 8, func(f *functionItem) cell { return ratioOf(f.Cum) }},
	{"entry", 20, func(f *functionItem) cell {
		if !f.hasEntry || f.Pseudo {
			return cell{}
		}
		return countOf(f.Entry)
	}},
	{"max", 20, func(f *functionItem) cell { return countOf(f.Max) }},
	{"max_index", 9, func(f *functionItem) cell { return intOf(uint64(f.MaxIndex)) }},
	{"counters", 8, func(f *functionItem) cell { return intOf(uint64(f.NumCounters)) }},
	{"zero", 8, func(f *functionItem) cell { return intOf(uint64(f.NumZero)) }},
	{"executed", 8, func(f *functionItem) cell { return boolOf(f.Executed()) }},
	{"value_sites", 11, func(f *functionItem) cell { return intOf(uint64(sitesOf(f.NumSites))) }},
	{"ordinal", 8, func(f *functionItem) cell { return intOf(f.Ordinal) }},
	{"context_sensitive", 17, func(f *functionItem) cell { return boolOf(f.CS) }},
	{"pseudo", 6, func(f *functionItem) cell { return boolOf(f.Pseudo) }},
}

// objectColumns is every column but the share of the matching rows, which only
// a filtered answer has.
var objectColumns, filteredColumns = func() (plain, filtered []string) {
	for _, c := range functionColumns {
		filtered = append(filtered, c.name)
		if c.name != "share_matching" {
			plain = append(plain, c.name)
		}
	}
	return plain, filtered
}()

// textColumns fit a terminal.
var textColumns = []string{"rank", "class", "total", "share", "cum", "max", "counters", "demangled"}

// usualColumns are those of an answer that was not asked for columns.
func usualColumns(f Format, filtered bool) []string {
	switch {
	case f == FormatText:
		return textColumns
	case filtered:
		return filteredColumns
	}
	return objectColumns
}

// named is null for a record whose name the file does not have.
func named(f *functionItem, text string) cell {
	if len(f.Name) == 0 {
		return cell{}
	}
	return textOf(text)
}

// nameHex is there only when name had to replace bytes.
func nameHex(f *functionItem) cell {
	if utf8.Valid(f.Name) {
		return cell{kind: absentCell}
	}
	return textOf(hex.EncodeToString(f.Name))
}

func sitesOf(n [model.NumValueKinds]uint32) uint32 { return n[0] + n[1] + n[2] }

// percent writes a share for a terminal.
func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', 2, 64) + "%" }

// fileName makes a name for a download of a profile's name: what file systems
// and shells understand without quoting.
func fileName(name, suffix string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-+", r):
			return r
		}
		return '_'
	}, name)
	if name = strings.TrimLeft(name, "."); name == "" {
		name = "profile"
	}
	return fmt.Sprintf("%.100s%s", name, suffix)
}
