package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/net/netutil"

	"proflens/analyze"
	"proflens/analyze/sources"
	"proflens/builds"
	"proflens/catalog"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/ingest/confine"
	"proflens/internal/humanize"
	"proflens/internal/recovery"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// serveConfig is the flags of "proflens serve": those of what answers requests and of what decodes, and what
// both run in.
type serveConfig struct {
	site.Config
	decoding        ingest.Config
	addr            string
	place           *catalog.Place
	role            string
	memory          byteSize
	decodeMemory    byteSize
	space           catalog.Space
	connections     int
	hosts           hostNames
	visibility      string
	tlsCert, tlsKey string
	drain, notice   time.Duration
	flags           *pflag.FlagSet
}

// What a process does: all of it, or one half.
const (
	roleAll    = "all"
	roleServe  = "serve"
	roleDecode = "decode"
)

// serveCommand serves the pages and the API until ctx ends.
func serveCommand(c *cobra.Command) runner {
	noArguments(c)
	o := &serveConfig{
		Config: site.Config{TrustedProxies: loopback(), MaxUpload: 2 << 30, MaxExpanded: 8 << 30},
		addr:   "localhost:8080", memory: 384 << 20, decodeMemory: 2 << 30, role: roleAll, flags: c.Flags(),
		space: catalog.Space{Staging: 16 << 30, Free: 256 << 20},
	}
	o.declare(c.Flags())
	return func(ctx context.Context, _ []string, std stdio) error {
		if err := o.check(); err != nil {
			return err
		}
		st, err := catalog.Open(catalog.WithProgress(ctx, func(doing string, done, of int) {
			fmt.Fprintf(std.err, "%s: %s of %s\n", doing, humanize.Int(done), humanize.Int(of))
		}), *o.place)
		if err != nil {
			return err
		}
		err = serve(ctx, o, st, std)
		return errors.Join(err, st.Close())
	}
}

// declare declares the flags.
func (c *serveConfig) declare(fs *pflag.FlagSet) {
	addrFlags(fs, &c.addr, "`address` to listen on")
	c.place = placeFlags(fs)
	choiceVar(fs, &c.role, "role", []string{roleAll, roleServe, roleDecode},
		"serve, decode or all: whether this process answers requests, decodes, or does both; with -catalog, others can do "+
			"the rest")
	fs.Var((*byteSize)(&c.MaxUpload), "max-upload", "maximum `bytes` of one upload")
	fs.Var((*byteSize)(&c.MaxExpanded), "max-expanded", "maximum `bytes` of one upload after unpacking")
	fs.Int64Var(&c.decoding.MaxRatio, "max-ratio", 1000,
		"maximum `bytes` unpacked per archive byte, after the first 64 MiB")
	fs.IntVar(&c.decoding.Workers, "decode-workers", max(1, runtime.NumCPU()/2), "profiles to decode at once")
	fs.DurationVar(&c.decoding.DecodeTimeout, "decode-timeout", 10*time.Minute, "maximum time to decode one profile")
	fs.Var(&c.decodeMemory, "decode-memory", "maximum `bytes` of memory to decode one profile")
	fs.Var(&c.memory, "memory", "maximum `bytes` of the server's own memory; two thirds are for what requests build "+
		"and what is kept for the next")
	fs.Var((*byteSize)(&c.space.Staging), "max-staging", "maximum `bytes` on disk of all uploads in progress")
	fs.Var((*byteSize)(&c.space.Free), "min-free", "`bytes` of disk space that uploads leave free")
	fs.IntVar(&c.MaxUploads, "max-uploads", 64, "maximum simultaneous uploads")
	fs.IntVar(&c.connections, "max-connections", 1024, "maximum simultaneous connections")
	fs.IntVar(&c.Decodes, "export-workers", 2,
		"maximum simultaneous requests that decode originals: exports, raw pages, merges")
	fs.Float64Var(&c.Rate, "rate", 0,
		"maximum requests per second from one client, with bursts of ten seconds' worth; 0 means no limit")
	fs.StringVar(&c.UploadToken, "upload-token", "",
		"require this `token` to upload and delete, as Authorization: Bearer; \"proflens token\" creates others and "+
			"stores them hashed")
	fs.Var(&c.hosts, "host", "additional host `name` to answer to, besides localhost and, on a network, the machine's "+
		"name and any IP address; comma-separated or repeated")
	fs.Var((*prefixes)(&c.TrustedProxies), "trusted-proxy",
		"comma-separated CIDR `networks` of proxies whose X-Forwarded-For, -Proto and -Host to trust; \"none\" trusts nobody")
	fs.BoolVar(&c.Private, "private", false, "require a token to view, too")
	fs.DurationVar(&c.TTL, "ttl", 0, "how long to keep profiles, such as 720h; 0 keeps them for ever")
	fs.StringVar(&c.visibility, "default-visibility", "",
		"listed or unlisted (default listed on loopback, otherwise unlisted)")
	offer(fs, "default-visibility", string(catalog.Listed), string(catalog.Unlisted))
	fs.StringVar(&c.tlsCert, "tls-cert", "", "PEM `file` with the certificate for HTTPS; read again when it changes")
	fs.StringVar(&c.tlsKey, "tls-key", "", "PEM `file` with its key")
	fs.StringVar(&c.BasePath, "base-path", "", "`path` before all addresses, such as /proflens; a proxy must pass it on")
	fs.Func("library", "comma-separated `patterns` of functions and paths that are library code in heap profiles; "+
		"default is the built-in list", func(text string) (err error) {
		c.Library, err = analyze.ParseLibrary(text)
		return err
	})
	fs.Func("source-url", "`template` of links to sources, such as https://host/{repo}/blob/{commit}/{path}#L{line}; a "+
		"label fills each place, and the label source_url of a profile wins", func(text string) (err error) {
		c.SourceURL, err = sources.ParseTemplate(text)
		return err
	})
	fs.DurationVar(&c.PageWait, "patience", 700*time.Millisecond,
		"how long a browser waits for a page before it shows progress; 0 waits for ever")
	fs.DurationVar(&c.drain, "drain", 15*time.Second, "time that requests in progress get when the server stops")
	fs.DurationVar(&c.notice, "drain-notice", time.Second,
		"time to keep listening after SIGTERM, while /readyz answers 503")
}

