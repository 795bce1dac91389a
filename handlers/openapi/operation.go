package openapi

import (
	"slices"
	"strings"

	"proflens/handlers/site"
)

// describe adds an operation. A route without a title is another address of one that has it.
func (d *document) describe(at string, said []site.Said) {
	var list []line
	op := object{}
	for _, part := range said {
		for i, l := range read(part.Says) {
			switch {
			case l.mark != 0:
				list = append(list, l)
			case i == 0 && op["summary"] == nil:
				op["tags"], op["operationId"], op["summary"] = l.words[:1], l.words[1], l.says
			case i > 0 && op["description"] == nil:
				op["description"] = l.text
			}
		}
	}
	if op["summary"] == nil {
		return
	}
	method, path, _ := strings.Cut(strings.TrimSuffix(at, "/"), " ")
	parameters, fields := d.taken(at, path, said)
	if len(parameters) > 0 {
		op["parameters"] = parameters
	}
	responses := d.answers(list)
	if op["responses"] = responses; responses["401"] != nil {
		either := object{}
		if strings.Contains(path, "/profiles/{id}") && method != "PUT" {
			either["deleteToken"] = []string{}
		}
		op["security"] = []object{either, {"uploadToken": []string{}}}
	}
	for _, l := range list {
		if l.mark == body {
			sent := under(op, "requestBody")
			if sent["required"] = true; l.words[0] == "form" {
				under(sent, "content")["multipart/form-data"] = object{"schema": form(l, fields)}
			} else {
				d.content(under(sent, "content"), l.words, "application/json")
			}
		}
	}
	under(d.paths, path)[strings.ToLower(method)] = op
}

// taken are the parameters of an operation, with those of its path first, and what they may be.
func (d *document) taken(at, path string, said []site.Said) (list []object, fields object) {
	var inPath []string
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			inPath = append(inPath, strings.TrimSuffix(name, "}"))
		}
	}
	said = slices.Concat([]site.Said{{Keys: inPath}}, said)
	fields = object{}
	for _, part := range said {
		scopes := []string{at + " ", "", "", at + declared}
		if part.Of != nil {
			scopes[1] = string(part.Of.Name) + "_"
		}
		for _, key := range part.Keys {
			for i, scope := range scopes {
				l, ok := d.params[scope+key]
				if !ok || fields[key] != nil {
					continue
				}
				d.used[scope+key] = true
				p := saying(object{"name": key, "in": "query", "schema": schema(l.words[1:])}, l.description())
				fields[key] = p["schema"]
				if slices.Contains(inPath, key) {
					p["in"] = "path"
				}
				if p["in"] == "path" || slices.Contains(l.words, "!") {
					p["required"] = true
				}
				if i == 1 || i == 2 {
					d.parameters[scope+key] = p
					p = ref("parameters", scope+key)
				}
				list = append(list, p)
			}
		}
	}
	for _, part := range said {
		for _, key := range part.Keys {
			if fields[key] == nil {
				d.fail("%s: nothing says what %s is", at, key)
			}
		}
	}
	return list, fields
}
