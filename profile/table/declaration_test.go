package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/profile/query"
)

// A family made for the tests: animals, with the column "weight" declared once.
type animal struct {
	ID     uint64      `col:"id" width:"16" is:"hex,key"`
	Name   *person     `col:"owner_" parts:"fid,name" head:"Owner" help:"whose it is" is:"sort,up,words"`
	Weight uint64      `col:"weight" width:"8" head:"Weight"`
	_      struct{}    `help:"of the animal" how:"weights a weight" is:"sort,range,bytes,bar,share"`
	Food   analyze.Sum `col:"food" width:"12" is:"sort,range"`
	Born   uint32      `col:"born" width:"5" is:"omitzero,sort"`
	Share  float64     `col:"share" width:"7" is:"part"`
	Kinds  [2]kind     `col:"kinds" each:"wild_ Wild,tame_ Tame"`
	Legs   []byte      `col:"legs" is:"sort"`
	Tame   bool        `col:"tame" facet:"tame" label:"Tame ones" count:"tamed"`
	_      Computed    `col:"sound" is:"sort"`
}

type kind struct {
	Count int `col:"count" width:"6" is:"sort"`
}

type person struct {
	FID   uint64   `col:"fid" width:"16" is:"hex"`
	_     Computed `col:"name" is:"self"`
	Inner int      `col:"inner"`
	text  string
}

func (n *person) Cell(_ string, o *Options) Cell { return Text(o.Demangle(n.text)) }
func (n *person) Words(show func([]byte))        { show([]byte(n.text)) }
func (n *person) Compare(other any) int          { return strings.Compare(n.text, other.(*person).text) }

func (a *animal) Cell(string, *Options) Cell {
	if a.Tame {
		return Text("purr")
	}
	return Text("roar")
}

// cages stand around animals.
type cages struct {
	Cages int `col:"cages"`
}

var animals = Declare[animal](Declaration{
	Around: (*cages)(nil),
	Noun:   "animal", Usual: "-weight", Show: "owner weight", Text: "weight owner", All: true,
	Least: "weight",
})

func zoo() []animal {
	return []animal{
		{
			ID: 1, Name: &person{FID: 10, text: "ann"}, Weight: 5, Food: analyze.Sum{Lo: 7}, Born: 2001, Share: 0.5,
			Kinds: [2]kind{{1}, {2}}, Legs: []byte{4},
		},
		{ID: 2, Weight: 9, Food: analyze.Sum{Hi: 1}, Tame: true},
		{ID: 3, Name: &person{FID: 11, text: "bob"}, Weight: 7, Food: analyze.Sum{Lo: 9}, Legs: []byte{2}},
	}
}

func found(t *testing.T, q Query) (ids []uint64, page Page) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 10
	}
	page, err := animals.Within(Set{Rows: zoo(), Around: &cages{3}})(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range page.Len() {
		ids = append(ids, page.Row(i).Addr().Interface().(*animal).ID)
	}
	return ids, page
}

// A column stands once, in the row, and has an order, a range, a head, and its place in
// every format.
func TestDeclaredColumns(t *testing.T) {
	for sort, want := range map[string][]uint64{
		"": {2, 3, 1}, "weight": {1, 3, 2}, "-food": {2, 3, 1}, "owner": {2, 1, 3}, "-owner": {3, 1, 2},
		"wild_count": {2, 3, 1},
		"born":       {2, 3, 1}, "-legs": {1, 3, 2}, "sound": {2, 1, 3},
	} {
		var q Query
		if column, desc := strings.CutPrefix(sort, "-"); sort != "" {
			q.Sort = []query.Key{{Column: query.Column(column), Desc: desc}}
		}
		if got, _ := found(t, q); !slices.Equal(got, want) {
			t.Errorf("sort=%s gives %v, want %v", sort, got, want)
		}
	}
	for column, span := range map[string][2]uint64{"weight": {6, 8}, "food": {8, 100}} {
		q := Query{
			RowQuery: query.RowQuery{Ranges: []query.Range{{Column: query.Column(column), Min: span[0], Max: span[1]}}},
		}
		if got, page := found(t, q); !slices.Equal(got, []uint64{3}) || page.Matching != 1 || page.All != 3 {
			t.Errorf("%s=%v gives %v, %+v", column, span, got, page)
		}
	}
	if got, page := found(t, Query{Facets: []string{"tame"}}); !slices.Equal(got, []uint64{2}) ||
		!slices.Equal(page.Facets, []int{1}) {
		t.Errorf("%v, %v", got, page.Facets)
	}
	if got, _ := found(t, Query{RowQuery: query.RowQuery{Text: "bo"}}); !slices.Equal(got, []uint64{3}) {
		t.Errorf("%v", got)
	}
	if got, page := found(t, Query{RowQuery: query.RowQuery{Offset: 1, Limit: 1}}); !slices.Equal(got, []uint64{3}) ||
		page.Matching != 3 {
		t.Errorf("%v, %+v", got, page)
	}
	q := Query{RowQuery: query.RowQuery{Sort: []query.Key{{Column: "id"}}}}
	if _, err := animals.Within(Set{Rows: zoo()})(t.Context(), q); err == nil ||
		!strings.Contains(err.Error(), "owner, weight, food") {
		t.Errorf("sorted by a column without an order: %v", err)
	}
	if !slices.Equal(animals.Sorts(), []query.Column{
		"owner", "weight", "food", "born", "wild_count", "tame_count", "legs", "sound",
	}) {
		t.Error(animals.Sorts())
	}
	if !slices.Equal(animals.Ranges(), []query.Column{"weight", "food"}) ||
		animals.Key() != (query.Key{Column: "weight", Desc: true}) {
		t.Error(animals.Ranges(), animals.Key())
	}
	fields, usual := animals.OnPage()
	if usual != 2 || fields[0].Head != "Owner" || fields[0].Help != "whose it is" || !fields[1].Number() ||
		animals.Field("wild_count").Head != "Wild count" {
		t.Errorf("%d, %+v", usual, fields)
	}
}

