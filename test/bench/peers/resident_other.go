//go:build !linux

package main

// resident is memory in bytes, which only Linux tells of processes that run.
type resident struct{ own, all int64 }

func watch(_ int, done <-chan struct{}) resident {
	<-done
	return resident{}
}
