package command

import (
	"context"

	"github.com/spf13/cobra"

	"proflens/command/profdata"
)

// profdataCommand is llvm-profdata's show, merge, overlap and order.
func profdataCommand(c *cobra.Command) runner {
	asToolOf(c, profdata.Complete)
	c.SuggestFor = []string{"show", "overlap", "order"}
	return func(ctx context.Context, args []string, std stdio) error {
		status := profdata.Run(ctx, args, programVersion(), profdata.Streams{In: std.in, Out: std.out, Err: std.err})
		if status != 0 {
			return exited(status)
		}
		return nil
	}
}