// What a row's struct declares is what scripts read, in all formats.
func TestDeclaredFormats(t *testing.T) {
	o := Options{Demangle: strings.ToUpper, Quote: true}
	for format, want := range map[Format]string{
		FormatCSV: "id,owner_fid,owner,weight,food,born,share,wild_count,tame_count,legs,tame,sound\r\n" +
			"0000000000000002,,,9,18446744073709551616,,0,0,0,,true,purr\r\n" +
			"0000000000000003,000000000000000b,BOB,7,9,,0,0,0,02,false,roar\r\n" +
			"0000000000000001,000000000000000a,ANN,5,7,2001,0.5,1,2,04,false,roar\r\n",
		FormatText: "  weight  owner\n       9  \n       7  BOB\n       5  ANN\n",
		FormatJSON: `{"items":[{"weight":"9","owner":null}],"next_cursor":"1","total":3,"all":3,"cages":3,"tamed":1}` + "\n",
	} {
		var cols []string
		limit := -1
		if format == FormatJSON {
			cols, limit = []string{"weight", "owner"}, 1
		}
		table := animals.Open(animals.Within(Set{Rows: zoo(), Around: &struct {
			Cages int `col:"cages"`
		}{3}}), Query{}, o, true)
		rows, err := table.Select(cols, format)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := rows.Copy(t.Context(), 0, limit,
			func() (*Writer, error) { return NewWriter(&b, format, rows.Head) }); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%s is\n%s\nwant\n%s", format, b.String(), want)
		}
	}
}

// A tag that is wrong is found by the first who asks for a column.
func TestWrongTags(t *testing.T) {
	for name, d := range map[string]*Declaration{
		"an unknown trait": Declare[struct {
			A int `col:"a" is:"sorted"`
		}](Declaration{}),
		"a type without cells": Declare[struct {
			A map[string]int `col:"a"`
		}](Declaration{}),
		"an order by no column": Declare[struct {
			A int `col:"a"`
		}](Declaration{Usual: "-b"}),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", name)
				}
			}()
			d.Fields()
		}()
	}
}