// check refuses values that make no server.
func (c *serveConfig) check() error {
	switch {
	case c.role != roleAll && c.place.Database == "":
		return usageError{"-role " + c.role + " needs a -catalog that other processes share"}
	case c.place.Connections < 4:
		return usageError{"-catalog-connections must be 4 or more"}
	case c.decoding.MaxRatio < 1:
		return usageError{"-max-ratio must be 1 or more"}
	case c.decoding.Workers < 1:
		return usageError{"-decode-workers must be 1 or more"}
	case c.decoding.DecodeTimeout <= 0:
		return usageError{"-decode-timeout must be more than 0"}
	case c.decodeMemory < 64<<20:
		return usageError{"-decode-memory must be 64MiB or more"}
	case c.memory < 64<<20:
		return usageError{"-memory must be 64MiB or more"}
	case c.MaxUploads < 1, c.connections < 1, c.Decodes < 1:
		return usageError{"-max-uploads, -max-connections and -export-workers must be 1 or more"}
	case c.Rate < 0:
		return usageError{"-rate must not be less than 0"}
	case c.TTL < 0:
		return usageError{"-ttl must not be less than 0"}
	case c.drain < 0 || c.notice < 0:
		return usageError{"-drain and -drain-notice must not be less than 0"}
	case (c.tlsCert == "") != (c.tlsKey == ""):
		return usageError{"-tls-cert and -tls-key belong together"}
	case !isBasePath(c.BasePath):
		return misused("-base-path is a path such as /proflens, of letters, digits, . _ - and /, not %q", c.BasePath)
	}
	switch catalog.Visibility(c.visibility) {
	case "", catalog.Listed, catalog.Unlisted:
	default:
		return misused("-default-visibility is listed or unlisted, not %q", c.visibility)
	}
	return nil
}

// buildTime is the processor's time that one request may build for.
const buildTime = 4 * time.Second

// setMemory bounds what requests build. From the whole on the server collects its garbage
// more often, rather than take more memory for itself; GOMEMLIMIT says otherwise.
func setMemory(memory int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	} else if given := debug.SetMemoryLimit(-1); given < math.MaxInt64 {
		memory = given
	}
	budget.Process.Set(memory/3*2, buildTime)
	stored.SetCacheLimit(memory / 3 * 2)
}

