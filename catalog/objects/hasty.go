package objects

import "time"

// Hasty gives the buckets that are opened from here on short timeouts, until restore is
// called: it is for tests of what happens while a bucket is away.
func Hasty() (restore func()) {
	before := usual
	usual.first, usual.most = time.Millisecond, 20*time.Millisecond
	usual.read, usual.write, usual.wholeRequest = 300*time.Millisecond, 300*time.Millisecond, 300*time.Millisecond
	return func() { usual = before }
}
