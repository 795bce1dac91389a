//go:build !unix

package stored

// SyncDir does nothing: folders cannot be synced here.
func SyncDir(string) error { return nil }
