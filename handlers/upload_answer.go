package handlers

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/internal/humanize"
)

// uploadedObject is what the answer to an upload adds to the profile's object.
type uploadedObject struct {
	Link        string `json:"link" doc:"URL of the profile's page on this server."`
	DeleteToken string `json:"delete_token,omitempty" doc:"Shown only once."`

	Sources *sourcesMatched `json:"sources,omitempty"`
}

// answerUpload says what has become of an upload: 201 decoded, 202 still
// decoding, 422 stored but not decodable; a browser is sent to the page.
func (s *server) answerUpload(w http.ResponseWriter, r *http.Request, accepted []ingest.Accepted, list bool) error {
	if site.WantsHTML(r) {
		handTokens(w, r, accepted, true)
		site.NoStore(w)
		return site.SeeOther(w, r, site.PageOf(accepted[0].Entry.ID))
	}
	if r.Header.Get("Origin") != "" { // a script of ours: other programs name no origin
		handTokens(w, r, accepted, r.Header.Get("Proflens-Receipt") == "page")
	}
	status := uploadStatus(accepted)
	w.Header().Set("Location", site.Origin(r)+site.PageOf(accepted[0].Entry.ID))
	// programs get the problem as an object
	if wantsText(r) && (status != http.StatusUnprocessableEntity || site.WantsPlain(r)) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		site.NoStore(w)
		w.WriteHeader(status)
		for i := range accepted {
			fmt.Fprint(w, s.uploadText(r.Context(), site.Origin(r), &accepted[i]))
		}
		return nil
	}
	if !list && status == http.StatusUnprocessableEntity {
		return failedUpload(site.Origin(r), &accepted[0])
	}
	objects := make([]joined, len(accepted))
	for i := range accepted {
		a := &accepted[i]
		_, object, err := s.wholeProfile(r.Context(), &a.Entry, false)
		if err != nil {
			// The profile is stored, so the answer must carry its token.
			object = joined{s.profileObject(&a.Entry, false)}
		}
		objects[i] = append(object, uploadedObject{
			site.Origin(r) + site.PageOf(a.Entry.ID), a.DeleteToken, s.sourcesOf(r.Context(), &a.Entry),
		})
	}
	if list {
		return site.WriteStatusJSON(w, status, struct {
			Items      []joined `json:"items"`
			NextCursor *string  `json:"next_cursor"`
			Total      int      `json:"total"`
		}{objects, nil, len(objects)})
	}
	return site.WriteStatusJSON(w, status, objects[0])
}

// uploadStatus is the status of the worst that is not failed: a list is only
// refused when nothing in it could be decoded.
func uploadStatus(accepted []ingest.Accepted) int {
	status := http.StatusUnprocessableEntity
	for i := range accepted {
		switch e := &accepted[i].Entry; {
		case e.State == catalog.Failed && !e.Pending:
		case e.State == catalog.Ready && !e.Pending:
			if status == http.StatusUnprocessableEntity {
				status = http.StatusCreated
			}
		default:
			status = http.StatusAccepted
		}
	}
	return status
}

// failedUpload is the problem of a profile that was stored but cannot be
// decoded.
func failedUpload(origin string, a *ingest.Accepted) *site.Problem {
	p := site.FailedProfile(&a.Entry)
	p.Link, p.Token = origin+site.PageOf(a.Entry.ID), a.DeleteToken
	return p
}

// wantsText reports whether the answer is for a person at a terminal: curl -T
// to the root, or whoever asks for text.
func wantsText(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		return site.Accepted(r, "application/json", "text/plain") == "text/plain"
	}
	return site.Accepted(r, "text/plain", "application/json") == "text/plain"
}

// uploadText is the answer to curl: the link on the first line, for scripts
// too, then the token and what can be done next.
func (s *server) uploadText(ctx context.Context, origin string, a *ingest.Accepted) string {
	var b strings.Builder
	e := &a.Entry
	api := origin + site.APIOf(e.ID)
	fmt.Fprintln(&b, origin+site.PageOf(e.ID))
	if a.DeleteToken != "" {
		fmt.Fprintf(&b, "delete token: %s (shown only once)\n", a.DeleteToken)
	}
	shown := e.State == catalog.Ready
	switch e.State {
	case catalog.Ready:
		fmt.Fprintf(&b, "\n%s: %s", humanize.Printable(e.Name), e.Describe)
		if functions, _ := s.FirstFamily(e).Sizes(e); e.Functions > 0 {
			fmt.Fprintf(&b, ", %s", humanize.Plain(cmp.Or(functions.Exact, functions.Text)))
		}
		fmt.Fprintln(&b)
	case catalog.Failed:
		fmt.Fprintf(&b, "\n%s\n", site.FailedProfile(e).Text())
	default:
		at := s.Ingest.Progress(e.ID)
		if shown = at.Shown; shown {
			fmt.Fprintf(&b, "\n%s: %s; its first pages are there, the rest is being stored\n", humanize.Printable(e.Name),
				at.Describe)
		} else {
			fmt.Fprintf(&b, "\n%s: stored, still decoding\n", humanize.Printable(e.Name))
		}
	}
	partial := e.Partial()
	for i := range partial {
		fmt.Fprintf(&b, "  partial: %s: %s\n", humanize.Printable(partial[i].File), humanize.Printable(partial[i].String()))
	}
	if shown {
		s.matched(ctx, &b, origin, e)
	}
	if e.State != catalog.Failed {
		for _, c := range s.FirstCommands(e) {
			fmt.Fprintf(&b, "  %-18s  %s\n", c.Does(), c.Line(s.Curl(), api))
		}
	}
	if a.DeleteToken != "" {
		fmt.Fprintf(&b, "  delete              %s -X DELETE -H 'X-Delete-Token: %s' '%s'\n", s.Curl(), a.DeleteToken, api)
	}
	return b.String()
}

// maxKept is how many cookies one answer may have: proxies bound its headers.
const maxKept = 16

// handTokens leaves the delete tokens with the browser that has uploaded, for their
// profiles' own pages: to change and delete them, and shown once where the next page
// shows it.
func handTokens(w http.ResponseWriter, r *http.Request, accepted []ingest.Accepted, shown bool) {
	for _, a := range accepted[:min(len(accepted), maxKept)] {
		if a.DeleteToken == "" {
			continue
		}
		site.KeepOwner(w, r, &a.Entry, a.DeleteToken)
		if shown {
			site.HandToken(w, r, a.Entry.ID, a.DeleteToken)
		}
	}
}
