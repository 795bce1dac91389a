//go:build !unix

package fsync

// SyncDir does nothing: folders cannot be synced here.
func SyncDir(string) error { return nil }
