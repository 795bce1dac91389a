package fsync

import (
	"os"

	"golang.org/x/sys/unix"
)

// BeginSync has the system begin to take n bytes of a file to the disk, those from an
// offset on, and does not wait for it. The sync that makes the file durable then finds
// little left to do.
func BeginSync(f *os.File, from, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), from, n, unix.SYNC_FILE_RANGE_WRITE) // the sync will say what is wrong
}
