package handlers_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"proflens/handlers/webtest"
)

// members are those of objects that answers had.
type members map[*openapi3.SchemaRef]bool

// look marks the members that a value has, of an object or of those that it may be.
func (m members) look(s *openapi3.SchemaRef, value any) {
	if s == nil || s.Value == nil {
		return
	}
	for _, one := range slices.Concat(s.Value.AnyOf, s.Value.OneOf, s.Value.AllOf) {
		m.look(one, value)
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			m.look(s.Value.Items, item)
		}
	case map[string]any:
		for key, of := range v {
			if p := s.Value.Properties[key]; p != nil {
				m[p] = true
				m.look(p, of)
			} else {
				m.look(s.Value.AdditionalProperties.Schema, of)
			}
		}
	}
}

// missing are the members of an object that no answer had, within it too.
func (m members) missing(name string, s *openapi3.SchemaRef) (list []string) {
	for key, p := range s.Value.Properties {
		switch {
		case !m[p]:
			list = append(list, name+"."+key)
		case p.Ref == "":
			list = append(list, m.missing(name+"."+key, p)...)
		}
	}
	for _, in := range []*openapi3.SchemaRef{s.Value.Items, s.Value.AdditionalProperties.Schema} {
		if in != nil && in.Ref == "" {
			list = append(list, m.missing(name, in)...)
		}
	}
	return list
}

// rare are members that the answers of this test do not have: those of projects, gates, merges,
// uploads and faults, which other tests read; of lines of a program; and of profiles of unusual
// make. An entry with a point at its end is an object whole, one with a point in front any that
// ends so.
var rare = []string{
	"Build.", "BuildFigures.", "BuildProfile.", "Project.", "ProjectBranch.", "ProjectDetail.", "ProjectList.", "Runs.",
	"RunsList.", "RunFunction.", "Trend.", "TrendList.", "TrendPoint.",
	"Gate.", "GateProblem.", "GateRule.", "GateValue.", "ProjectGate.", "Problem.", "Merge.", "Merged.", "Contribution.",
	"Naming.", "SourcesAdded.", "Changed.", "ProfileGroups.",
	"Location.", "LocationMatch.", "Partial.", "Progress.", "SourceFile.", "SourceFileList.", "SourceLine.",
	"SourceLineList.", "SampleVTable.", "SampleFigures.program.",
	".name_hex", ".scanned", ".storing", ".crowded", ".hidden_columns", "Profile.delete_token", "Profile.link",
	"Profile.progress", "Input.finding", "Input.partial",
	"Finding.field", "Section.from", "StackFrame.", "FlameFrame.", "DCPIFile.", "Speedscope.",
	"FlameGraph.depth_limit", "TableExport.partial",
	"Comparison.warning", "BuildList.", "Anatomy.",
}

// variants are parameters that the rows of some objects need.
var variants = map[string][]string{
	"/sites": {"?by=blame", "?by=path", "?by=type"}, "/suggest": {"?q=a"}, "/traces": {"?by=function"},
	"/functions":      {"?total=1..&counts=string", "?merge=names"},
	"/compare/{pair}": {"?min=0&limit=5"}, "/compare/{pair}/lines": {"?show=all&family=coverage"},
	"/flamegraph": {"?layout=sandwich&around={fid}", "?limit=9"}, "/export/{format}": {"?table=functions"},
	"/cloning": {"?cold_lifetime=0&cold_density=1"}, "/diff": {"?by=epoch", "?by=platform"},
}

// What the document says of objects is what answers have: Validate refuses members that it does
// not have, and each that it has is in the answer to some call about some example.
func TestOpenAPIMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for everything of every example")
	}
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	seen := members{}
	ask := func(path, call string) {
		t.Helper()
		a := l.Get(call, "Accept", "application/json")
		webtest.Validate(t, doc, path, a)
		if a.StatusCode != http.StatusOK || !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
			return
		}
		var value any
		if err := json.Unmarshal([]byte(a.Text()), &value); err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		seen.look(doc.Paths.Value(path).Get.Responses.Value("200").Value.Content["application/json"].Schema, value)
	}
	profiles := familyProfiles(t, l)
	vtables, err := os.ReadFile(webtest.Root() + "/decode/instrprof/testdata/vtables/vtables.profraw")
	if err != nil {
		t.Fatal(err)
	}
	profiles["traces"] = familyProfile{
		at: webtest.API(l.Upload("temporal_two.profdata", webtest.File(t, "temporal_two.profdata"))),
	}
	profiles["vtables"] = familyProfile{at: webtest.API(l.Upload("vtables.profraw", vtables))}
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		at := profiles[name].at
		id := at[strings.LastIndexByte(at, '/')+1:]
		first := map[string]string{"{id}": id, "{pair}": id + "..." + id, "{format}": "json"}
		for key, column := range map[string]string{
			"{fid}": "/functions?limit=1&cols=fid", "{vtables/fid}": "/vtables?limit=1&cols=fid",
			"{context}": "/allocations?limit=1&cols=context",
		} {
			if a := l.Get(at+column, "Accept", "application/json"); a.StatusCode == http.StatusOK {
				if list := a.Column(t, column[strings.LastIndexByte(column, '=')+1:]); len(list) > 0 {
					first[key] = list[0]
				}
			}
		}
		for path, item := range doc.Paths.Map() {
			below := "/" + path[strings.LastIndexByte(path, '/')+1:]
			for _, query := range append([]string{""},
				slices.Concat(variants[below], variants[strings.TrimPrefix(path, "/api/v1")])...) {
				call := strings.Replace(path, "/vtables/{fid}", "/vtables/{vtables/fid}", 1) + query
				if path == "/api/v1/compare" || path == "/api/v1/compare/tree" {
					call += "?base=" + id + "&test=" + id
				}
				for key, value := range first {
					call = strings.ReplaceAll(call, key, value)
				}
				if item.Get != nil && !strings.Contains(call, "{") && !strings.HasPrefix(path, "/api/v1/projects") &&
					!strings.HasSuffix(path, "/gate") {
					ask(path, call)
				}
			}
		}
	}
	var list []string
	for name, s := range doc.Components.Schemas {
		list = append(list, seen.missing(name, s)...)
	}
	slices.Sort(list)
	list = slices.DeleteFunc(list, func(m string) bool {
		return slices.ContainsFunc(rare, func(r string) bool {
			return m == r || strings.HasSuffix(r, ".") && strings.HasPrefix(m, r) || r[0] == '.' && strings.HasSuffix(m, r)
		})
	})
	if len(list) > 0 {
		t.Errorf("no answer has %s", strings.Join(list, ", "))
	}
}
