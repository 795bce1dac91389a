// Package fsync makes the names of files outlast a loss of power: a file that was synced
// and renamed is on the disk, but its name is not until its folder is synced too.
package fsync
