package llvmcov

import (
	"bufio"
	"fmt"
	"io"

	"proflens/analyze/coverage"
)

// WriteGroups writes which functions begin at each place of files, as -dump of llvm-cov 22 does
// where it counts them: their name, or the place if they have several. The error is the
// writer's.
func WriteGroups(w io.Writer, c *coverage.Coverage, files []int) error {
	b := bufio.NewWriter(w)
	for _, file := range files {
		for _, g := range c.Groups(file) {
			name := g.Functions[0].Name
			for _, f := range g.Functions {
				if f.Name != name {
					name = fmt.Sprintf("Definition at line %d, column %d", g.Start.Line, g.Start.Column)
					break
				}
			}
			fmt.Fprintf(b, "InstantiationGroup: %s with size = %d\n", name, len(g.Functions))
		}
	}
	return b.Flush()
}
