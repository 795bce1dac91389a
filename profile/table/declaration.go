// Package table is what the tables of all families are made by. A row's struct is the
// declaration of its table: one field is one column, and the tags say what pages, the
// API, exports and the manual need to know of it, as tags do for encoding/json
// ([Declare] lists them). From that come how rows are ordered, ranged and searched
// ([Declaration.Within]), how they are written as JSON, CSV, NDJSON and text
// ([Declaration.Open]), and what the API's description says of a row
// ([Declaration.Described]).
package table

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"proflens/profile/query"
)

// Declaration is a table: its columns, and how it is used.
type Declaration struct {
	// About says what a row is, for the API's description: a sentence.
	About string
	// Noun is one row: "call". Nouns are many, where that is not the noun with an s.
	Noun, Nouns string
	// Usual is the order without sort=; a minus in front is for descending.
	Usual string
	// Show are the columns that its page has unless others are chosen, in order; * stands
	// for those that are [Made].
	Show string
	// Text are those of a terminal, in order; all where it is empty.
	Text string
	// Sought says what words are sought in: "caller, callee or file"; empty for the noun.
	Sought string
	// Apart is set where rows may be found by several goroutines at once: once nothing is
	// unsettled, the rest of a whole table is then written by every core.
	Apart bool
	// All is set where the envelope of JSON says how many rows there are before any are
	// selected.
	All bool
	// Least is the column that has a field for its least number beside the words.
	Least string
	// Around is a pointer to what stands around the rows in JSON, whose fields are declared as
	// those of a row are; nil where nothing does.
	Around any
	// Others are what cells are that only [Declaration.With] adds, as Field.As has it.
	Others string
	// Better says of which change of a comparison is good: "more" or "less"; empty for neither.
	Better string
	// States are the words of the bits of its [State], of a comparison of two profiles.
	States []StateWord

	rows  reflect.Type
	read  func() // reads the tags, once
	*tags        // as they were read, shared with what differs in words alone
}

// tags are what those of the structs say.
type tags struct {
	fields []*Field
	facets []Facet
	around []*Field
}

// Field is a column: a field of a row or, where that is a struct with columns, a field
// of it.
type Field struct {
	Name string // in sort=, cols= and ranges, and as scripts read it
	Head string // over its column
	Help string // what it is, in a few words
	How  string // the paragraph of the methods that says how it is worked out, and "a total"; empty for none
	// As is what a cell may be where its type does not tell, in the notation of package openapi.
	As   string
	From string       // what it is worked out from, in the words of its family; empty where its type says
	Of   reflect.Type // the struct that has it; nil of one that is Made
	Own  string       // its name there
	// Items are the columns of what a list holds, which scripts have as objects.
	Items []*Field
	// Unit is how its numbers are written: one of [Bytes] and the others, or empty.
	Unit string
	// Page is set of columns of pages, Script of those of scripts.
	Page, Script bool
	Sort         bool // it can be sorted by
	Up           bool // the first click sorts with the least first
	// Range is set where a range selects by it, Words where words are sought in it.
	Range, Words bool
	// Bar draws the number beside it, full for the largest of the rows shown, or, of a part
	// with OfWhole, for 1. Share says in a column behind it how much it is
	// of the whole.
	Bar, OfWhole, Share bool
	// Key is set of the fields that tell rows apart: what sel= names, with colons between.
	Key bool
	// Extra is set of columns that scripts have where they ask for them, or
	// [Declaration.And] names them.
	Extra bool
	// Signed is set of differences, which are written with their sign.
	Signed bool

	within   bool // a struct that can be missing
	numeric  bool // a computed one holds numbers
	made     bool // see Made
	width    int
	omitZero bool
	typ      reflect.Type
	path     []int // within a row; of a computed one, that of its struct
	cell     func(v reflect.Value, o *Options) Cell
	order    func(a, b any) int            // of Made.Compare
	by       query.Column                  // what its head sorts by; empty for the column itself
	change   string                        // of a column of Sides: see there
	number   func(v reflect.Value) float64 // what a computed column sorts by
	size     bool                          // it sorts by the size of that
}

// The units of numbers that are not plain counts.
const (
	Plain        = "plain"   // an index or a size, never quoted
	Hex64        = "hex"     // an ID, in sixteen hexadecimal digits
	Address      = "address" // as text: "0x401000"
	Bytes        = "bytes"
	Milliseconds = "ms"
	Part         = "part" // a share from 0 to 1, which pages and ranges have in per cent
)

