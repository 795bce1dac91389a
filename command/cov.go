package command

import (
	"context"

	"github.com/spf13/cobra"

	"proflens/command/cov"
)

// covCommand is llvm-cov's export, report and show, and a site of the same numbers.
func covCommand(c *cobra.Command) runner {
	asToolOf(c, cov.Complete)
	c.SuggestFor = []string{"report", "lcov"}
	return func(ctx context.Context, args []string, std stdio) error {
		if status := cov.Run(ctx, args, programVersion(),
			cov.Streams{In: std.in, Out: std.out, Err: std.err, Open: openPrivate, Quiet: std.line.hush}); status != 0 {
			return exited(status)
		}
		return nil
	}
}
