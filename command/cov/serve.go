package cov

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"proflens/command/covsite"
	"proflens/profile/stored"
)

// Server serves the pages of a profile, to nobody but this machine.
type Server interface {
	Handler() http.Handler
	// Put makes a profile of files, with labels, and returns its identifier.
	Put(ctx context.Context, name string, files []string, labels map[string]string) (id string, err error)
	// Sources gives a profile the text of sources, by the names that it has for them.
	Sources(ctx context.Context, id string, names, paths []string) error
	Close() error
}

// Opener makes a server that is gone without a trace once it is closed.
type Opener func(context.Context) (Server, error)

// GiveSources gives the server the sources that a profile names, that it has no text of and
// that are where at says, and returns how many of them are not.
func GiveSources(ctx context.Context, server Server, id string,
	at func(name string) string) (missing, of int, err error) {
	var mapped struct {
		Files []struct {
			File string
			Text bool
		}
	}
	if err := covsite.GetJSON(ctx, server.Handler(), "/api/v1/profiles/"+id+"/sources", &mapped); err != nil {
		return 0, 0, err
	}
	var names, paths []string
	for _, f := range mapped.Files {
		if f.Text {
			continue
		}
		path := at(f.File)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			missing++
			continue
		}
		names, paths = append(names, f.File), append(paths, path)
	}
	if len(names) > 0 {
		err = server.Sources(ctx, id, names, paths)
	}
	return missing, len(mapped.Files), err
}

// Serve serves to this machine alone until ctx ends. begun is told the address, such as
// http://localhost:8123. What is no address of this machine is a wrong command line.
func Serve(ctx context.Context, addr string, handler http.Handler, begun func(address string)) error {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageError("-addr=" + addr + ": use localhost:PORT; pages for other machines are those of proflens serve")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	stored.Report(ctx, "", 0, 0) // nothing is waited for
	begun("http://" + net.JoinHostPort(host, port))
	s := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := context.AfterFunc(ctx, func() { s.Close() })
	defer ended()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// IsUsage reports whether an error is of a wrong command line.
func IsUsage(err error) bool {
	_, ok := errors.AsType[usageError](err)
	return ok
}