// A function's name has the columns that all tables of functions have alike.
func TestNames(t *testing.T) {
	type row struct {
		Name Name `col:"function" head:"Function" is:"sort,up,words"`
	}
	d := Declare[row](Declaration{})
	rows := []row{{Name{Ref: 1, PGO: "a.cpp;_Z3foov"}}, {Name{Ref: 2}}, {Name{Ref: 3, PGO: "\xff"}}}
	var b bytes.Buffer
	opened, err := d.Open(d.Within(Set{Rows: rows}), Query{}, Options{Demangle: strings.ToUpper}, true).Select(
		nil, FormatNDJSON)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Copy(t.Context(), 0, -1,
		func() (*Writer, error) { return NewWriter(&b, FormatNDJSON, opened.Head) }); err != nil {
		t.Fatal(err)
	}
	want := `{"fid":"0000000000000001","name":"a.cpp;_Z3foov","linkage_name":"_Z3foov","demangled":"_Z3FOOV","path":"a.cpp"}
{"fid":"0000000000000002","name":null,"linkage_name":null,"demangled":null,"path":""}
{"fid":"0000000000000003","name":"` + "\ufffd" + `","name_hex":"ff","linkage_name":"` + "\ufffd" + `","demangled":"` + "\ufffd" + `","path":""}
{"_end":true,"rows":3}
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// Rows of one set can have columns of their own, which are sorted by, shown and written as
// those of their struct are.
func TestMadeColumns(t *testing.T) {
	type row struct {
		Name string `col:"name" is:"words"`
		Last int    `col:"last"`
		of   []uint64
	}
	d := Declare[row](Declaration{Show: "name * last"})
	var list []Made
	for i, name := range []string{"cycles", "two words", "a,b"} {
		list = append(list, Made{
			Name: name, Is: "sort,number", Cell: func(r any, _ *Options) Cell { return Count(r.(*row).of[i]) },
		})
	}
	list[1].Compare = func(a, b any) int { return strings.Compare(b.(*row).Name, a.(*row).Name) }
	here := d.With("-cycles", list)
	rows := []row{{"a", 1, []uint64{3, 0, 1}}, {"b", 2, []uint64{5, 0, 2}}, {"", 3, []uint64{4, 0, 3}}}
	write := func(q Query) string {
		var b bytes.Buffer
		opened, err := here.Open(here.Within(Set{Rows: rows}), q, Options{}, true).Select(nil, FormatCSV)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := opened.Copy(t.Context(), 0, -1,
			func() (*Writer, error) { return NewWriter(&b, FormatCSV, opened.Head) }); err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(b.String(), "\r\n", "\n")
	}
	if got, want := write(Query{}), "name,last,cycles,two words,\"a,b\"\nb,2,5,0,2\n,3,4,0,3\na,1,3,0,1\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	q := Query{RowQuery: query.RowQuery{Regexp: "^", Sort: []query.Key{{Column: "two words"}}}}
	if got, want := write(q), "name,last,cycles,two words,\"a,b\"\nb,2,5,0,2\na,1,3,0,1\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	var shown []string
	fields, usual := here.OnPage()
	for _, f := range fields[:usual] {
		shown = append(shown, f.Name)
	}
	if got := strings.Join(shown, "|"); got != "name|cycles|two words|a,b|last" || len(here.Sorts()) != 2 ||
		len(d.Fields()) != 2 {
		t.Errorf("%s, %v of %d", got, here.Sorts(), len(d.Fields()))
	}
}

// A list is ordered by how long it is, and what stands around rows has a place in JSON only
// where it has columns.
func TestListsAndNothingAround(t *testing.T) {
	type row struct {
		Name string `col:"name"`
		Toes toes   `col:"toes" is:"sort,up"`
	}
	d := Declare[row](Declaration{All: true})
	rows := []row{{"cat", toes{5, 5, 4, 4}}, {"cow", toes{2, 2}}, {"eel", nil}}
	page, err := d.Within(Set{Rows: rows})(t.Context(), Query{
		RowQuery: query.RowQuery{Limit: 9, Sort: []query.Key{{Column: "toes"}}},
	})
	if err != nil || page.Len() != 3 || page.Row(0).Field(0).String() != "eel" || page.Row(2).Field(0).String() != "cat" {
		t.Errorf("%+v, %v", page, err)
	}
	for want, around := range map[string]any{
		`],"next_cursor":null,"total":3,"all":3}`: &struct{ Unsaid int }{7},
		`],"next_cursor":null,"total":3,"all":3,"paws":"12"}`: &struct {
			Paws uint64 `col:"paws"`
		}{12},
	} {
		d := Declare[row](Declaration{All: true, Around: around})
		opened, err := d.Open(d.Within(Set{Rows: rows, Around: around}), Query{}, Options{Quote: true}, true).Select(
			nil, FormatJSON)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := opened.Page(t.Context(), &b, 0, 10); err != nil || !strings.HasSuffix(b.String(), want+"\n") {
			t.Errorf("%s does not end with %s, %v", b.String(), want, err)
		}
	}
}

type toes []int

func (l *toes) Cell(string, *Options) Cell { return JSON(fmt.Append(nil, len(*l))) }

// A tag that is too long for a line goes on behind a blank field, which is no column.
func TestTagsGoOn(t *testing.T) {
	type buoy struct {
		Name  string   `col:"name" head:"Buoy"`
		_     struct{} `help:"as charts call it" how:"buoys a name"`
		_     struct{} `is:"sort,up"`
		Depth int      `col:"depth"`
	}
	d := Declare[buoy](Declaration{Noun: "buoy"})
	name, depth := d.Field("name"), d.Field("depth")
	if len(d.Fields()) != 2 || name.Help != "as charts call it" || name.How != "buoys a name" || !name.Up || !name.Sort ||
		depth.Help != "" {
		t.Errorf("%d columns: %+v, %+v", len(d.Fields()), name, depth)
	}
}
