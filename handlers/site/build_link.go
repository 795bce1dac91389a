package site

import (
	"proflens/catalog"
	"proflens/catalog/projects"
	"proflens/handlers/projectpath"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// buildLink leads from a profile to its build; nil for one that is of none.
func (s *Site) buildLink(e *catalog.Entry) *page.Link {
	if s.Builds == nil || e.Project == "" || e.Visibility != catalog.Listed || e.State != catalog.Ready {
		return nil
	}
	// Its ID finds the build whatever else was made of the commit.
	link := &page.Link{Label: "Build of " + humanize.Printable(e.Project), URL: projectpath.Build(e.Project, e.ID)}
	if commit := e.Labels[projects.Commit]; commit != "" {
		link.Label = "Build " + humanize.Commit(commit) + " of " + humanize.Printable(e.Project)
	}
	return link
}
