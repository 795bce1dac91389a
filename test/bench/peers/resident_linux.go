package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// resident is memory in bytes: what processes have of their own, and with the files that they
// map, whose pages the system takes back when it needs them.
type resident struct{ own, all int64 }

// watch returns the most that a process and its children have together until done.
func watch(pid int, done <-chan struct{}) (most resident) {
	for {
		now := residentOf(pid)
		most.own, most.all = max(most.own, now.own), max(most.all, now.all)
		select {
		case <-done:
			return most
		case <-time.After(watched):
		}
	}
}

// residentOf is the memory of a process and of those that it started.
func residentOf(pid int) (sum resident) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // gone by now: nothing
	for line := range bytes.Lines(status) {
		field, value, _ := strings.Cut(string(line), ":")
		kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch field {
		case "RssAnon", "RssShmem":
			sum.own += kb << 10
			sum.all += kb << 10
		case "RssFile":
			sum.all += kb << 10
		}
	}
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range threads {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		for child := range strings.FieldsSeq(string(children)) {
			if id, err := strconv.Atoi(child); err == nil {
				of := residentOf(id)
				sum.own, sum.all = sum.own+of.own, sum.all+of.all
			}
		}
	}
	return sum
}
