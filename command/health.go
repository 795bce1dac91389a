package command

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthCommand asks the server of this machine whether it is ready: for container
// images, which have no curl. It takes the address from the same flags and
// variables as serve.
func healthCommand(c *cobra.Command) runner {
	noArguments(c)
	fs := c.Flags()
	addr := "localhost:8080"
	addrFlags(fs, &addr, "`address` of the server")
	cert := fs.String("tls-cert", "", "certificate `file` of a server with TLS")
	base := fs.String("base-path", "", "base `path` of the server")
	return func(ctx context.Context, _ []string, std stdio) error {
		return askHealth(ctx, addr, *base, *cert != "", std)
	}
}

func askHealth(ctx context.Context, addr, base string, withTLS bool, std stdio) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return usageError{"-addr: " + err.Error()}
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1" // an image may have nothing that knows localhost
	}
	url := urlOf(net.JoinHostPort(host, port), port, withTLS) + strings.TrimPrefix(base+"/readyz", "/")
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// The certificate names the server as others call it. What is asked here
	// is whether it answers, and nothing is told to it.
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1000))
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", url, res.Status, text)
	}
	_, err = std.out.Write(text)
	return err
}
