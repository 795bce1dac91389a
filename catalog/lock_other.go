//go:build !unix && !windows

package catalog

import "os"

// lockFile does nothing: there is no lock to take here.
func lockFile(*os.File, bool) error { return nil }
