package handlers

import (
	"fmt"
	"net/http"
	"strconv"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/page"
	"proflens/views/picture"
)

// cards are how many pictures are drawn at once.
const cards = 2

// card is GET /p/{id}/card.png: what a link to the profile shows.
func (s *server) card(w http.ResponseWriter, r *http.Request) error {
	if s.NotModified(w, r, "card") {
		return nil
	}
	c, err := s.Card(r)
	if err != nil {
		return err
	}
	return s.sendCard(w, r, c)
}

// comparedCard is GET /compare/{a}...{b}/card.png.
func (s *server) comparedCard(w http.ResponseWriter, r *http.Request, c *site.Comparing) error {
	both, err := readCompared(r, c, false)
	if err != nil {
		return err
	}
	if s.NotModifiedOf(w, r, "card", c.Base.Entry, c.Test.Entry) {
		return nil
	}
	ctx := s.RequestContext(r)
	var m page.Compare
	if err := both.Page(ctx, &m); err != nil {
		return err
	}
	card := picture.Card{
		Title: "A  " + humanize.Printable(c.Base.Name), Versus: "B  " + humanize.Printable(c.Test.Name),
		Kind: "Compare · " + c.Family.Measures, Says: m.Lead + " " + m.Sentence,
	}
	if m.Chart != nil {
		card.Chart = &picture.Chart{Title: "Largest moves from A to B, " + m.Chart.Says}
		for _, d := range m.Chart.Rows {
			from := perCent(d.A)
			card.Chart.Rows = append(card.Chart.Rows, picture.Row{
				Label: site.ShortName(d.Name), Value: d.Change, From: &from, To: perCent(d.B),
			})
		}
	}
	return s.sendCard(w, r, card)
}

// perCent is a place in a drawing as a share.
func perCent(place string) float64 {
	v, _ := strconv.ParseFloat(place, 64) // of our own making
	return v / 100
}

func (s *server) sendCard(w http.ResponseWriter, r *http.Request, c picture.Card) error {
	if err := s.cards.Take(r.Context()); err != nil {
		return err
	}
	defer s.cards.Give()
	data, err := picture.PNG(c)
	if err != nil {
		return fmt.Errorf("drawing the picture of a link: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	if h.Get("ETag") == "" {
		h.Set("Cache-Control", "no-store")
	}
	_, err = w.Write(data)
	return err
}
