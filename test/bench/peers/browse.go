package main

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What is measured of a running server.
const (
	firstPage        = "upload → first functions page"
	everythingStored = "upload → everything stored"
	overlapOfTwo     = "overlap of two"
	comparingFirst   = "comparing two, first page"
	comparingLater   = "comparing two, later pages"
	treeFirst        = "tree of names, first page"
	treeLater        = "tree of names, later pages"
	newFilter        = "a new filter, the slowest"
	storedBytes      = "everything that is kept"
	takenIn          = "peak while it is taken in"
)

// served measures the pages of two runs of a program, as a server has them that has just
// started: nothing is in its memory.
func (b bench) served(of string, words filters, path, again string) error {
	s, err := b.serve()
	if err != nil {
		return err
	}
	defer s.stop()
	b.begin(of, path+" on a server")
	base, err := b.taken(s, path)
	if err != nil {
		return err
	}
	test, err := s.uploaded(again)
	if err != nil {
		return err
	}
	if err := b.overlaps(s, base+"..."+test, path, again); err != nil {
		return err
	}
	if err := b.visits(s, "/compare/"+base+"..."+test, comparingFirst, comparingLater); err != nil {
		return err
	}
	if err := b.visits(s, "/p/"+base+"/tree", treeFirst, treeLater); err != nil {
		return err
	}
	return b.filters(s, base, words, path)
}

// overlaps measures the overlap of two stored profiles that nobody has compared.
func (b bench) overlaps(s *server, compared, path, again string) error {
	ours, theirs, err := pair(b.runs, func() (c cost, err error) {
		if err = s.restart(); err == nil {
			c.wall, err = s.page("/api/v1/compare/"+compared+"?limit=1", nil)
		}
		return c, err
	}, func() (cost, error) { return process(b.tool, "overlap", path, again) })
	if err == nil {
		b.row(overlapOfTwo, "overlap", wall, ours.wall.Seconds(), theirs.wall.Seconds())
	}
	return err
}

// visits measures a page that nobody has asked for, and those that it leads to.
func (b bench) visits(s *server, path, first, later string) error {
	var firsts, laters []time.Duration
	for range b.runs {
		if err := s.restart(); err != nil {
			return err
		}
		var page bytes.Buffer
		took, err := s.page(path, &page)
		if err != nil {
			return err
		}
		firsts = append(firsts, took)
		for _, link := range onward(page.String(), path) {
			if took, err = s.page(link, nil); err != nil {
				return err
			}
			laters = append(laters, took)
		}
	}
	b.row(first, "", wall, medianOf(firsts).Seconds(), 0)
	b.row(later, "", wall, medianOf(laters).Seconds(), 0)
	return nil
}

var link = regexp.MustCompile(`href="([^"]+)"`)

// onward are the page itself, and up to ten that it leads to: other pages and nodes of it.
func onward(page, path string) []string {
	list := []string{path}
	for _, found := range link.FindAllStringSubmatch(page, -1) {
		to := strings.ReplaceAll(found[1], "&amp;", "&")
		if i := strings.Index(to, "/"); strings.HasPrefix(to, "?") || i != 0 {
			to = path + to[max(strings.Index(to, "?"), 0):]
		}
		if (strings.HasPrefix(to, path+"?page=") || strings.HasPrefix(to, path+"?") && strings.Contains(to, "path=")) &&
			!slices.Contains(list, to) && len(list) < 10 {
			list = append(list, to)
		}
	}
	return list
}

// page fetches what a browser would, and in place of a page that says how far it is waits for
// it. into may be nil.
func (s *server) page(path string, into *bytes.Buffer) (time.Duration, error) {
	req, err := http.NewRequest("GET", s.url+path, nil)
	if err != nil {
		return 0, err
	}
	if !strings.HasPrefix(path, "/api/") {
		req.Header.Set("Accept", "text/html")
		query := req.URL.Query()
		query.Set("wait", "1")
		req.URL.RawQuery = query.Encode()
	}
	start := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var body bytes.Buffer
	if into == nil {
		into = &body
	}
	if _, err = into.ReadFrom(res.Body); err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s", path, res.Status)
	}
	return time.Since(start), err
}
