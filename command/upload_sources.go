package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"slices"
	"time"

	"proflens/analyze/sources"
	"proflens/profile/stored"
)

// The most that one request with sources has, and how often the server is asked whether a
// profile is decoded.
const (
	maxSourceFiles = 1000
	maxSourceBytes = 8 << 20
	askAgain       = 500 * time.Millisecond
)

// addSources sends the text of those source files that the uploaded profile names, as far as
// they are below the folders of -sources, and says which are missing.
func (c *uploadConfig) addSources(ctx context.Context, a *uploadAnswer, std stdio) error {
	if len(c.sources) == 0 {
		return nil
	}
	defer stored.Report(ctx, "", 0, 0)
	s := &sourceSender{
		client: client{c.server, c.token, a.DeleteToken}, profile: c.server + "/api/v1/profiles/" + path.Base(a.Link),
	}
	if err := s.wait(ctx); err != nil {
		return err
	}
	missing, of, err := s.missing(ctx)
	s.of = len(missing)
	for _, folder := range c.sources {
		if err == nil {
			missing, err = s.sendFolder(ctx, folder, missing)
		}
	}
	if err == nil && s.done > 0 {
		missing, of, err = s.missing(ctx)
	}
	if err != nil {
		return fmt.Errorf("-sources: %w", err)
	}
	fmt.Fprintln(std.err, sources.Matched(of-len(missing), of, missing))
	return nil
}

// sourceSender sends the sources of a profile, some at a time.
type sourceSender struct {
	client
	profile  string // its address
	done, of int    // files
}

// wait waits until the profile is decoded.
func (s *sourceSender) wait(ctx context.Context) error {
	for {
		var p struct{ Pending bool }
		if err := s.read(ctx, http.MethodGet, s.profile, "", nil, &p); err != nil || !p.Pending {
			return err
		}
		stored.Report(ctx, "Waiting for the server", 0, 0)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askAgain):
		}
	}
}

// missing are the source files without text, of so many that the profile names.
func (s *sourceSender) missing(ctx context.Context) (files []string, of int, err error) {
	var named struct {
		Files []struct {
			File string
			Text bool
		}
	}
	err = s.read(ctx, http.MethodGet, s.profile+"/sources", "", nil, &named)
	for _, f := range named.Files {
		if !f.Text {
			files = append(files, f.File)
		}
	}
	return files, len(named.Files), err
}

// sendFolder sends those of some files that are below a folder and returns the others. Links
// that lead out of the folder are not followed.
func (s *sourceSender) sendFolder(ctx context.Context, folder string, files []string) (missing []string, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	paths, err := filesBelow(ctx, root.FS())
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	size := 0
	flush := func() error {
		if len(texts) == 0 {
			return nil
		}
		err := s.sendTexts(ctx, texts)
		clear(texts)
		size = 0
		return err
	}
	for i, at := range sources.Pair(files, paths) {
		var text []byte
		if at >= 0 {
			text = textOf(root, paths[at])
		}
		if text == nil {
			missing = append(missing, files[i])
			continue
		}
		if len(texts) == maxSourceFiles || size+len(text) > maxSourceBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		texts[files[i]] = text
		size += len(text)
	}
	return missing, flush()
}

// filesBelow are the files of a folder, without those of version control.
func filesBelow(ctx context.Context, folder fs.FS) (paths []string, err error) {
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil: // it cannot be read, and its files are missing
			return nil
		case d.IsDir() && slices.Contains([]string{".git", ".hg", ".svn"}, d.Name()):
			return fs.SkipDir
		case !d.IsDir():
			paths = append(paths, name)
		}
		return nil
	})
	return paths, err
}

// textOf is the text of a file; nil where that cannot be read, or is none.
func textOf(root *os.Root, name string) []byte {
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > sources.MaxText {
		return nil
	}
	text, err := root.ReadFile(name)
	if err != nil || !sources.IsText(text) {
		return nil
	}
	return text
}

// sendTexts sends the text of files by the names that the profile has for them.
func (s *sourceSender) sendTexts(ctx context.Context, texts map[string][]byte) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, text := range texts {
		part, err := form.CreateFormFile("file", name)
		if err != nil {
			return err
		}
		if _, err := part.Write(text); err != nil {
			return err
		}
	}
	if err := form.Close(); err != nil {
		return err
	}
	if err := s.read(ctx, http.MethodPost, s.profile+"/sources", form.FormDataContentType(), &body, nil); err != nil {
		return err
	}
	s.done += len(texts)
	stored.Report(ctx, "Sending sources", s.done, s.of)
	return nil
}

// read makes a request for the profile, and reads the answer into an object; nil is none.
func (s *sourceSender) read(ctx context.Context, method, address, media string, body io.Reader, into any) error {
	res, err := s.send(ctx, method, address, media, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer := json.NewDecoder(io.LimitReader(res.Body, 64<<20))
	if res.StatusCode < 300 {
		if into == nil {
			return nil
		}
		return answer.Decode(into)
	}
	problem := &problemAnswer{Title: res.Status}
	_ = answer.Decode(problem) // else its status has to do
	return errors.New(cmp.Or(problem.Detail, problem.Title))
}
