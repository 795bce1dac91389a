//go:build !unix && !windows

package catalog

import "os"

// lockFile opens path; there is no lock to take here.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
