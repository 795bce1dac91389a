package handlers

import "net/http"

// Stand-ins for pages: each goes when the page's own file brings the method.

func (s *server) homePage(w http.ResponseWriter, r *http.Request) error      { return errNoRoute }
func (s *server) staticFile(w http.ResponseWriter, r *http.Request) error    { return errNoRoute }
func (s *server) statusPage(w http.ResponseWriter, r *http.Request) error    { return errNoRoute }
func (s *server) overviewPage(w http.ResponseWriter, r *http.Request) error  { return errNoRoute }
func (s *server) functionsPage(w http.ResponseWriter, r *http.Request) error { return errNoRoute }
func (s *server) functionPage(w http.ResponseWriter, r *http.Request) error  { return errNoRoute }
