// Package covsite writes the pages of a profile's source coverage as files: a site that
// is read without a server and without scripts.
package covsite

import (
	"context"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"proflens/static"
)

// Site is the pages of one profile that become files.
type Site struct {
	Handler http.Handler
	Base    string // of the profile's pages: "/p/ID"
	Goal    string // percent of the lines; empty: the usual
	// Progress is told how many pages are written, of those that are known of; may be nil.
	Progress func(done, of int)

	dir    *folder
	queue  []place
	met    map[place]bool
	names  map[place]string
	taken  map[string]bool
	assets []string
	starts map[place][]uint32 // the first lines of a file's pages
	asked  map[place]kept     // pages that window has asked for, until they are written
	open   string             // the directories of the tree
}

// Write writes the site into a folder, which is made, is empty, or has a site that was
// written before, and returns how many pages it has.
func (s *Site) Write(ctx context.Context, dir string) (pages int, err error) {
	if s.dir, err = openFolder(dir); err != nil {
		return 0, err
	}
	defer s.dir.close()
	s.met, s.names, s.taken = map[place]bool{}, map[place]string{}, map[string]bool{}
	s.starts, s.asked = map[place][]uint32{}, map[place]kept{}
	if s.open, err = s.directories(ctx); err != nil {
		return 0, err
	}
	s.meet(place{kind: listPage, path: "/files"})
	for len(s.queue) > 0 {
		p := s.queue[0]
		s.queue = s.queue[1:]
		if err := s.write(ctx, p); err != nil {
			return pages, err
		}
		pages++
		if s.Progress != nil {
			s.Progress(pages, pages+len(s.queue))
		}
	}
	for _, name := range s.assets {
		if err := s.copyAsset(ctx, name); err != nil {
			return pages, err
		}
	}
	return pages, s.dir.done()
}

// meet has a page written; one that is unfolded after the folded one.
func (s *Site) meet(p place) {
	if p.unfolded {
		folded := p
		folded.unfolded = false
		s.meet(folded)
	}
	if !s.met[p] {
		s.met[p] = true
		s.queue = append(s.queue, p)
	}
}

// write writes a page.
func (s *Site) write(ctx context.Context, p place) error {
	open := ""
	switch {
	case p.kind == listPage && p.path == "/files":
		open = s.open
	case p.unfolded:
		open = "all"
	}
	var data []byte
	var err error
	if k, asked := s.asked[p]; asked {
		delete(s.asked, p)
		data, err = s.dir.kept(k)
	} else {
		data, err = Get(ctx, s.Handler, s.address(p, open))
	}
	if err != nil {
		return err
	}
	if data, err = s.page(ctx, p, data); err != nil {
		return err
	}
	return s.dir.write(s.file(p), data)
}

// firstRows is how many lines are in the first page of a file at least: what is in them
// is found without asking.
const firstRows = 1000

// window is the first line of the page of a file that has a line; 0 for its first page.
func (s *Site) window(ctx context.Context, p place, line uint32) (uint32, error) {
	if line <= firstRows {
		return 0, nil
	}
	p.from, p.unfolded = 0, false
	starts, ok := s.starts[p]
	if !ok {
		at := p
		for {
			starts = append(starts, at.from)
			data, err := Get(ctx, s.Handler, s.address(at, ""))
			if err != nil {
				return 0, err
			}
			if !s.met[at] || slices.Contains(s.queue, at) { // else it is being written, or was
				if s.asked[at], err = s.dir.keep(data); err != nil {
					return 0, err
				}
			}
			next := later(data)
			if next <= at.from {
				break
			}
			at.from = next
		}
		s.starts[p] = starts
	}
	from := uint32(0)
	for _, start := range starts {
		if start <= line {
			from = start
		}
	}
	return from, nil
}

// wholeTree is how many rows of the tree are shown on its first page.
const wholeTree = 700

// directories are all of the tree, as the parameter open has them; of a large tree
// none, so that the largest is open.
func (s *Site) directories(ctx context.Context) (string, error) {
	var list []string
	for {
		data, err := Get(ctx, s.Handler, s.address(place{kind: listPage, path: "/files"}, strings.Join(list, ",")))
		if err != nil {
			return "", err
		}
		rows, dirs := tree(data)
		if rows > wholeTree {
			return "", nil
		}
		if len(dirs) == len(list) {
			return strings.Join(list, ","), nil
		}
		list = dirs
	}
}

func (s *Site) asset(name string) {
	if !s.taken[name] {
		s.taken[name] = true
		s.assets = append(s.assets, name)
	}
}

var fonts = regexp.MustCompile(`fonts/[\w.-]+\.woff2`)

// copyAsset copies a file of the pages, and the fonts that a style sheet names.
func (s *Site) copyAsset(ctx context.Context, name string) error {
	data, err := Get(ctx, s.Handler, static.Prefix+strings.TrimPrefix(name, "assets/"))
	if err != nil {
		return err
	}
	if path.Ext(name) == ".css" {
		for _, font := range fonts.FindAllString(string(data), -1) {
			if font = path.Join(path.Dir(name), font); !s.taken[font] {
				s.taken[font] = true
				if err := s.copyAsset(ctx, font); err != nil {
					return err
				}
			}
		}
	}
	return s.dir.write(name, data)
}
