//go:build unix

package fsync

import "os"

// SyncDir makes renames into a folder, and removals from it, durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
