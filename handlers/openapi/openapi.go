// Package openapi makes the document of the API from the routes: their addresses from the
// router, their parameters from the lists that their handlers read, their objects from the
// structs that they encode, and of each what it says in sentences, a line a thing:
//
//	heap listModules: Segments of raw heap profiles     its subject, its name and a title
//	Executable segments mapped when ...                 more about it
//	?limit integer 1..1000 =100: Maximum number of ...  a parameter that means something else elsewhere
//	<Merge                                              what is sent: an object, or a medium
//	>200 ModuleList table: The modules.                 an answer: objects, media and what it is
//	+Location: The profile's page.                      a header of that answer
//	>400 404                                            answers that say what they always do
//	=model.Finding Finding: What is wrong with a file.  the name of a struct's object, and what it is
//	.offset: Bytes from the start.                      a member of it, where its tag has no room
//	=Frame: A level of a call stack.                    an object that no struct or table is written to
//	.line integer 0.. !: Its line.                      a member of it, which is always there
//	.+ Function fid -path                               all members of another object but path, fid always
//	.* Count                                            and any others, of any kind without a word
//
// Parameters that mean the same on all routes, or on all of a family, are said once, in
// [site.Params] and in the family's. A tag of a struct's field says what it is, doc:"...", and
// what it may be, is:"hot|cold"; is:"!" is never null, is:"null" may be.
// {families} stands for the names of all families, as hot|cold.
package openapi

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
	"proflens/profile/table"
)

type object = map[string]any

//go:embed head.json
var head []byte // what is about no route

// faults are the answers that say the same everywhere.
const faults = `
	>304 NotModified: The client already has this answer.
	>400 BadParameter: A parameter is unknown or wrong. The detail says what is allowed.
	>401 Unauthorized: A token is needed: an upload token or the profile's delete token to change something; any server
	token to read from a private server.
	>403 Forbidden: The token is wrong, or the request comes from another site's page.
	>404 NotFound: No such profile, function or file.
	>409 NotReady: The profile is not decoded yet.
	>410 Gone: The profile was deleted or has expired.
	>413 TooLarge: The upload exceeds a limit.
	>422 NotDecodable: The profile is stored but cannot be decoded. The finding says why.
	>500 Internal: A server fault or timeout. request_id identifies it in the log.`

// document is one being made.
type document struct {
	paths, parameters, responses, schemas object

	params map[string]line // by scope and name
	faults map[string]object
	types  map[string]line   // their names
	says   map[string]string // of members, by type and name
	used   map[string]bool   // of params and of says
	joined map[reflect.Type]bool
	begun  map[string]bool // objects that a struct was joined to

	families string // names with bars between, for the word {families}

	adopted []adoption
	wrong   []error
}

// declared is between a route and a parameter that only the declaration of its table says.
const declared = " declared "

// Make makes the document of the routes. objects are by the names of what they are written as:
// structs, several of one name where they are written as one; tables, with the name of the list
// of them behind that of a row; and columns. An error says what is missing.
func Make(routes chi.Routes, families []*site.Family, objects ...map[string]any) ([]byte, error) {
	d := &document{
		paths: object{}, parameters: object{}, responses: object{}, schemas: object{}, faults: map[string]object{},
		params: map[string]line{}, used: map[string]bool{},
		types: map[string]line{}, says: map[string]string{}, joined: map[reflect.Type]bool{},
		begun: map[string]bool{},
	}
	var names []string
	for _, f := range families {
		if f.Figures != nil {
			names = append(names, string(f.Name))
		}
	}
	d.families = strings.Join(names, "|")
	var whole object
	d.wrong = []error{json.Unmarshal(head, &whole)}
	calls := map[string]site.Call{}
	visit := func(method, path string, h http.Handler, _ ...func(http.Handler) http.Handler) error {
		if call, ok := h.(site.Call); ok {
			at := method + " " + path
			calls[at] = call
			for _, part := range call.Said {
				d.learn(at+" ", part.Says)
				d.learn(at+declared, part.Declared)
			}
		}
		return nil
	}
	d.wrong = append(d.wrong, chi.Walk(routes, visit))
	d.learn("", site.Params+site.ObjectsSay)
	for _, f := range families {
		d.learn(string(f.Name)+"_", f.Params)
		objects = append(objects, f.Objects)
	}
	for _, named := range objects {
		for name, value := range named {
			if t := reflect.TypeOf(value).String(); d.types[t].words == nil {
				d.types[t] = line{words: []string{t, name}}
			}
		}
	}
	for _, named := range objects {
		for _, name := range slices.Sorted(maps.Keys(named)) {
			switch of := named[name].(type) {
			case *table.Declaration:
				d.table(name, of)
			case []*table.Field:
				s := empty()
				d.columns(s, of, false)
				d.schemas[name] = s
			default:
				d.join(name, reflect.TypeOf(of))
			}
		}
	}
	for _, a := range d.adopted {
		d.adopt(a)
	}
	for _, f := range families {
		d.figures(f)
	}
	for _, l := range read(faults) {
		response := object{"description": l.says}
		if d.responses[l.words[1]] = response; l.words[0] != "304" {
			d.content(under(response, "content"), []string{"Problem"}, "application/problem+json")
		}
		d.faults[l.words[0]] = ref("responses", l.words[1])
	}
	d.faults["default"] = d.faults["500"]
	for _, at := range slices.Sorted(maps.Keys(calls)) {
		d.describe(at, calls[at].Said)
	}
	for name := range d.params {
		if !d.used[name] && !strings.Contains(name, declared) {
			d.fail("no route takes the parameter %s", name)
		}
	}
	for member := range d.says {
		if !d.used[member] {
			d.fail("no object has the member %s", member)
		}
	}
	whole["paths"] = d.paths
	components := whole["components"].(object)
	components["parameters"], components["responses"], components["schemas"] = d.parameters, d.responses, d.schemas
	b, err := json.Marshal(whole)
	return b, errors.Join(append(d.wrong, err)...)
}

func (d *document) fail(format string, args ...any) {
	d.wrong = append(d.wrong, fmt.Errorf(format, args...))
}
