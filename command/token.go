package command

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"proflens/catalog"
)

// tokenConfig is the flags of "proflens token add".
type tokenConfig struct {
	read    bool
	expires time.Duration
}

// tokenCommands make, list and end the tokens of a data folder. A server may be at
// work there: it knows at once.
var tokenCommands = []command{
	{"add", "create a token and print it, once", tokenAddCommand, withEnv},
	{"list", "list names, last use and expiry", tokenListCommand, withEnv},
	{"revoke", "end a token", tokenRevokeCommand, withEnv},
	{"forget-all", "remove all tokens, and with them that uploading needs one", tokenForgetCommand, withEnv},
}

func tokenCommand(c *cobra.Command) runner {
	c.Use += " COMMAND"
	return func(_ context.Context, args []string, std stdio) error {
		help(c, std.err)
		return misused("token takes one of these commands, not %q", strings.Join(args, " "))
	}
}

func tokenAddCommand(c *cobra.Command) runner {
	t := &tokenConfig{}
	c.Flags().BoolVar(&t.read, "read", false, "only allow viewing on a private server")
	c.Flags().Func("expires", "`time` until the token expires, such as 90d or 36h", func(text string) (err error) {
		t.expires, err = parseLifetime(text)
		return err
	})
	oneName(c)
	return onTokens(c, true, t.add)
}

func tokenListCommand(c *cobra.Command) runner {
	noArguments(c)
	return onTokens(c, false, listTokens)
}

func tokenRevokeCommand(c *cobra.Command) runner {
	oneName(c)
	return onTokens(c, false, func(ctx context.Context, tokens *catalog.Tokens, args []string, std stdio) error {
		left, err := tokens.Revoke(ctx, args[0])
		if err == nil && left == 0 {
			fmt.Fprintln(std.err, "no token of this folder can upload any more; uploading stays closed until one is added, "+
				"or opens to everyone with: proflens token forget-all")
		}
		return err
	})
}

func tokenForgetCommand(c *cobra.Command) runner {
	noArguments(c)
	return onTokens(c, false, func(ctx context.Context, tokens *catalog.Tokens, _ []string, std stdio) error {
		if err := tokens.Forget(ctx); err != nil {
			return err
		}
		fmt.Fprintln(std.err, "no token is left: everyone who can reach the server may upload, unless it runs with "+
			"-upload-token or -private")
		return nil
	})
}

// oneName has a command take the name of a token.
func oneName(c *cobra.Command) { exactly(c, "NAME", "name", cobra.NoFileCompletions) }

// onTokens does something with the tokens of a data folder, which create makes if it is not
// there.
func onTokens(c *cobra.Command, create bool,
	do func(ctx context.Context, tokens *catalog.Tokens, args []string, std stdio) error) runner {
	place := placeFlags(c.Flags())
	return func(ctx context.Context, args []string, std stdio) error {
		tokens, err := catalog.OpenTokens(ctx, *place, create)
		if err != nil {
			return err
		}
		defer tokens.Close()
		return do(ctx, tokens, args, std)
	}
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
func (c *tokenConfig) add(ctx context.Context, tokens *catalog.Tokens, args []string, std stdio) error {
	right, can := catalog.UploadRight, "upload, add files, delete and view"
	if c.read {
		right, can = catalog.ReadRight, "look"
	}
	token, err := tokens.Add(ctx, args[0], right, c.expires)
	if err == catalog.ErrTokenName {
		return usageError{err.Error()}
	} else if err != nil {
		return err
	}
	fmt.Fprintln(std.out, token)
	fmt.Fprintf(std.err, "%s may %s with this token, sent as Authorization: Bearer TOKEN or given at /login; it is "+
		"shown only once\n", args[0], can)
	fmt.Fprintln(std.err, "the server asks for a token at every upload from now on")
	return nil
}

func listTokens(ctx context.Context, tokens *catalog.Tokens, _ []string, std stdio) error {
	list, err := tokens.List(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
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
