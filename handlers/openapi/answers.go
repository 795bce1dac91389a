package openapi

import (
	"cmp"
	"slices"
	"strings"
)

var (
	text   = object{"type": "string"}
	binary = object{"type": "string", "format": "binary"}
)

// media are the words for what is sent or answered beside JSON, and what that is.
var media = map[string]object{
	"text":     {"text/plain": text},
	"csv":      {"text/csv": text},
	"markdown": {"text/markdown": text},
	"diff":     {"text/x-diff": text},
	"junit":    {"application/xml": text},
	"bytes":    {"application/octet-stream": binary},
	"zip":      {"application/zip": binary},
	"sqlite":   {"application/vnd.sqlite3": binary},
	"object":   {"application/json": object{"type": "object"}},
	"sarif":    {"application/sarif+json": object{"type": "object"}},
	"receipt":  {"text/plain": object{"type": "string", "description": "Link, delete token and next commands."}},
	"table": {"text/csv": text, "text/plain": text, "application/x-ndjson": object{
		"type": "string", "description": `One object a line. The last is {"_end":true,"rows":N}.`,
	}},
}

// usual are the statuses of a route that says none: one of an opened profile.
var usual = strings.Fields("304 400 404 409 410 422")

// answers are the responses of an operation.
func (d *document) answers(list []line) object {
	all, last, statuses := object{}, object{}, usual
	for _, l := range list {
		switch {
		case l.mark == header:
			under(last, "headers")[l.words[0]] = object{"description": l.says, "schema": schema(l.words[1:])}
		case l.mark != answer:
		case l.says == "" && d.faults[l.words[0]] != nil:
			statuses = l.words
		default:
			last = under(all, l.words[0])
			if l.says != "" || last["description"] == nil {
				last["description"] = cmp.Or(l.says, "The answer.")
			}
			json := "application/json"
			if l.words[0] >= "400" {
				json = "application/problem+json"
			}
			if len(l.words) > 1 {
				d.content(under(last, "content"), l.words[1:], json)
			}
		}
	}
	if !slices.Contains(statuses, "500") {
		statuses = append(slices.Clone(statuses), "default")
	}
	for _, status := range statuses {
		if all[status] == nil {
			all[status] = d.faults[status]
		}
	}
	return all
}

// content adds what words say that is sent or answered: media, and objects, of which it is one.
func (d *document) content(to object, words []string, json string) {
	for _, word := range words {
		for contentType, schema := range media[word] {
			to[contentType] = object{"schema": schema}
		}
		if media[word] != nil {
			continue
		}
		one, _ := under(to, json)["schema"].(object) // of another family
		for name := range strings.SplitSeq(word, "|") {
			if d.listOf(name); d.schemas[name] == nil {
				d.fail("nothing says what the object %s is", name)
			}
			one = either(one, ref("schemas", name))
		}
		to[json] = object{"schema": one}
	}
}

// form is a form that takes a file or, where it has a field for a token, several files and the
// parameters as fields.
func form(l line, fields object) object {
	properties := object{"file": binary}
	if len(l.words) > 1 {
		for name, field := range fields {
			if name != "id" && name != "filename" { // of the address, and of a body that is no form
				properties[name] = field
			}
		}
		properties["file"] = object{"type": "array", "items": binary}
		properties[l.words[1]] = object{"type": "string", "description": l.says}
	}
	return object{"type": "object", "properties": properties, "required": []string{"file"}}
}
