//go:build !unix

package objects

import "io/fs"

// allocated is how many bytes a file may have on the disk.
func allocated(info fs.FileInfo) int64 { return max(info.Size(), 1) }
