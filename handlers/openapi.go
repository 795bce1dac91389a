package handlers

import (
	"bytes"
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var openAPIDocument []byte

// openAPI is GET /api/v1/openapi.json.
func (s *server) openAPI(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, err := w.Write(bytes.Replace(openAPIDocument, []byte(`{"url": "/"}`), []byte(`{"url": "`+s.BasePath+`/"}`), 1))
	return err
}
