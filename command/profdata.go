package command

import (
	"context"

	"proflens/command/profdata"
)

// runProfdata is llvm-profdata's show, merge, overlap and order.
func runProfdata(ctx context.Context, args []string, std stdio) error {
	status := profdata.Run(ctx, args, programVersion(), profdata.Streams{In: std.in, Out: std.out, Err: std.err})
	if status != 0 {
		return exited(status)
	}
	return nil
}
