package manual

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"proflens/docs/pages"
	"proflens/handlers/site"
	"proflens/views/page"
)

// apiDocument is what the page of the API shows of openapi.json.
type apiDocument struct {
	Tags []struct {
		Name string `json:"name"`
	} `json:"tags"`
	Paths      map[string]map[string]apiCall `json:"paths"`
	Components struct {
		Parameters map[string]apiParam    `json:"parameters"`
		Responses  map[string]apiResponse `json:"responses"`
	} `json:"components"`
}

type apiCall struct {
	ID          string                 `json:"operationId"`
	Summary     string                 `json:"summary"`
	Description string                 `json:"description"`
	Tags        []string               `json:"tags"`
	Parameters  []apiParam             `json:"parameters"`
	Responses   map[string]apiResponse `json:"responses"`
	Body        struct {
		Content map[string]any `json:"content"`
	} `json:"requestBody"`
}

type apiParam struct {
	Ref         string    `json:"$ref"`
	Name        string    `json:"name"`
	In          string    `json:"in"`
	Description string    `json:"description"`
	Required    bool      `json:"required"`
	Schema      apiSchema `json:"schema"`
}

type apiSchema struct {
	Type    any        `json:"type"` // a word, or a list of them
	Enum    []any      `json:"enum"`
	Default any        `json:"default"`
	Items   *apiSchema `json:"items"`
}

type apiResponse struct {
	Ref         string `json:"$ref"`
	Description string `json:"description"`
}

// callsOf are the calls of the API's document by subject, in its order of subjects
// and by address within, with examples for [pages.Address].
func callsOf(document []byte) []page.CallGroup {
	var doc apiDocument
	if err := json.Unmarshal(document, &doc); err != nil {
		panic(err) // the document is part of the program, and tests read it
	}
	groups := make([]page.CallGroup, len(doc.Tags))
	for i, tag := range doc.Tags {
		groups[i] = page.CallGroup{ID: tag.Name, Title: strings.ToUpper(tag.Name[:1]) + tag.Name[1:]}
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range strings.Fields("get post put patch delete") {
			call, ok := doc.Paths[path][method]
			if !ok {
				continue
			}
			for i := range groups {
				if len(call.Tags) > 0 && call.Tags[0] == doc.Tags[i].Name {
					groups[i].Calls = append(groups[i].Calls, doc.callOf(method, path, &call))
				}
			}
		}
	}
	return slices.DeleteFunc(groups, func(g page.CallGroup) bool { return len(g.Calls) == 0 })
}

// callGroups are the calls with the address of this server and how it is asked, both fit
// for a shell.
func (m *Manual) callGroups(curl, address string) []page.CallGroup {
	groups := slices.Clone(m.calls())
	for i := range groups {
		groups[i].Calls = slices.Clone(groups[i].Calls)
		for j := range groups[i].Calls {
			call := &groups[i].Calls[j]
			call.Example = curl + strings.ReplaceAll(strings.TrimPrefix(call.Example, "curl"), pages.Address, address)
		}
	}
	return groups
}

func (d *apiDocument) callOf(method, path string, call *apiCall) page.Call {
	c := page.Call{
		ID: call.ID, Method: strings.ToUpper(method), Path: path, Summary: site.Sentence(call.Summary),
		Text: site.Sentence(call.Description),
		Body: strings.Join(slices.Sorted(maps.Keys(call.Body.Content)), ", "), Example: exampleOf(method, path, call),
	}
	for _, p := range call.Parameters {
		if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
			p = d.Components.Parameters[name]
		}
		c.Params = append(c.Params, page.CallParam{
			Name: p.Name, In: p.In, Required: p.Required, Type: p.Schema.words(), Text: site.Sentence(p.Description),
		})
	}
	// The parts of the address come first.
	slices.SortStableFunc(c.Params, func(a, b page.CallParam) int {
		return cmp.Compare(slices.Index(paramPlaces, a.In), slices.Index(paramPlaces, b.In))
	})
	for _, status := range slices.Sorted(maps.Keys(call.Responses)) {
		answer := call.Responses[status]
		if name, ok := strings.CutPrefix(answer.Ref, "#/components/responses/"); ok {
			answer = d.Components.Responses[name]
		}
		c.Answers = append(c.Answers, page.CallAnswer{Status: status, Text: answer.Description})
	}
	return c
}

// paramPlaces are where parameters stand, in the order of the page.
var paramPlaces = []string{"path", "query", "header"}

// words says what a value may be: "integer", "hot, warm or cold", "a list of text".
func (s *apiSchema) words() string {
	if len(s.Enum) > 0 {
		list := make([]string, 0, len(s.Enum))
		for _, v := range s.Enum {
			if text, ok := v.(string); ok && text != "" {
				list = append(list, text)
			}
		}
		return strings.Join(list, ", ")
	}
	switch t := s.Type.(type) {
	case string:
		switch {
		case t == "array" && s.Items != nil:
			return "a list of " + s.Items.words()
		case t == "string":
			return "text"
		}
		return t
	}
	return ""
}

// exampleOf is a command line for a call.
func exampleOf(method, path string, call *apiCall) string {
	address := pages.Address + strings.NewReplacer("{id}", "ID", "{fid}", "FID", "{filename}", "app.profraw", "{project}",
		"PROJECT", "{branch}", "BRANCH", "{commit}", "COMMIT").Replace(path)
	if strings.HasSuffix(path, "/{format}") {
		address = strings.TrimSuffix(address, "{format}") + "proftext"
	}
	switch method {
	case "get":
		if slices.Contains([]string{"proftext", "original"}, address[strings.LastIndexByte(address, '/')+1:]) {
			return "curl -OJ " + address
		}
		return "curl " + address
	case "put":
		if !strings.HasSuffix(path, "}") {
			return "curl -T proflens.toml " + address
		}
		return "curl -T app.profraw " + strings.TrimSuffix(address, "ID") + "app.profraw"
	case "patch":
		return "curl -X PATCH -H \"X-Delete-Token: $TOKEN\" -d '{\"labels\":{\"branch\":\"main\"}}' " + address
	case "delete":
		return "curl -X DELETE -H \"X-Delete-Token: $TOKEN\" " + address
	}
	if _, form := call.Body.Content["multipart/form-data"]; form {
		return "curl -F file=@app.profraw " + address
	}
	return "curl -H 'Content-Type: application/json' -d @request.json " + address
}
