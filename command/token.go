package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"proflens/catalog"
)

const tokenUsage = `usage: proflens token add NAME [-read] [-expires 90d] [-data FOLDER] [-catalog URL]
       proflens token list [-data FOLDER] [-catalog URL]
       proflens token revoke NAME [-data FOLDER] [-catalog URL]
       proflens token forget-all [-data FOLDER] [-catalog URL]`

// tokenConfig is a command line of "proflens token".
type tokenConfig struct {
	does, name string
	place      *catalog.Place
	read       bool
	expires    time.Duration
}

// runToken makes, lists and ends the tokens of a data folder. A server may be at
// work there: it knows at once.
func runToken(ctx context.Context, args []string, std stdio) error {
	c, err := parseToken(args, std)
	if err != nil {
		return err
	}
	tokens, err := catalog.OpenTokens(ctx, *c.place, c.does == "add")
	if err != nil {
		return err
	}
	defer tokens.Close()
	switch c.does {
	case "add":
		return c.add(ctx, tokens, std)
	case "list":
		return listTokens(ctx, tokens, std.out)
	case "revoke":
		left, err := tokens.Revoke(ctx, c.name)
		if err == nil && left == 0 {
			fmt.Fprintln(std.err, "no token of this folder can upload any more; uploading stays closed until one is added, "+
				"or opens to everyone with: proflens token forget-all")
		}
		return err
	}
	if err := tokens.Forget(ctx); err != nil {
		return err
	}
	fmt.Fprintln(std.err, "no token is left: everyone who can reach the server may upload, unless it runs with "+
		"-upload-token or -private")
	return nil
}

// parseToken reads the name before the flags, after them, or between them.
func parseToken(args []string, std stdio) (c tokenConfig, err error) {
	if len(args) == 0 {
		return c, usageError{tokenUsage}
	}
	c.does, args = args[0], args[1:]
	fs := newFlagSet("token "+c.does, "[flags]", std)
	fs.Usage = func() { fmt.Fprintln(std.err, tokenUsage); fs.PrintDefaults() }
	c.place = placeFlags(fs)
	named := c.does == "add" || c.does == "revoke"
	switch c.does {
	case "add":
		fs.BoolVar(&c.read, "read", false, "only allow viewing on a private server")
		fs.Func("expires", "`time` until the token expires, such as 90d or 36h", func(text string) (err error) {
			c.expires, err = parseLifetime(text)
			return err
		})
	case "list", "revoke", "forget-all":
	case "-h", "-help", "--help":
		fs.Usage()
		return c, flag.ErrHelp
	default:
		return c, usageError{fmt.Sprintf("token: unknown %q\n%s", c.does, tokenUsage)}
	}
	if named && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		c.name, args = args[0], args[1:]
	}
	if err := parseWithEnv(fs, args); err != nil {
		return c, err
	}
	if named && c.name == "" && fs.NArg() > 0 {
		c.name = fs.Arg(0)
		if err := parseArgs(fs, fs.Args()[1:]); err != nil { // flags on either side of the name
			return c, err
		}
	}
	if fs.NArg() > 0 || named && c.name == "" {
		return c, usageError{tokenUsage}
	}
	return c, nil
}

// parseLifetime reads a Go duration, or whole days as "90d".
func parseLifetime(text string) (time.Duration, error) {
	hours, days := strings.CutSuffix(text, "d")
	if days {
		hours += "h"
	}
	d, err := time.ParseDuration(hours)
	if days {
		if d > 100*365*time.Hour {
			return 0, fmt.Errorf("%q is more than a hundred years", text)
		}
		d *= 24
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a time; use a number of days or hours such as 90d or 36h", text)
	}
	return d, nil
}

// add prints the token alone on standard output, for scripts.
func (c *tokenConfig) add(ctx context.Context, tokens *catalog.Tokens, std stdio) error {
	right, can := catalog.UploadRight, "upload, add files, delete and view"
	if c.read {
		right, can = catalog.ReadRight, "look"
	}
	token, err := tokens.Add(ctx, c.name, right, c.expires)
	if err == catalog.ErrTokenName {
		return usageError{err.Error()}
	} else if err != nil {
		return err
	}
	fmt.Fprintln(std.out, token)
	fmt.Fprintf(std.err, "%s may %s with this token, sent as Authorization: Bearer TOKEN or given at /login; it is "+
		"shown only once\n", c.name, can)
	fmt.Fprintln(std.err, "the server asks for a token at every upload from now on")
	return nil
}

func listTokens(ctx context.Context, tokens *catalog.Tokens, out io.Writer) error {
	list, err := tokens.List(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tMAY\tCREATED\tLAST USED\tEXPIRES\tSTATE")
	now := time.Now()
	for _, t := range list {
		state := "valid"
		if !t.Revoked.IsZero() {
			state = "revoked " + dayOf(t.Revoked, "")
		} else if !t.Valid(now) {
			state = "expired"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Right, dayOf(t.Created, ""), dayOf(t.Used, "never"),
			dayOf(t.Expires, "never"), state)
	}
	return w.Flush()
}

// dayOf is a time to the minute.
func dayOf(t time.Time, never string) string {
	if t.IsZero() {
		return never
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
