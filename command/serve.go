package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"proflens/catalog"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/ingest"
)

// serveConfig is the flags of "proflens serve".
type serveConfig struct {
	addr, data    string
	maxUpload     byteSize
	maxExpanded   byteSize
	workers       int
	decodeTimeout time.Duration
	uploadToken   string
	ttl           time.Duration
	visibility    string
	flags         *flag.FlagSet // parsed
}

// How long a stopping server waits for requests that are under way.
const shutdownGrace = 15 * time.Second

// runServe serves the pages and the API until ctx ends.
func runServe(ctx context.Context, args []string, std stdio) error {
	c, err := parseServe(args, std)
	if err != nil {
		return err
	}
	st, err := catalog.Open(ctx, c.data)
	if err != nil {
		return err
	}
	err = serve(ctx, c, st, std)
	return errors.Join(err, st.Close())
}

func parseServe(args []string, std stdio) (serveConfig, error) {
	c := serveConfig{maxUpload: 2 << 30, maxExpanded: 8 << 30}
	fs := newFlagSet("serve", "[flags]", std)
	c.flags = fs
	fs.StringVar(&c.addr, "addr", "localhost:8080", "`address` to listen on")
	fs.StringVar(&c.data, "data", "./proflens-data", "`folder` of everything that is stored")
	fs.Var(&c.maxUpload, "max-upload", "`bytes` of one request")
	fs.Var(&c.maxExpanded, "max-expanded", "`bytes` of one request's archives once unpacked")
	fs.IntVar(&c.workers, "decode-workers", max(1, runtime.NumCPU()/2), "profiles decoded at once")
	fs.DurationVar(&c.decodeTimeout, "decode-timeout", 10*time.Minute, "time to decode one profile")
	fs.StringVar(&c.uploadToken, "upload-token", "", "`token` that uploading and deleting need, as Authorization: Bearer")
	fs.DurationVar(&c.ttl, "ttl", 0, "time to keep profiles, such as 720h; 0 keeps them")
	fs.StringVar(&c.visibility, "default-visibility", "", "listed or unlisted (default listed when bound to loopback, else unlisted)")
	if err := parseWithEnv(fs, args); err != nil {
		return c, err
	}
	switch {
	case fs.NArg() > 0:
		return c, usageError{fmt.Sprintf("serve takes no argument, got %q", fs.Arg(0))}
	case c.workers < 1:
		return c, usageError{"-decode-workers must be 1 or more"}
	case c.decodeTimeout <= 0:
		return c, usageError{"-decode-timeout must be more than 0"}
	case c.ttl < 0:
		return c, usageError{"-ttl must not be less than 0"}
	}
	switch catalog.Visibility(c.visibility) {
	case "", catalog.Listed, catalog.Unlisted:
	default:
		return c, usageError{fmt.Sprintf("-default-visibility is listed or unlisted, not %q", c.visibility)}
	}
	return c, nil
}

// serve runs the server and the decoding workers; either's end ends both.
func serve(ctx context.Context, c serveConfig, st *catalog.Catalog, std stdio) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.addr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(std.err, nil))
	visibility := c.visibilityOn(listener.Addr())
	service := ingest.New(st, ingest.Config{
		MaxUpload: int64(c.maxUpload), MaxExpanded: int64(c.maxExpanded),
		Workers: c.workers, DecodeTimeout: c.decodeTimeout, TTL: c.ttl, Visibility: visibility,
	}, log)
	server := &http.Server{
		Handler: handlers.New(site.Config{
			Store: st, Ingest: uploads{service}, Originals: ingest.Originals{Store: st},
			UploadToken: c.uploadToken, MaxUpload: int64(c.maxUpload), MaxExpanded: int64(c.maxExpanded),
			TTL: c.ttl, DefaultVisibility: visibility, Limits: limitsOf(c.flags, string(visibility)),
			Version: versions(), Log: log, Stopping: ctx,
		}),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	fmt.Fprintf(std.err, "Proflens serves on %s, data in %s\n", urlOf(c.addr, listener.Addr()), c.data)

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return service.Run(ctx) })
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		return shutdown(server)
	})
	return group.Wait()
}

// shutdown lets requests end, for a while.
func shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}

// visibilityOn is the default visibility: profiles are listed where only this
// machine can see the list.
func (c *serveConfig) visibilityOn(addr net.Addr) catalog.Visibility {
	if c.visibility != "" {
		return catalog.Visibility(c.visibility)
	}
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return catalog.Listed
	}
	return catalog.Unlisted
}

// urlOf is what to open in a browser: the host as it was given, since
// "localhost" reads better than what it resolves to, and the port in use.
func urlOf(asked string, got net.Addr) string {
	host, _, err := net.SplitHostPort(asked)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(got.String())
	return "http://" + net.JoinHostPort(host, port) + "/"
}
