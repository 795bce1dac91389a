//go:build !unix

package budget

import "time"

var begun = time.Now()

// processorTime is how long the process has run: the system's own count is not asked.
func processorTime() time.Duration { return time.Since(begun) }
