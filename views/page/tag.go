package page

// Tone is what a tag or a notice says by its colour, always beside a word.
type Tone string

// The tones.
const (
	Neutral  Tone = "neutral"
	Accented Tone = "accent"
	Good     Tone = "ok"
	Caution  Tone = "warn"
	Bad      Tone = "bad"
)

// Tag is a word in a coloured box.
type Tag struct {
	Text  string
	Tone  Tone
	Title string // the whole of a shortened text; may be empty
	URL   string // where it leads; may be empty
}

// Blank is what stands in the place of a list without rows: why it is empty,
// and what would fill it.
type Blank struct {
	Title string
	Text  string
	Chips []Chip // filters that can be dropped there and then
}