// Facet is a field that tells some rows from the others, which can be had alone: yes or
// no, or a number that is not zero.
type Facet struct {
	Name  string // of the parameter
	Label string // of these rows
	Not   string // of the others, where they can be had alone too
	Help  string
	Count string // member of the API's envelope that says how many there are
	path  []int
}

// Computed is the type of a blank field: its column's cell is made by the struct's
// method Cell. That of a blank struct{} is the share of the struct, which is [Parted].
type Computed struct{}

// Celler makes the cells of columns that no field holds; the name is the column's own,
// as it stands in the tag.
type Celler interface {
	Cell(column string, o *Options) Cell
}

// Binder is a [Celler] that finds a column once for all rows that will stand where it does.
type Binder interface {
	Bind(column string, o *Options) func() Cell
}

// Declare reads the declaration of rows of R into d, from the tags of its fields:
//
//	col:"name"      the column's name. Of a struct, it is a column of pages, whose own
//	                fields are columns of scripts; where the name ends in _ it stands in
//	                front of theirs, and in place of the one that is its self
//	head:"Bytes"    over the column; without it the name is
//	help:"…"        what it is
//	as:"hot|cold"   what a cell may be where the type does not tell, in the notation of package
//	                openapi; "!" of a pointer to a struct that is never nil
//	how:"total a total"  where the methods say how it is worked out, and what that is of
//	width:"14"      characters of text; without it as long as it is, and last
//	from:"TotalSize" what it is worked out from, where that is not told by code
//	each:"a_ A,b_ B" of an array of structs, what stands in front of the columns of each,
//	                behind a name that ends in _, and of their heads
//	parts:"fid,…"   those columns alone of a struct's, embedded or not, or of what a slice holds; -
//	                for none
//	is:"sort,…"     sort, up, range, words, bar, whole, share, key, page (no column of scripts),
//	                script (none of pages), extra (of scripts that ask), omitzero (null where it is zero), self, number
//	                (of a computed column), signed (a difference), size (it sorts by its size), and
//	                the units
//	by:"name"       the column that its head sorts by
//	facet:"mixed"   rows can be selected by it; label:, not: and count: say how
//
// Rows of comparisons also embed [State], [Move] and [Sides].
//
// What is too long for a line goes on in the tag of a blank field behind it, which has no col.
//
// They are read when the first asks for them, since most runs of the program ask for one table of many.
// Where a tag is wrong, that panics: it is a fault of the program, found by the first test of the table.
func Declare[R any](d Declaration) *Declaration {
	d.rows, d.Nouns = reflect.TypeFor[R](), cmp.Or(d.Nouns, d.Noun+"s")
	d.tags = new(tags)
	d.read = sync.OnceFunc(func() {
		d.readStruct(d.rows, nil, scope{})
		if d.Around != nil {
			d.around = FieldsOf(reflect.TypeOf(d.Around).Elem())
		}
		for _, word := range slices.Concat(strings.Fields(d.Show), strings.Fields(d.Least), []string{
			strings.TrimPrefix(d.Usual, "-"),
		}) {
			if word != "" && word != made && named(d.fields, word) == nil {
				panic(fmt.Sprintf("table: %v has no column %q", d.rows, word))
			}
		}
	})
	return &d
}

// Fields are the columns of pages and of scripts, in the order of the struct.
func (d *Declaration) Fields() []*Field {
	d.read()
	return d.fields
}

// Facets are those of the rows' struct, in its order.
func (d *Declaration) Facets() []Facet {
	d.read()
	return d.facets
}

// scope is what stands around the fields of a struct within a row.
type scope struct {
	hidden bool     // they are parts of one column of pages
	within bool     // the struct can be missing
	prefix string   // of names, with its _
	head   string   // in front of theirs
	only   []string // own names of columns; nil for all
	help   string   // in front of theirs
}

// fields has the columns of each struct that was asked for.
var fields sync.Map

// FieldsOf are the columns that a struct declares, without a table of it. A type's are read once.
func FieldsOf(t reflect.Type) []*Field {
	list, ok := fields.Load(t)
	if !ok {
		list, _ = fields.LoadOrStore(t, fieldsOf(t, ""))
	}
	return list.([]*Field)
}

// fieldsOf are the columns of a struct, or those parts of them.
func fieldsOf(t reflect.Type, parts string) []*Field {
	d, s := Declaration{tags: new(tags)}, scope{}
	if parts != "" {
		s.only = strings.Split(parts, ",")
	}
	d.readStruct(t, nil, s)
	return d.fields
}

