package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// client asks a server, whose URL ends in no slash. The tokens are sent to no other.
type client struct{ server, token, deleteToken string }

// serverURL checks the URL of a server.
func serverURL(command, text string) error {
	if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return misused("%s: -server %q is not an http or https URL", command, text)
	}
	return nil
}

// maxAnswer is how many bytes an answer of a server has at most.
const maxAnswer = 16 << 20

// ask sends a request and reads an answer of JSON. Errors are about the connection;
// statuses are the caller's.
func (c *client) ask(ctx context.Context, method, address, media string, body io.Reader,
	into any) (status int, err error) {
	res, err := c.send(ctx, method, address, media, body)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(into); err != nil {
		return 0, fmt.Errorf("%s answered %s, but not as a Proflens server does: %w", address, res.Status, err)
	}
	return res.StatusCode, nil
}

// send sends a request, with a body of a media type or with none.
func (c *client) send(ctx context.Context, method, address, media string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{"Accept": "application/json", "Content-Type": media}
	if strings.HasPrefix(address, c.server+"/") {
		headers["X-Delete-Token"] = c.deleteToken
		if c.token != "" {
			headers["Authorization"] = "Bearer " + c.token
		}
	}
	for key, value := range headers {
		if value != "" {
			req.Header.Set(key, value)
		}
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
