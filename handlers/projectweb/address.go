package projectweb

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// words end a project's name in an address: /projects/owner/name/builds. The slashes of a
// name that has one of them as a part are written %2F.
var words = []string{"builds", "branches", "gate", "rules", "trends", "latest", "badge"}

// open are those of them that a branch follows, slashes and all.
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
		if slices.Contains(words, parts[i]) {
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

// pathOf is a name as part of an address. Its slashes stay where they can.
func pathOf(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		if p == "" || p == "." || p == ".." || i > 0 && slices.Contains(words, p) {
			return url.PathEscape(name)
		}
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// PageOf is the page of a project, and below it with further parts.
func PageOf(project string, below ...string) string {
	return "/projects/" + pathOf(project) + under(below)
}

// apiOf is the same in the API.
func apiOf(project string, below ...string) string { return "/api/v1" + PageOf(project, below...) }

func under(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(p)
	}
	return b.String()
}

// BuildPage is the page of a build by its [builds.Build.ID].
func BuildPage(project, id string) string { return PageOf(project, "builds", url.PathEscape(id)) }

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
