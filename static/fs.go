// Package static holds the built style sheet, script, fonts and marks, and
// serves them under names that carry a hash of their content, so that a browser
// may keep them for ever.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed *.js *.css *.svg fonts
var embedded embed.FS

// Prefix is where [Handler] must be mounted.
const Prefix = "/static/"

// asset is one file, ready to be sent.
type asset struct {
	data     []byte
	mimeType string
}

// assets are all files.
type assets struct {
	urls   map[string]string // by the name in the folder
	byName map[string]asset  // by the hashed name
}

// files names them when the first is asked for, which commands do not. Style sheets come last,
// since they name fonts: those names are replaced first, so a changed font changes the style
// sheet's hash.
var files = sync.OnceValue(func() assets {
	all := assets{map[string]string{}, map[string]asset{}}
	var sheets []string
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if path.Ext(name) == ".css" {
			sheets = append(sheets, name)
			return nil
		}
		data, err := embedded.ReadFile(name)
		all.add(name, data)
		return err
	})
	if err != nil {
		panic(err) // the binary itself is damaged
	}
	for _, name := range sheets {
		data, err := embedded.ReadFile(name)
		if err != nil {
			panic(err)
		}
		for plain, url := range all.urls {
			if strings.HasSuffix(plain, ".woff2") {
				data = bytes.ReplaceAll(data, []byte("./"+plain), []byte(strings.TrimPrefix(url, Prefix)))
			}
		}
		all.add(name, data)
	}
	return all
})

func (all assets) add(name string, data []byte) {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:4]) + ext
	all.byName[hashed] = asset{data, mimeType(ext)}
	all.urls[name] = Prefix + hashed
}

// mimeType does not ask the system first, whose tables differ.
func mimeType(ext string) string {
	switch ext {
	case ".woff2":
		return "font/woff2"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(ext)
}

// URL is the path under which the file of this name ("app.js") is served. It
// panics for a name that is not in the folder: that is a mistake in the code.
func URL(name string) string {
	url, ok := files().urls[name]
	if !ok {
		panic("static: no file " + name)
	}
	return url
}

// Has reports whether there is a file at this path.
func Has(urlPath string) bool {
	_, ok := files().byName[strings.TrimPrefix(urlPath, Prefix)]
	return ok
}

// Handler serves the hashed names below [Prefix], to be kept for a year.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := files().byName[strings.TrimPrefix(r.URL.Path, Prefix)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.mimeType)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.data))
	})
}

// Files are the built files under their plain names, as their style sheets name them.
func Files() fs.FS { return embedded }
