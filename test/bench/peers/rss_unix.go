package main

import (
	"os"
	"syscall"
)

// maxRSS is the peak resident size of a finished process, in KiB.
func maxRSS(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Maxrss)
	}
	return 0
}