func (d *Declaration) readStruct(t reflect.Type, path []int, s scope) {
	for i := range t.NumField() {
		f := fieldOf(t, i)
		at := append(slices.Clone(path), i)
		if name, ok := f.Tag.Lookup("facet"); ok {
			d.facets = append(d.facets, Facet{
				name, f.Tag.Get("label"), f.Tag.Get("not"), f.Tag.Get("help"), f.Tag.Get("count"), at,
			})
		}
		own, ok := f.Tag.Lookup("col")
		pair, sides := f.Tag.Lookup("pair")
		switch {
		case sides:
			d.addSides(f, pair, at)
		case ok && (s.only == nil || slices.Contains(s.only, own)):
			d.add(t, f, own, at, s)
		case !ok && f.Anonymous && structOf(f.Type) != nil:
			within := s
			if parts := f.Tag.Get("parts"); parts != "" {
				within.only = strings.Split(parts, ",")
			}
			d.readStruct(structOf(f.Type), at, within)
		}
	}
}

// fieldOf is a field with its whole tag: a blank field behind it, without a column of its own, goes on
// with what is too long for a line.
func fieldOf(t reflect.Type, i int) reflect.StructField {
	f := t.Field(i)
	for i++; i < t.NumField(); i++ {
		more := t.Field(i)
		if _, own := more.Tag.Lookup("col"); own || more.Name != "_" {
			break
		}
		f.Tag += " " + more.Tag
	}
	return f
}

// structOf is the struct that a type is or points to, nil where it is none that has
// columns.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if _, ok := f.Tag.Lookup("col"); ok || f.Anonymous && structOf(f.Type) != nil {
			return t
		}
	}
	return nil
}

// add adds the column of a field, and those of the fields within it.
func (d *Declaration) add(of reflect.Type, f reflect.StructField, own string, path []int, s scope) {
	c := &Field{
		Name: s.prefix + own, Head: f.Tag.Get("head"), Help: strings.TrimSuffix(s.help+f.Tag.Get("help"), ": "),
		How: f.Tag.Get("how"), As: f.Tag.Get("as"), From: f.Tag.Get("from"),
		Page: !s.hidden, Script: true, within: s.within, Of: of, Own: own,
		path: path, typ: f.Type, by: query.Column(f.Tag.Get("by")), change: f.Tag.Get("change"),
	}
	c.width, _ = strconv.Atoi(f.Tag.Get("width"))
	c.traits(f.Tag.Get("is"), s.prefix)
	if f.Type == moveType {
		d.addMove(c)
		return
	}
	if each := f.Tag.Get("each"); each != "" {
		if strings.HasSuffix(own, "_") {
			s.prefix = c.Name
		}
		for i, one := range strings.Split(each, ",") {
			prefix, head, _ := strings.Cut(one, " ")
			d.readStruct(f.Type.Elem(), append(slices.Clone(path), i), scope{
				hidden: s.hidden, prefix: s.prefix + prefix, head: head, help: s.help,
			})
		}
		return
	}
	inner := structOf(f.Type)
	if inner == nil {
		if c.Head = cmp.Or(c.Head, headOfName(c.Name)); s.head != "" {
			c.Head = s.head + " " + cmp.Or(f.Tag.Get("head"), strings.ReplaceAll(own, "_", " "))
		}
		if c.typ == computedType || c.typ == shareType {
			c.path, c.numeric = path[:len(path)-1], c.numeric || c.typ == shareType
		}
		if f.Type.Kind() == reflect.Slice && structOf(f.Type.Elem()) != nil {
			c.Items = fieldsOf(structOf(f.Type.Elem()), f.Tag.Get("parts"))
		}
		if c.cell = c.celler(); f.Type == stateType {
			c.cell = func(v reflect.Value, _ *Options) Cell { return Text(d.words(State(v.Uint()))) }
		}
		d.fields = append(d.fields, c)
		return
	}
	within := scope{hidden: s.hidden || c.Head != "", within: s.within || f.Type.Kind() == reflect.Pointer && c.As != "!",
		help: s.help}
	if strings.HasSuffix(own, "_") {
		within.prefix = c.Name
		c.Name = strings.TrimSuffix(c.Name, "_")
	}
	if c.Help != "" && (within.prefix != "" || !within.hidden) {
		within.help = c.Help + ": "
	}
	if parts := f.Tag.Get("parts"); parts != "" {
		within.only = strings.Split(parts, ",")
	}
	if c.Head != "" {
		c.Script = false
		d.fields = append(d.fields, c)
	}
	d.readStruct(inner, path, within)
}

