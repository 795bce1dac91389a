// Package openapi makes the document of the API from the routes: their addresses from the
// router, their parameters from the lists that their handlers read, their objects from the
// structs that they encode, and of each what it says in sentences, a line a thing:
//
//	heap listModules: Segments of raw heap profiles     its subject, its name and a title
//	Executable segments mapped when ...                 more about it
//	?limit integer 1..1000 =100: Maximum number of ...  a parameter that means something else elsewhere
//	<json Merge                                         what is sent: a medium, an object
//	>200 ModuleList table: The modules.                 an answer: objects, media and what it is
//	+Location: The profile's page.                      a header of that answer
//	>400 404                                            answers that say what they always do
//	=model.Finding Finding: What is wrong with a file.  the name of a struct's object, and what it is
//
// Parameters that mean the same on all routes, or on all of a family, are said once, in
// [site.Params] and in the family's.
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
)

var (
	//go:embed head.json
	head []byte // what is about no route
	//go:embed rows.json
	rows []byte // objects that no struct is encoded to
)

// faults are what answers say that are the same everywhere.
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

// usual are the statuses of a route that says none: one of an opened profile.
var usual = []string{"304", "400", "404", "409", "410", "422"}

// document is one being made.
type document struct {
	paths                          map[string]object
	parameters, responses, schemas object
	common                         map[string]line
	families                       map[*site.Family]map[string]line
	faults                         map[string]string // their names by status
	objects                        map[string]line   // by type
	says                           map[string]string // of members, by type and name, where a tag has no room
	joined                         map[reflect.Type]bool
	wrong                          []error
}

// Make makes the document of the routes. objects are structs by the names of what they are
// written as, several of one name where they are written as one. An error says what is missing.
func Make(routes chi.Routes, objects ...map[string]any) ([]byte, error) {
	d := &document{
		paths: map[string]object{}, parameters: object{}, responses: object{}, schemas: object{},
		common: declarations(site.Params), families: map[*site.Family]map[string]line{}, faults: map[string]string{}, objects: map[string]line{}, says: map[string]string{}, joined: map[reflect.Type]bool{},
	}
	whole := object{}
	d.fail(json.Unmarshal(head, &whole))
	d.fail(json.Unmarshal(rows, &d.schemas))
	for _, l := range read(faults) {
		d.faults[l.words[0]] = l.words[1]
		response := object{"description": l.says}
		if l.words[0] != "304" {
			response["content"] = object{"application/problem+json": object{"schema": ref("schemas", "Problem")}}
		}
		d.responses[l.words[1]] = response
	}
	d.faults["default"] = d.faults["500"]
	d.objectsOf(routes, objects)
	d.fail(chi.Walk(routes, func(method, path string, h http.Handler, _ ...func(http.Handler) http.Handler) error {
		if call, ok := h.(site.Call); ok {
			d.describe(strings.ToLower(method), strings.TrimSuffix(path, "/"), call.Said)
		}
		return nil
	}))
	whole["paths"] = d.paths
	components := whole["components"].(object)
	components["parameters"], components["responses"], components["schemas"] = d.parameters, d.responses, d.schemas
	b, err := json.Marshal(whole)
	d.fail(err)
	return b, errors.Join(d.wrong...)
}

// objectsOf adds the objects that structs are written as.
func (d *document) objectsOf(routes chi.Routes, objects []map[string]any) {
	texts := map[string]bool{site.Params: true}
	families := map[*site.Family]bool{nil: true}
	d.fail(chi.Walk(routes, func(_, _ string, h http.Handler, _ ...func(http.Handler) http.Handler) error {
		call, _ := h.(site.Call)
		for _, part := range call.Said {
			if texts[part.Says] = true; !families[part.Of] {
				families[part.Of] = true
				texts[part.Of.Params] = true
				objects = append(objects, part.Of.Objects)
			}
		}
		return nil
	}))
	for text := range texts {
		var of string // the type whose members are said
		for _, l := range read(text) {
			switch l.mark {
			case named:
				if of = l.words[0]; len(l.words) > 1 {
					d.objects[of] = l
				}
			case member:
				d.says[of+"."+l.words[0]] = l.says
			}
		}
	}
	for _, roots := range objects {
		for name, value := range roots {
			t := reflect.TypeOf(value)
			if _, ok := d.objects[t.String()]; !ok {
				d.objects[t.String()] = line{words: []string{t.String(), name}}
			}
		}
	}
	for _, roots := range objects {
		for _, name := range slices.Sorted(maps.Keys(roots)) {
			d.join(name, reflect.TypeOf(roots[name]))
		}
	}
}

