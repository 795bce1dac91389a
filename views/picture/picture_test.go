package picture

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"

	"proflens/views/page"
)

// maxBytes is what a picture may be at most, so that a link shows at once.
const maxBytes = 60 << 10

func drawn(t *testing.T, c Card) []byte {
	t.Helper()
	data, err := PNG(c)
	if err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width != Width || config.Height != Height || len(data) > maxBytes {
		t.Errorf("%d bytes, %d × %d, %v", len(data), config.Width, config.Height, err)
	}
	return data
}

func card() Card {
	from := 0.2
	rows := []Row{
		{Label: "sqlite3VdbeExec", Value: "38.1 %", To: 1, Step: 8},
		{Label: "balance_nonroot", Value: "12.0 %", To: 0.31, Step: 6},
		{Label: "covered", Value: "50 %", To: 0.5, Cover: true}, {Label: "moved", Value: "+1.2", From: &from, To: 0.8},
	}
	return Card{Title: "app.profraw", Kind: "Counts · LLVM raw · IR", Says: "libsass · branch=main",
		Facts: page.Facts{
			{Term: "Functions", Value: "4 409"}, {Term: "Executed", Value: "33.8 %"}, {Term: "Total count", Value: "41.6 M"},
		},
		Chart: &Chart{Title: "Hottest functions", Rows: rows}}
}

// Whatever a file calls things, the picture has its size and keeps the place of
// everything else.
func TestHostileCards(t *testing.T) {
	plain := drawn(t, card())
	for name, text := range map[string]string{
		"long": strings.Repeat("namespace::", 50_000), "wide": strings.Repeat("W", 400), "empty": "",
		"control":       "a\x00\x1b[31m\n\t\u2028b",
		"right to left": "abc\u202efed\u2066 \u05d0\u05d1\u05d2", "no text": "\xff\xfe\xfd",
		"combining": strings.Repeat("e\u0301\u0489", 200), "unknown": "函数 ∀ 🔥",
	} {
		c := card()
		c.Title, c.Versus, c.Kind, c.Says = text, text, text, text
		for i := range c.Facts {
			c.Facts[i] = page.Fact{Term: text, Value: text}
		}
		c.Chart.Title = text
		for i := range c.Chart.Rows {
			r := &c.Chart.Rows[i]
			r.Label, r.Value, r.To, r.Step = text, text, math.NaN(), 1000
		}
		if data := drawn(t, c); bytes.Equal(data, plain) {
			t.Errorf("%s: nothing of it is drawn", name)
		}
	}
	drawn(t, Card{})
	drawn(t, Card{Chart: &Chart{}})
}

func TestFitCutsAtTheEnd(t *testing.T) {
	text, width := fit(regular(), 30, "std::vector<std::pair<int, int>>::emplace_back", 300)
	if width > 300 || !strings.HasPrefix(text, "std::vector") || !strings.HasSuffix(text, "…") {
		t.Errorf("%q is %d wide", text, width)
	}
	if text, _ = fit(regular(), 30, "main", 300); text != "main" {
		t.Errorf("%q is cut", text)
	}
}

// The font of the program is unpacked, and one that is none is refused.
func TestUnpackWOFF(t *testing.T) {
	data, err := os.ReadFile("fonts/ibm-plex-sans-latin-400-normal.woff")
	if err != nil {
		t.Fatal(err)
	}
	if font, err := unpackWOFF(data); err != nil || len(font) < len(data) {
		t.Errorf("%d bytes, %v", len(font), err)
	}
	if _, err := unpackWOFF(data[:20]); err == nil {
		t.Error("no font is taken for one")
	}
}
