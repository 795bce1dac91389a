package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"proflens/catalog"
	"proflens/command/cov"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/internal/humanize"
)

// openCommand shows files on a server of their own, in the browser, until ctx ends.
func openCommand(c *cobra.Command) runner {
	someFiles(c)
	addr := "localhost:0"
	addrFlags(c.Flags(), &addr, "`address` of this machine to listen on; port 0 is a free one")
	alone := c.Flags().Bool("no-browser", false, "print the address, and open no browser")
	return func(ctx context.Context, args []string, std stdio) error { return open(ctx, addr, *alone, args, std) }
}

func open(ctx context.Context, addr string, alone bool, files []string, std stdio) (err error) {
	for _, name := range files { // before there is a server
		if info, err := os.Stat(name); err != nil {
			return err
		} else if info.IsDir() {
			return misused("open: %s is a folder; give files, or a tar of it", name)
		}
	}
	p, err := newPrivate(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	made, err := p.add(ctx, files, ingest.Request{Group: "auto"})
	if err != nil && ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range made {
		if e.State == catalog.Failed && e.Finding != nil { // its page says more
			fmt.Fprintf(std.err, "proflens: %s: %s\n", humanize.Printable(e.Name), humanize.Printable(e.Finding.Message))
		}
		if e.State == catalog.Ready {
			_, _, _ = cov.GiveSources(ctx, p, e.ID, filepath.Clean) // one without sources refuses
		}
	}
	path := "/"
	if len(made) == 1 {
		path = site.PageOf(made[0].ID)
	}
	err = cov.Serve(ctx, addr, p.Handler(), func(address string) {
		fmt.Fprintln(std.out, address+path)
		if !alone {
			browse(ctx, address+path)
		}
	})
	if cov.IsUsage(err) {
		return usageError{"open: " + err.Error()}
	}
	return err
}

// browse shows an address in the browser, where there is one: the program that BROWSER
// names, or the system's. It may stay when the server ends.
func browse(ctx context.Context, address string) {
	command := strings.Fields(os.Getenv("BROWSER"))
	switch {
	case len(command) > 0:
	case runtime.GOOS == "darwin":
		command = []string{"open"}
	case runtime.GOOS == "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		command = []string{"xdg-open"}
	default:
		return
	}
	browser := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:], address)...)
	if browser.Start() == nil { // else there is the address
		_ = browser.Process.Release()
	}
}
