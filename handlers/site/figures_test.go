package site_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"proflens/analyze"
	"proflens/catalog"
	"proflens/handlers/openapi"
	"proflens/handlers/site"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// A family made for the test: fleets. A figure of it, "tonnage", is declared once, here.
type fleet struct {
	Ships   int         `api:"ships"`
	Tonnage analyze.Sum `api:"tonnage" doc:"Of all hulls."`
	Wrecks  uint64      `api:"wrecks,optional,exact" is:"5.."`
	Sunk    uint64      `api:"sunk,omitempty"`
}

func (f *fleet) Tells(field string) bool { return field != "Wrecks" }

func fleets() *site.Family {
	return &site.Family{Name: "fleet", Figures: figure.Declare(figure.List{
		Object: "fleet",
		Overview: figure.Of(func(context.Context, *stored.Profile) (*fleet, error) {
			return &fleet{Ships: 3, Tonnage: analyze.Sum{Lo: 1_234_567}}, nil
		}),
		Functions: `one:"ship" many:"ships" none:"all are at sea"`, Total: `one:"ton" many:"tons" unit:"count"`,
		Tiles: "tonnage wrecks?", Text: "tonnage wrecks?", Card: "tonnage",
		Figures: []string{
			`name:"tonnage" label:"Tonnage" one:"ton" of:"Tonnage" unit:"count" note:"of {Ships|# ship|# ships}" url:"/ships"`,
			`name:"wrecks" label:"Wrecks" of:"Wrecks"`,
		},
	})}
}

// A figure that a family declares is on its first page, in a terminal, on the picture of a
// link, in the API and in the API's document.
func TestADeclaredFigureIsEverywhere(t *testing.T) {
	f := fleets()
	s := &site.Site{Families: []*site.Family{f}}
	overview, err := f.Figures.Overview.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tiles := s.Tiles("fleet", overview, "/p/x")
	if len(tiles) != 1 || tiles[0].ID != "tonnage" || tiles[0].Label != "Tonnage" ||
		tiles[0].Value.Text != "1.23\u00a0M" ||
		tiles[0].Note != "of 3 ships" || tiles[0].URL != "/p/x/ships" {
		t.Errorf("the tiles are %+v", tiles)
	}
	var text site.ProfileWriter
	if err := site.TextFigures(&text, t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(text.String()); strings.Join(got, " ") != "tonnage 1234567 of 3 ships" {
		t.Errorf("a terminal has %q", got)
	}
	facts, err := site.Facts(f, t.Context(), nil)
	if err != nil || len(facts) != 1 || facts[0].Term != "Tonnage" || facts[0].One != "ton" ||
		facts[0].Value != tiles[0].Value.Text {
		t.Errorf("the picture has %+v, %v", facts, err)
	}
	functions, total := f.Sizes(&catalog.Entry{Functions: 1, Total: "1234567"})
	if functions.Text != "1 ship" || total.Text != "1.23\u00a0M tons" || total.Exact != "1\u00a0234\u00a0567 tons" {
		t.Errorf("lists have %+v, %+v", functions, total)
	}
	if functions, total := f.Sizes(&catalog.Entry{}); functions.Exact != "all are at sea" || total.Text != "–" {
		t.Errorf("lists have %+v, %+v of nothing", functions, total)
	}
	object, err := f.ObjectOf(t.Context(), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(object)
	if want := `{"fleet":{"ships":3,"tonnage":"1234567","wrecks":null}}`; err != nil || string(written) != want {
		t.Errorf("the API has %s, %v", written, err)
	}
	document, err := openapi.Make(chi.NewRouter(), []*site.Family{f}, map[string]any{"Profile": struct {
		ID string `json:"id"`
	}{}})
	var made struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage
				Required   []string
			}
		}
	}
	if wrong := json.Unmarshal(document, &made); wrong != nil {
		t.Fatal(wrong, err)
	}
	const count = `"$ref":"#/components/schemas/Count"`
	want := `{"additionalProperties":false,"properties":{"ships":{"minimum":0,"type":"integer"},` +
		`"sunk":{"minimum":0,"type":"integer"},"tonnage":{` + count + `,"description":"Of all hulls."},` +
		`"wrecks":{"anyOf":[{` + count + `},{"type":"null"}]}},"required":["ships","tonnage","wrecks"],"type":"object"}`
	profile := made.Components.Schemas["Profile"]
	if got := string(profile.Properties["fleet"]); got != want || profile.Properties["id"] == nil ||
		len(profile.Required) != 1 {
		t.Errorf("the document has %s", got)
	}
}