func (d *document) fail(err error) {
	if err != nil {
		d.wrong = append(d.wrong, err)
	}
}

func ref(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// describe adds an operation. A route without a title is another address of one that has it.
func (d *document) describe(method, path string, said []site.Said) {
	var list []line
	own := map[string]line{}
	op := object{}
	for _, part := range said {
		for i, l := range read(part.Says) {
			switch {
			case l.mark == parameter:
				own[l.words[0]] = l
			case l.mark == unmarked && i > 0:
				op["description"] = l.says
			case l.mark == unmarked:
				op["tags"], op["operationId"], op["summary"] = l.words[:1], l.words[1], l.says
			default:
				list = append(list, l)
			}
		}
	}
	if op["operationId"] == nil {
		return
	}
	parameters, fields := d.taken(path, own, said)
	if len(parameters) > 0 {
		op["parameters"] = parameters
	}
	for name := range own {
		d.fail(fmt.Errorf("%s takes no parameter %s", op["operationId"], name))
	}
	responses := d.answers(list)
	op["responses"] = responses
	if responses["401"] != nil {
		op["security"] = []object{{}, {"uploadToken": []string{}}}
		if strings.Contains(path, "/profiles/{id}") && method != "put" {
			op["security"].([]object)[0]["deleteToken"] = []string{}
		}
	}
	content := object{}
	for _, l := range list {
		if l.mark == body {
			d.content(content, l, fields, "application/json")
			op["requestBody"] = object{"required": true, "content": content}
		}
	}
	if d.paths[path] == nil {
		d.paths[path] = object{}
	}
	d.paths[path][method] = op
}

// taken are the parameters of an operation, with those of its path first, and the fields that
// a form has in their place. What is said of the operation alone is taken out of own.
func (d *document) taken(path string, own map[string]line, said []site.Said) (list []object, fields object) {
	fields = object{}
	var inPath []string
	for _, part := range strings.Split(path, "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		inPath = append(inPath, name)
	}
	missing := map[string]bool{}
	for _, part := range slices.Concat([]site.Said{{Keys: inPath}}, said) {
		if d.families[part.Of] == nil && part.Of != nil {
			d.families[part.Of] = declarations(part.Of.Params)
		}
		for _, key := range part.Keys {
			if _, ok := fields[key]; ok {
				continue
			}
			name := key
			l, ok := d.common[key]
			if mine, has := d.families[part.Of][key]; has {
				l, ok, name = mine, true, string(part.Of.Name)+"_"+key
			}
			if alone, has := own[key]; has {
				l, ok, name = alone, true, ""
				delete(own, key)
			}
			if missing[key] = !ok; !ok {
				continue
			}
			p := object{"name": key, "in": "query", "schema": schema(l.words[1:])}
			fields[key] = p["schema"]
			if says := l.sentence(); says != "" {
				p["description"] = says
			}
			if p["required"] = slices.Contains(l.words, "!"); slices.Contains(inPath, key) {
				p["in"], p["required"] = "path", true
			}
			if name != "" {
				d.parameters[name] = p
				p = ref("parameters", name)
			}
			list = append(list, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if missing[name] {
			d.fail(fmt.Errorf("%s: nothing says what %s is", path, name))
		}
	}
	return list, fields
}
