package measures

import (
	"context"
	"testing"

	"proflens/profile/figure"
	"proflens/profile/stored"
)

// A figure that a family made for the test declares is a measure of its builds.
func TestADeclaredFigureIsMeasured(t *testing.T) {
	type fleet struct{ Ships, Wrecks, Tonnage uint64 }
	families := named([]Family{{Name: "fleet", Figures: figure.Declare(figure.List{
		Overview: figure.Of(func(context.Context, *stored.Profile) (*fleet, error) { return &fleet{3, 1, 500}, nil }),
		Figures: []string{
			`label:"Tonnage" of:"Tonnage" unit:"bytes" measure:"tonnage" better:"more"`,
			`label:"Wrecks" of:"Wrecks" whole:"Ships" measure:"wrecked" measured:"Ships wrecked" better:"less"`,
			`label:"Ships" of:"Ships"`,
		},
	})}})
	want := []Measure{
		{Family: "fleet", Name: "tonnage", Title: "Tonnage", Unit: Bytes, Better: 1},
		{Family: "fleet", Name: "wrecked", Title: "Ships wrecked", Unit: Part, Better: -1},
	}
	if got := families[0].Measures; len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the measures are %+v", got)
	}
	set, err := families[0].figures(t.Context(), nil)
	if err != nil || len(set) != 2 || set["tonnage"] != (Value{N: 500}) || set["wrecked"] != (Value{N: 1, Of: 3}) {
		t.Errorf("measured are %v, %v", set, err)
	}
}
