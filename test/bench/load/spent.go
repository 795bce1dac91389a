package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"proflens/catalog/engine"
)

// spent is the processor time that a process has had, as Linux says it, 0 elsewhere.
func spent(pid int) (sum time.Duration) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is right
	for _, task := range tasks {
		said, _ := os.ReadFile(task) // one that has ended is no more
		first, _, _ := strings.Cut(string(said), " ")
		ns, _ := strconv.ParseInt(first, 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}

// The fields of /proc/PID/stat behind a process's name.
const (
	statParent   = 1
	statChildren = 13 // user and system time of those that have ended, in ticks
	tick         = 10 * time.Millisecond
)

func stat(pid int) []string {
	said, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // empty of one that is no more
	return strings.Fields(string(said[strings.LastIndexByte(string(said), ')')+1:]))
}

// spentOn is the processor time of the connections to a database of PostgreSQL on this machine,
// and of all that have ended: 0 of one elsewhere, and of SQLite.
func spentOn(ctx context.Context, db *engine.DB) (sum time.Duration) {
	var pid int
	var name string
	const ask = `SELECT pg_backend_pid(), current_database()`
	if !db.Shared() || db.Read.QueryRowContext(ctx, ask).Scan(&pid, &name) != nil {
		return 0
	}
	own := stat(pid)
	if len(own) == 0 {
		return 0
	}
	parent, _ := strconv.Atoi(own[statParent])
	if server := stat(parent); len(server) > statChildren+1 {
		for _, ended := range server[statChildren : statChildren+2] {
			ticks, _ := strconv.Atoi(ended)
			sum += time.Duration(ticks) * tick
		}
	}
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, process := range processes {
		child, _ := strconv.Atoi(filepath.Base(process))
		if fields := stat(child); len(fields) == 0 || fields[statParent] != own[statParent] {
			continue
		}
		title, _ := os.ReadFile(filepath.Join(process, "cmdline"))
		if strings.Contains(string(title), " "+name+" ") { // postgres: user database host state
			sum += spent(child)
		}
	}
	return sum
}
