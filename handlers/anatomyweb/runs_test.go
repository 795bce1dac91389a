package anatomyweb

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/views"
)

// TestRunsOfAnyAnatomy: whatever sections a damaged file seems to have, their
// visible parts cover the file once, in order, and the page is made.
func TestRunsOfAnyAnatomy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 511, 512, 999, 1000, 1001, math.MaxUint64, math.MaxUint64 - 1, math.MaxInt64}
	pick := func() uint64 {
		if random.IntN(3) == 0 {
			return edges[random.IntN(len(edges))]
		}
		return random.Uint64N(1200)
	}
	rounds := 400
	if testing.Short() {
		rounds = 100
	}
	for range rounds {
		a := &model.Anatomy{File: "f"}
		for range random.IntN(250) {
			s := model.Section{Name: fmt.Sprint("s", random.IntN(20)), Offset: pick(), Size: pick()}
			for range random.IntN(3) {
				s.Fields = append(s.Fields, model.Field{Name: "x", Offset: pick(), Size: pick()})
			}
			a.Sections = append(a.Sections, s)
		}
		slicesByOffset(a.Sections)
		for range random.IntN(3) {
			a.Findings = append(a.Findings, model.Finding{
				Severity: model.Error, Code: "raw.malformed", Field: "x", Offset: pick(),
			})
		}
		e := &catalog.Entry{ID: "p", Files: []catalog.FileEntry{{Name: "f", Size: 1000}}}
		at := pick()
		v := &anatomyView{
			entry: e, anatomy: a, size: 1000, link: RawAddress(e, 0), params: rawParams{At: &at, Length: pick()},
		}
		v.layOut()
		var pos uint64
		for i := range v.runs {
			r := &v.runs[i]
			if end := min(r.end(), v.size); r.visible < end {
				if r.visible != pos {
					t.Fatalf("a part begins at %d, want %d", r.visible, pos)
				}
				pos = end
			}
		}
		if pos != v.size {
			t.Fatalf("the parts end at %d of %d", pos, v.size)
		}
		start := v.hexStart()
		m := v.model(make([]byte, min(hexPage, v.size-start)))
		if len(m.Sections) > sectionsListed {
			t.Fatalf("%d sections are listed", len(m.Sections))
		}
		if err := views.Raw(site.New(site.Config{}).Shell(httpRequest(), ""), m).Render(
			t.Context(), &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
	}
}

func httpRequest() *http.Request { return httptest.NewRequest("GET", "/p/p/raw", nil) }

func slicesByOffset(list []model.Section) {
	slices.SortStableFunc(list, func(a, b model.Section) int {
		switch {
		case a.Offset < b.Offset:
			return -1
		case a.Offset > b.Offset:
			return 1
		}
		return 0
	})
}
