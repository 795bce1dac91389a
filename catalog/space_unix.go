//go:build linux || darwin || freebsd

package catalog

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const errQuota = syscall.EDQUOT

// diskOf is how large the file system of a folder is, and how much of it this
// process may still use, in bytes.
func diskOf(dir string) (size, free int64, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, 0, err
	}
	return int64(fs.Blocks) * int64(fs.Bsize), int64(fs.Bavail) * int64(fs.Bsize), nil
}
