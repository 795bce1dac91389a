package handlers

import (
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"proflens/handlers/site"
	"proflens/profile"
)

// exportSQLite is GET /profiles/{id}/export/sqlite: the profile's database, made
// in a temporary folder first, since none of it is where it belongs before all
// of it is there.
func (s *server) exportSQLite(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	o := s.Profile(r).Overview
	if o.Storing {
		return s.NotReady(w, r)
	}
	if s.NotModified(w, r, "sqlite") {
		return nil
	}
	if err := s.decodes.Take(ctx); err != nil { // as much work as that
		return err
	}
	defer s.decodes.Give()
	dir, err := os.MkdirTemp(s.Store.StagingDir(), "export-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // what stays is swept at the next start
	file := filepath.Join(dir, "profile.db")
	if err := profile.WriteSQLite(ctx, s.Profile(r), file); err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	e := s.Entry(r)
	w.Header().Set("Content-Type", "application/vnd.sqlite3")
	site.Attach(w, site.FileName(strings.TrimSuffix(e.Name, path.Ext(e.Name)), ".db"))
	http.ServeContent(w, r, "", e.Updated, f)
	return nil
}
