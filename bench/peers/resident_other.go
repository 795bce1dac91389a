//go:build !linux

package main

// resident is memory in bytes, which only Linux tells of processes that run.
type resident struct{ own, all int64 }

func (s *server) watch(done <-chan struct{}) resident {
	<-done
	return resident{}
}