// traits takes the words of the tag.
func (c *Field) traits(is, prefix string) {
	for word := range strings.FieldsFuncSeq(is, func(r rune) bool { return r == ',' }) {
		if !c.trait(word, prefix) {
			panic(fmt.Sprintf("table: column %q: unknown trait %q", c.Name, word))
		}
	}
}

func (c *Field) trait(word, prefix string) bool {
	switch word {
	case "sort":
		c.Sort = true
	case "up":
		c.Up = true
	case "range":
		c.Range = true
	case "words":
		c.Words = true
	case "bar":
		c.Bar = true
	case "whole":
		c.OfWhole = true
	case "share":
		c.Share = true
	case "key":
		c.Key = true
	case "extra":
		c.Extra = true
	case "omitzero":
		c.omitZero = true
	case "number":
		c.numeric = true
	case "signed":
		c.Signed, c.number = true, reflect.Value.Float
	case "size":
		c.size = true
	case "page":
		c.Script = false
	case "script":
		c.Page = false
	case "self":
		if prefix != "" {
			c.Name = strings.TrimSuffix(prefix, "_")
		}
	case Bytes, Milliseconds, Part, Plain, Hex64, Address:
		c.Unit = word
	default:
		return false
	}
	return true
}

// Type is that of what the field holds, without a pointer to it; null reports whether a cell can
// be null by its declaration.
func (f *Field) Type() (t reflect.Type, null bool) {
	if f.typ.Kind() == reflect.Pointer {
		return f.typ.Elem(), true
	}
	return f.typ, f.omitZero || f.within
}

// Described is what the API's description is made of: the type of the rows, and the columns of
// what stands around them in JSON.
func (d *Declaration) Described() (rows reflect.Type, around []*Field) {
	d.read()
	return d.rows, d.around
}

// headOfName is the head of a column that has none: "cold_bytes" is "Cold bytes".
func headOfName(name string) string {
	text := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// Field is the column of a name, that of pages where there is another for scripts; nil
// where there is none.
func (d *Declaration) Field(name string) *Field { return named(d.Fields(), name) }

func named(fields []*Field, name string) (found *Field) {
	for _, f := range fields {
		if f.Name == name && (found == nil || f.Page) {
			found = f
		}
	}
	return found
}

// HasWords reports whether words are sought in any column.
func (d *Declaration) HasWords() bool {
	return slices.ContainsFunc(d.Fields(), func(f *Field) bool { return f.Words })
}

// Sorts are the columns that rows can be sorted by.
func (d *Declaration) Sorts() []query.Column { return d.which(func(f *Field) bool { return f.Sort }) }

// Ranges are the columns that a range selects by.
func (d *Declaration) Ranges() []query.Column { return d.which(func(f *Field) bool { return f.Range }) }

func (d *Declaration) which(is func(*Field) bool) (list []query.Column) {
	for _, f := range d.Fields() {
		if is(f) {
			list = append(list, query.Column(f.Name))
		}
	}
	return list
}

// OnPage are the columns of pages, the usual ones first, and how many those are.
func (d *Declaration) OnPage() (fields []*Field, usual int) {
	for name := range strings.FieldsSeq(d.Show) {
		if name != made {
			fields = append(fields, d.Field(name))
			continue
		}
		for _, f := range d.Fields() {
			if f.made {
				fields = append(fields, f)
			}
		}
	}
	usual = len(fields)
	for _, f := range d.Fields() {
		if f.Page && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	return fields, usual
}

// Sorts is the column that a click on the head sorts by; empty where it cannot.
func (f *Field) Sorts() query.Column {
	switch {
	case f.by != "":
		return f.by
	case f.Sort:
		return query.Column(f.Name)
	}
	return ""
}

// Key is the usual order.
func (d *Declaration) Key() query.Key {
	name, desc := strings.CutPrefix(d.Usual, "-")
	return query.Key{Column: query.Column(name), Desc: desc}
}

// follow is a field of a row, the zero Value where a pointer to it is nil.
func follow(row reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if row.Kind() == reflect.Pointer {
			if row.IsNil() {
				return reflect.Value{}
			}
			row = row.Elem()
		}
		if row.Kind() == reflect.Array {
			row = row.Index(i)
		} else {
			row = row.Field(i)
		}
	}
	return row
}
