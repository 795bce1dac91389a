//go:build !unix

package disk

// SyncDir does nothing: folders cannot be synced here.
func SyncDir(string) error { return nil }
