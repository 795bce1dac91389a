package sourceweb

import (
	"context"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/sourceview"
)

// Ask completes what asks for the text of sources: how many of the files have text, and how
// more is given, on a page or to the server at an origin. back is the page below the
// profile's that the form leads back to.
func Ask(ctx context.Context, s *site.Site, e *catalog.Entry, files []string, a *sourceview.AskText, origin,
	back string) error {
	has, err := s.SourcesWithText(ctx, e, files)
	if err != nil {
		return err
	}
	with := 0
	for _, yes := range has {
		if yes {
			with++
		}
	}
	a.Says = humanize.Say("{} of {file} have text. Files are matched by the end of their paths; they are as private "+
		"as the profile.", with, len(files))
	a.Action, a.ID, a.Back = site.PageOf(e.ID)+"/sources", e.ID, back
	a.Command = "curl -F file=@sources.tar.gz -H 'X-Delete-Token: TOKEN' " + origin + site.APIOf(e.ID) + "/sources"
	return nil
}
