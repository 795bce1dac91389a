//go:build unix

package objects

import (
	"io/fs"
	"syscall"
)

// allocated is how many bytes a file has on the disk, where it may have holes.
func allocated(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return max(int64(stat.Blocks)*512, 1)
	}
	return max(info.Size(), 1)
}
