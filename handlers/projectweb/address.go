package projectweb

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/projectpath"
)

// open are those of [projectpath.Words] that a branch follows, slashes and all.
var open = []string{"latest", "badge"}

// fewer is the middleware by which a project and a branch are one part of the address each
// for the routes, however many slashes their names have.
func fewer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, rest, ok := strings.Cut(r.URL.EscapedPath(), "/projects/"); ok && rest != "" {
			chi.RouteContext(r.Context()).RoutePath = "/" + joined(rest)
		}
		next.ServeHTTP(w, r)
	})
}

// joined writes what follows /projects/ with as few parts as the routes have.
func joined(rest string) string {
	parts := strings.Split(strings.TrimSuffix(rest, "/"), "/")
	end := len(parts)
	for i := 1; i < len(parts); i++ {
		if slices.Contains(projectpath.Words, parts[i]) {
			end = i
			break
		}
	}
	list := append([]string{strings.Join(parts[:end], "%2F")}, parts[end:]...)
	if len(list) > 3 && slices.Contains(open, list[1]) {
		list = append(list[:2], strings.Join(list[2:], "%2F"))
	}
	return strings.Join(list, "/")
}

// part is a part of the address as it was meant; what is no such text stays.
func part(r *http.Request, name string) string {
	text := chi.URLParam(r, name)
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// apiOf is the address of a project in the API, and below it with further parts.
func apiOf(project string, below ...string) string {
	return "/api/v1" + projectpath.Of(project, below...)
}

// query is an address with parameters, names and values in turn; those of no value stay
// away, unless the name begins with a "!".
func query(path string, pairs ...string) string {
	q := ""
	for i := 0; i < len(pairs); i += 2 {
		key, always := strings.CutPrefix(pairs[i], "!")
		if pairs[i+1] == "" && !always {
			continue
		}
		sign := "&"
		if q == "" {
			sign = "?"
		}
		q += sign + key + "=" + readable.Replace(url.QueryEscape(pairs[i+1]))
	}
	return path + q
}

var readable = strings.NewReplacer("%2C", ",", "%3A", ":", "%2F", "/")
