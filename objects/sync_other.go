//go:build !unix

package objects

// syncDir does nothing: folders cannot be synced here.
func syncDir(string) error { return nil }
