//go:build !linux

package fsync

import "os"

// BeginSync does nothing: systems cannot be asked here.
func BeginSync(*os.File, int64, int64) {}
