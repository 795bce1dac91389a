package openapi

import (
	"encoding/json"
	"reflect"
	"testing"

	"proflens/analyze"
	"proflens/profile/table"
)

// animal is a row made for the test.
type animal struct {
	ID     uint64         `col:"id" is:"hex,key"`
	Owner  *person        `col:"owner_" head:"Owner" help:"whose it is"`
	Weight uint64         `col:"weight" help:"of the animal"`
	Food   analyze.Sum    `col:"food"`
	Born   uint32         `col:"born" is:"omitzero"`
	Share  float64        `col:"share" as:"number 0..1"`
	Seen   []place        `col:"seen"`
	Tags   []uint64       `col:"tags" is:"hex"`
	Tame   bool           `col:"tame" facet:"tame" label:"Tame ones" count:"tamed"`
	_      table.Computed `col:"sound" as:"purr|roar null"`
	_      table.Computed `col:"heart" is:"number"`
}

func (*animal) Cell(string, *table.Options) table.Cell { return table.Null }

type person struct {
	Name string `col:"name"`
}

type place struct {
	Line uint32 `col:"line"`
}

var animals = table.Declare[animal](table.Declaration{
	About: "An animal.", Noun: "animal", All: true, Around: (*struct {
		Cages int `col:"cages"`
	})(nil),
})

func made() *document {
	return &document{
		schemas: object{}, types: map[string]line{}, says: map[string]string{}, params: map[string]line{},
		joined: map[reflect.Type]bool{}, begun: map[string]bool{}, used: map[string]bool{},
	}
}

func (d *document) check(t *testing.T, name, want string) {
	t.Helper()
	got, err := json.Marshal(d.schemas[name])
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// What is said of rows, and of the list of them, follows from their declaration; a line says more
// where that has no room.
func TestDeclared(t *testing.T) {
	d := made()
	d.learn("", `
		=openapi.animal
		.born: Year of its birth.`)
	d.table("Animal Zoo", animals)
	d.check(t, "Animal", `{"additionalProperties":false,"description":"An animal.","properties":{`+
		`"born":{"description":"Year of its birth.","minimum":0,"type":["integer","null"]},`+
		`"food":{"$ref":"#/components/schemas/Count"},`+
		`"heart":{"anyOf":[{"$ref":"#/components/schemas/Count"},{"type":"null"}]},`+
		`"id":{"pattern":"^[0-9a-f]{16}$","type":"string"},`+
		`"owner_name":{"description":"Whose it is.","type":["string","null"]},`+
		`"seen":{"items":{"additionalProperties":false,"properties":{"line":{"minimum":0,"type":"integer"}},`+
		`"required":["line"],"type":"object"},"type":"array"},`+
		`"share":{"maximum":1,"minimum":0,"type":"number"},"sound":{"enum":[null,"purr","roar"],"type":["string","null"]},`+
		`"tags":{"items":{"pattern":"^[0-9a-f]{16}$","type":"string"},"type":"array"},"tame":{"type":"boolean"},`+
		`"weight":{"$ref":"#/components/schemas/Count","description":"Of the animal."}},"type":"object"}`)
	d.check(t, "Zoo", `{"additionalProperties":false,"properties":{"all":{"minimum":0,"type":"integer"},`+
		`"cages":{"minimum":0,"type":"integer"},"items":{"items":{"$ref":"#/components/schemas/Animal"},"type":"array"},`+
		`"next_cursor":{"type":["string","null"]},"tamed":{"minimum":0,"type":"integer"},`+
		`"total":{"minimum":0,"type":"integer"}},`+
		`"required":["items","next_cursor","total","all","tamed","cages"],"type":"object"}`)
}

// An object that is written by hand is said by lines, and has what another has.
func TestSaid(t *testing.T) {
	d := made()
	d.learn("", `
		=Cell: A room.
		.name !: Over its door.
		.size integer 1.. null
		=House
		.+ Cell size -name
		.doors list ..4 Cell
		.* integer or fid`)
	for _, a := range d.adopted {
		d.adopt(a)
	}
	d.check(t, "Cell", `{"additionalProperties":false,"description":"A room.","properties":{`+
		`"name":{"description":"Over its door.","type":"string"},"size":{"minimum":1,"type":["integer","null"]}},`+
		`"required":["name"],"type":"object"}`)
	d.check(t, "House", `{"additionalProperties":{"anyOf":[{"type":"integer"},`+
		`{"pattern":"^[0-9a-f]{16}$","type":"string"}]},"properties":{`+
		`"doors":{"items":{"$ref":"#/components/schemas/Cell"},"maxItems":4,"type":"array"},`+
		`"size":{"minimum":1,"type":["integer","null"]}},"required":["size"],"type":"object"}`)
}

// The names of families stand where their word does.
func TestFamiliesAreNamed(t *testing.T) {
	d := made()
	d.families = "cats|dogs"
	d.learn("", "=Kept {families}|none: What is kept.")
	d.check(t, "Kept", `{"description":"What is kept.","enum":["cats","dogs","none"],"type":"string"}`)
}
