package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"proflens/catalog"
)

// repairCommand mends a data folder and says what became of it, and what only a new
// upload mends.
func repairCommand(c *cobra.Command) runner {
	noArguments(c)
	place := placeFlags(c.Flags())
	return func(ctx context.Context, _ []string, std stdio) error {
		done, err := catalog.Repair(ctx, *place)
		if done == nil {
			return err
		}
		for _, p := range done.Profiles {
			what := "new link"
			if p.SameID {
				what = "its old link"
			}
			fmt.Fprintf(std.out, "taken in: /p/%s (%s), %q, unlisted; delete token %s\n", p.Entry.ID, what, p.Entry.Name,
				p.DeleteToken)
		}
		for _, id := range done.Rebuilt {
			fmt.Fprintf(std.out, "to be decoded again: /p/%s\n", id)
		}
		for _, f := range done.Faults {
			fmt.Fprintf(std.out, "not mended: %v\n", f)
		}
		if err == nil && len(done.Faults) > 0 {
			err = faultsError(len(done.Faults))
		}
		return err
	}
}
