package confine

import "time"

// Limits are what one child may have.
type Limits struct {
	Memory int64         // bytes of its own; maps of files do not count
	CPU    time.Duration // processor time of all it ever does
	Read   []string      // folders that it may read
	Write  []string      // folders that it may read and write
}
