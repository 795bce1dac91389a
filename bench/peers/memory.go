package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// memory is what a process and its children have, in MB; 0 where the system has no /proc.
type memory struct {
	own float64 // of no file
	all float64 // with the files that they map, their program among them, counted for each
}

// watching keeps the most that was seen.
type watching struct {
	end  chan struct{}
	most chan memory
}

// watchEvery is how often memory is looked at.
const watchEvery = 10 * time.Millisecond

func watch(pid int) watching {
	w := watching{make(chan struct{}), make(chan memory)}
	go func() {
		var most memory
		for {
			m := memoryOf(pid)
			most = memory{max(most.own, m.own), max(most.all, m.all)}
			select {
			case <-w.end:
				w.most <- most
				return
			case <-time.After(watchEvery):
			}
		}
	}()
	return w
}

func (w watching) stop() memory {
	close(w.end)
	return <-w.most
}

func memoryOf(pid int) (all memory) {
	for _, p := range family(pid) {
		kb := status(p)
		all.own += kb["RssAnon"] / 1024
		all.all += kb["VmRSS"] / 1024
	}
	return all
}

// family is a process and its children.
func family(pid int) []string {
	all := []string{strconv.Itoa(pid)}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists { // by the thread that has started them
		b, _ := os.ReadFile(list)
		all = append(all, strings.Fields(string(b))...)
	}
	return all
}

// status is what the system says of a process in KiB.
func status(pid string) map[string]float64 {
	b, _ := os.ReadFile("/proc/" + pid + "/status")
	kb := map[string]float64{}
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		if fields := strings.Fields(value); len(fields) == 2 && fields[1] == "kB" {
			kb[name], _ = strconv.ParseFloat(fields[0], 64)
		}
	}
	return kb
}
