//go:build linux || darwin

package metrics

import (
	"fmt"
	"os"
	"syscall"
)

// system is what the system knows of the process. What cannot be told is left out.
func system() []*Family {
	var list []*Family
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) == nil {
		list = append(list, one("process_cpu_seconds_total", "Processor time of the program and of the system for it.",
			float64(use.Utime.Nano()+use.Stime.Nano())/1e9))
	}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		list = append(list, one("process_max_fds", "Limit of open files and connections.", float64(limit.Cur)))
	}
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) == nil {
		list = append(list, one("process_virtual_memory_max_bytes", "Limit of virtual memory.", float64(limit.Cur)))
	}
	if open, err := os.ReadDir("/dev/fd"); err == nil {
		list = append(list, one("process_open_fds", "Open files and connections.",
			float64(len(open)-1))) // without /dev/fd itself
	}
	statm, err := os.ReadFile("/proc/self/statm") // Linux alone has it
	var pages, resident float64
	if err == nil {
		_, err = fmt.Sscan(string(statm), &pages, &resident)
	}
	if err == nil {
		page := float64(os.Getpagesize())
		list = append(list, one("process_virtual_memory_bytes", "Virtual memory.", pages*page),
			one("process_resident_memory_bytes", "Resident memory.", resident*page))
	}
	return list
}