// serve runs the server and the decoding workers; either's end ends both.
func serve(ctx context.Context, c *serveConfig, st *catalog.Catalog, std stdio) error {
	log := site.NewLog(std.err)
	setMemory(int64(c.memory))
	listener, err := c.listen(ctx, log)
	if err != nil {
		return err
	}
	// The first line is what everybody waits for; who connects now is answered in a moment.
	fmt.Fprintf(std.err, "Proflens %ss on %s, data in %s\n", c.does(),
		urlOf(c.addr, portOf(listener.Addr()), c.tlsCert != "")+strings.TrimPrefix(c.BasePath+"/", "/"), c.stores())
	st.SetSpace(c.space)
	runner := confine.NewPool(confine.Limits{
		Memory: int64(c.decodeMemory), CPU: c.decoding.DecodeTimeout * time.Duration(max(2, runtime.GOMAXPROCS(0))),
		Read: []string{st.ObjectsDir()}, Write: []string{st.StagingDir()},
	}, log)
	defer runner.Close()
	interfaceOf := handlers.New
	switch c.role {
	case roleServe:
		c.decoding.Workers = -1
	case roleDecode:
		interfaceOf = handlers.Probes
	}
	c.DefaultVisibility = c.visibilityOn(listener.Addr())
	c.decoding.MaxUpload, c.decoding.MaxExpanded, c.decoding.TTL = c.MaxUpload, c.MaxExpanded, c.TTL
	c.decoding.Visibility, c.decoding.Runner = c.DefaultVisibility, runner
	service := ingest.New(st, c.decoding, log)
	if st.Shared() {
		c.Tally = st.Tally
	}
	c.Builds = builds.NewMeasurer(st, log)
	ending := &stopper{notice: c.notice, drain: c.drain}
	c.Store, c.Ingest, c.Originals = st, uploads{service}, ingest.Originals{Store: st, Runner: runner}
	c.Hosts, c.Limits = c.hostsOn(listener.Addr()), limitsOf(c.flags, string(c.DefaultVisibility))
	c.Measures = measures(st, service, runner, ending.connections, log)
	c.Version, c.Log, c.Stopping = versions(), log, ctx
	server := &http.Server{
		Handler:           interfaceOf(c.Config),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnState:         ending.connState,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	if originals, tables, err := st.Quarantined(); err != nil || len(originals)+len(tables) > 0 {
		log.Warn("files unknown to the catalog were put aside; stop the server and run: proflens repair", "originals",
			len(originals), "tables", len(tables), "error", err)
	}
	if has, err := st.HasTokens(ctx); err == nil && !has && c.Private && c.UploadToken == "" {
		log.Warn("the server is private and has no token yet, so nobody can view or upload; make one with: proflens token " +
			"add NAME")
	}

	if why := st.Unindexed(); why != "" {
		log.Warn("names are searched one by one: have an administrator of the database run CREATE EXTENSION pg_trgm in it, "+
			"and start again", "error", why)
	}

	group, ctx := recovery.WithContext(ctx)
	group.Go(func() error { return service.Run(ctx) })
	if c.role != roleDecode { // who asks for trends has them measured
		group.Go(func() error { return c.Builds.Run(ctx) })
	}
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		return ending.stop(ctx, server)
	})
	return group.Wait()
}

// does and stores say what the process is about, at its start.
func (c *serveConfig) does() string {
	if c.role == roleDecode {
		return roleDecode
	}
	return roleServe
}

func (c *serveConfig) stores() string {
	if c.place.Database == "" {
		return c.place.Dir
	}
	return c.place.Dir + ", " + c.place.String()
}

// listen begins to listen, with TLS where there is a certificate.
func (c *serveConfig) listen(ctx context.Context, log *slog.Logger) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.addr)
	if err == nil {
		listener = netutil.LimitListener(listener, c.connections)
	}
	if err != nil || c.tlsCert == "" {
		return listener, err
	}
	certificate, err := openCertificate(c.tlsCert, c.tlsKey, log)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return tls.NewListener(listener,
		&tls.Config{GetCertificate: certificate.get, NextProtos: []string{"h2", "http/1.1"}}), nil
}

// isBasePath reports whether addresses can begin with a path. One that our own begin
// with would not be told from them.
func isBasePath(path string) bool {
	return path == "" || basePaths.MatchString(path) &&
		!slices.Contains([]string{"p", "api", "docs", "static", "compare", "samples", "projects"},
			strings.Split(path, "/")[1])
}

var basePaths = regexp.MustCompile(`^(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$`)

// visibilityOn is the default visibility: profiles are listed where only this
// machine can see the list.
func (c *serveConfig) visibilityOn(addr net.Addr) catalog.Visibility {
	if c.visibility != "" {
		return catalog.Visibility(c.visibility)
	}
	if onLoopback(addr) {
		return catalog.Listed
	}
	return catalog.Unlisted
}

// onLoopback reports whether only this machine can connect.
func onLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// urlOf is what to open in a browser: the host as it was given, since
// "localhost" reads better than what it resolves to, and the port in use.
func urlOf(asked, port string, withTLS bool) string {
	host, _, err := net.SplitHostPort(asked)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	scheme := "http"
	if withTLS {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

func portOf(addr net.Addr) string {
	_, port, _ := net.SplitHostPort(addr.String())
	return port
}
