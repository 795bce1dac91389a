package handlers

import (
	"bytes"
	"net/http"

	"proflens/handlers/openapi"
)

// document makes the document of the API, once; an error of it is found by tests.
func (s *server) document() []byte {
	s.describe.Do(func() { s.described, _ = openapi.Make(s.routes, s.Families, objects...) })
	return s.described
}

const openAPISays = `operation openapi: This document
	>200 object: An OpenAPI 3.1 document.
	>default`

// openAPI is GET /api/v1/openapi.json.
func (s *server) openAPI(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, err := w.Write(bytes.Replace(s.document(), []byte(`{"url":"/"}`), []byte(`{"url":"`+s.BasePath+`/"}`), 1))
	return err
}
