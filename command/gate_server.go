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

// judgeThere has a server judge profiles that it has. Without rules of the command line
// or of a file it goes by those of the project.
func (c *gateConfig) judgeThere(ctx context.Context, server string, base, test *gateSide) (*gate.Report, error) {
	query := url.Values{"base": base.ids(), "test": test.ids()}
	for _, r := range c.rules {
		query.Set(r.Name, strconv.FormatFloat(r.Limit, 'f', -1, 64))
	}
	method, media, body := http.MethodGet, "", io.Reader(nil)
	if c.diff != "" {
		text, err := c.diffText()
		if err != nil {
			return nil, err
		}
		method, media, body = http.MethodPost, "text/x-diff", bytes.NewReader(text)
	}
	var answer struct {
		gate.Object
		problemAnswer
		Kind   string       `json:"kind"`
		Report *gate.Object `json:"report"`
	}
	status, err := c.ask(ctx, method, server+"/api/v1/compare/gate?"+query.Encode(), media, body, &answer)
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
	res, err := c.send(ctx, http.MethodGet, address, "", nil)
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
