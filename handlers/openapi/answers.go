package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// medium is a form in which something is sent or answered, beside JSON.
type medium struct {
	contentType string
	schema      object
}

var (
	text   = object{"type": "string"}
	binary = object{"type": "string", "format": "binary"}
)

// media are the words for them; table is the three of a list besides JSON.
var media = map[string][]medium{
	"text": {{"text/plain", text}}, "csv": {{"text/csv", text}}, "markdown": {{"text/markdown", text}}, "diff": {{"text/x-diff", text}},
	"junit": {{"application/xml", text}}, "sarif": {{"application/sarif+json", object{"type": "object"}}},
	"bytes": {{"application/octet-stream", binary}}, "zip": {{"application/zip", binary}}, "sqlite": {{"application/vnd.sqlite3", binary}},
	"receipt": {{"text/plain", object{"type": "string", "description": "Link, delete token and next commands."}}},
	"object":  {{"application/json", object{"type": "object"}}},
	"table":   {{"text/csv", text}, {"application/x-ndjson", ndjson}, {"text/plain", text}},
}

var ndjson = object{"type": "string", "description": `One object a line. The last is {"_end":true,"rows":N}.`}

// answers are the responses of an operation.
func (d *document) answers(list []line) object {
	all := object{}
	statuses := usual
	var last object
	for _, l := range list {
		switch {
		case l.mark == answer && l.says == "" && len(l.words) > 0 && d.faults[l.words[len(l.words)-1]] != "":
			statuses = l.words
		case l.mark == answer:
			last, _ = all[l.words[0]].(object)
			if last == nil {
				last = object{}
				all[l.words[0]] = last
			}
			if l.says != "" || last["description"] == nil {
				last["description"] = cmp.Or(l.says, "The answer.")
			}
			if len(l.words) > 1 {
				content, _ := last["content"].(object)
				if content == nil {
					content = object{}
					last["content"] = content
				}
				json := "application/json"
				if l.words[0] >= "400" {
					json = "application/problem+json"
				}
				d.content(content, l, nil, json)
			}
		case l.mark == header && last != nil:
			headers, _ := last["headers"].(object)
			if headers == nil {
				headers = object{}
				last["headers"] = headers
			}
			headers[l.words[0]] = object{"description": l.says, "schema": schema(l.words[1:])}
		}
	}
	for _, status := range statuses {
		if all[status] == nil {
			all[status] = ref("responses", d.faults[status])
		}
	}
	if !slices.Contains(statuses, "500") {
		all["default"] = ref("responses", d.faults["500"])
	}
	return all
}

// content adds what a line says that is sent or answered: media, and objects, of which it is
// one. A form has a file, or several and the fields of the parameters.
func (d *document) content(to object, l line, fields object, json string) {
	words := l.words
	if l.mark == answer {
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "form" {
		properties := object{"file": binary}
		if words[1] != "one" {
			for name, field := range fields {
				properties[name] = field
			}
			for _, name := range []string{"id", "filename"} { // of the address, and of a body that is no form
				delete(properties, name)
			}
			properties["file"] = object{"type": "array", "items": binary}
			properties[words[1]] = text
			if l.says != "" {
				properties[words[1]] = object{"type": "string", "description": l.says}
			}
		}
		to["multipart/form-data"] = object{"schema": object{"type": "object", "properties": properties, "required": []string{"file"}}}
		return
	}
	for _, word := range words {
		if media[word] != nil {
			for _, m := range media[word] {
				to[m.contentType] = object{"schema": m.schema}
			}
			continue
		}
		var any []object
		if before, ok := to[json].(object); ok {
			any = alternatives(before["schema"].(object))
		}
		for name := range strings.SplitSeq(word, "|") {
			if !d.list(name) {
				d.fail(fmt.Errorf("nothing says what the object %s is", name))
			}
			any = append(any, ref("schemas", name))
		}
		if to[json] = (object{"schema": object{"anyOf": any}}); len(any) == 1 {
			to[json] = object{"schema": any[0]}
		}
	}
}

func alternatives(s object) []object {
	if any, ok := s["anyOf"].([]object); ok {
		return any
	}
	return []object{s}
}
