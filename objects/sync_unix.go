//go:build unix

package objects

import "os"

// syncDir makes renames into a folder, and removals from it, durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
