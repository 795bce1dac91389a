package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"proflens/builds/gate"
)

// serverURL checks the URL of a server.
func serverURL(command, text string) error {
	if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usageError{fmt.Sprintf("%s: -server %q is not an http or https URL", command, text)}
	}
	return nil
}

// maxAnswer is how many bytes an answer of a server has at most.
const maxAnswer = 16 << 20

// ask sends a request and reads an answer of JSON. Errors are about the connection;
// statuses are the caller's.
func (c *gateConfig) ask(ctx context.Context, method, address string, body io.Reader,
	into any) (status int, err error) {
	res, err := c.send(ctx, method, address, body)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(into); err != nil {
		return 0, fmt.Errorf("%s answered %s, but not as a Proflens server does: %w", address, res.Status, err)
	}
	return res.StatusCode, nil
}

func (c *gateConfig) send(ctx context.Context, method, address string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "text/x-diff")
	}
	if c.token != "" && strings.HasPrefix(address, c.server+"/") {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return http.DefaultClient.Do(req)
}

// problemAnswer is a refusal of a server.
type problemAnswer struct {
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

func (p *problemAnswer) problem() error {
	return errors.New(strings.ToLower(p.Title[:min(1, len(p.Title))]) + p.Title[min(1, len(p.Title)):] + ": " + p.Detail)
}

// judgeThere has a server judge profiles that it has. Without rules of the command line
// or of a file it goes by those of the project.
func (c *gateConfig) judgeThere(ctx context.Context, server string, base, test *gateSide) (*gate.Report, error) {
	query := url.Values{"base": base.ids(), "test": test.ids()}
	for _, r := range c.rules {
		query.Set(r.Name, strconv.FormatFloat(r.Limit, 'f', -1, 64))
	}
	method, body := http.MethodGet, io.Reader(nil)
	if c.diff != "" {
		text, err := c.diffText()
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(text)
	}
	var answer struct {
		gate.Object
		problemAnswer
		Kind   string       `json:"kind"`
		Report *gate.Object `json:"report"`
	}
	status, err := c.ask(ctx, method, server+"/api/v1/compare/gate?"+query.Encode(), body, &answer)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusOK:
		return answer.Object.Report(), nil
	case status == http.StatusUnprocessableEntity && answer.Report != nil:
		return answer.Report.Report(), nil
	case status == http.StatusBadRequest:
		return nil, usageError{"gate: " + answer.Detail}
	}
	return nil, answer.problem()
}

// fileNameOf is what a server calls the file that it sends, or another name.
func fileNameOf(res *http.Response, other string) string {
	_, params, err := mime.ParseMediaType(res.Header.Get("Content-Disposition"))
	name := filepath.Base(params["filename"])
	if err != nil || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return other
	}
	return name
}

// download fetches the originals of a profile into a temporary file, which remove removes.
func (c *gateConfig) download(ctx context.Context, r remote) (name string, remove func(), err error) {
	address := r.server + "/api/v1/profiles/" + r.id + "/original"
	res, err := c.send(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		var answer problemAnswer
		if json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&answer) != nil {
			return "", nil, fmt.Errorf("%s answered %s", address, res.Status)
		}
		return "", nil, answer.problem()
	}
	dir, err := os.MkdirTemp("", "proflens-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	name = filepath.Join(dir, fileNameOf(res, r.id))
	f, err := os.Create(name)
	if err == nil {
		_, err = io.Copy(f, res.Body)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return name, remove, nil
}
