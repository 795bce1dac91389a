// Package projectpath writes the addresses of projects, whose names may have slashes.
package projectpath

import (
	"net/url"
	"slices"
	"strings"
)

// Words end a project's name in an address: /projects/owner/name/builds. The slashes of a
// name that has one of them as a part are written %2F.
var Words = strings.Fields("builds branches gate rules trends latest badge")

// Part is the name of a project or a branch as part of an address. Its slashes stay where
// they can.
func Part(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		if p == "" || p == "." || p == ".." || i > 0 && slices.Contains(Words, p) {
			return url.PathEscape(name)
		}
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// Of is the page of a project or, with further parts, one below it.
func Of(project string, below ...string) string {
	return "/projects/" + strings.Join(append([]string{Part(project)}, below...), "/")
}

// Build is the page of a build, which its commit names, or a profile's ID.
func Build(project, id string) string { return Of(project, "builds", url.PathEscape(id)) }
