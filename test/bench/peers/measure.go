package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// cost is what one run of a command took.
type cost struct {
	wall, cpu time.Duration
	rss       int64 // KiB at the peak
}

// process runs a command to its end, its output thrown away.
func process(name string, args ...string) (cost, error) {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = io.Discard, os.Stderr
	start := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(start)}
	if err != nil {
		return c, fmt.Errorf("%s %v: %w", name, args, err)
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.rss = maxRSS(cmd.ProcessState)
	return c, nil
}

// pair runs ours and theirs in turn, so that a drift of the machine's speed
// meets both, and returns the medians.
func pair(runs int, ours, theirs func() (cost, error)) (a, b cost, err error) {
	var as, bs []cost
	for i := range runs + 1 {
		x, err := ours()
		if err != nil {
			return a, b, err
		}
		y, err := theirs()
		if err != nil {
			return a, b, err
		}
		if i > 0 { // the first is a warm-up
			as, bs = append(as, x), append(bs, y)
		}
	}
	return median(as), median(bs), nil
}

func median(cs []cost) cost {
	pick := func(of func(cost) int64) int64 {
		vs := make([]int64, len(cs))
		for i, c := range cs {
			vs[i] = of(c)
		}
		slices.Sort(vs)
		return vs[len(vs)/2]
	}
	return cost{
		wall: time.Duration(pick(func(c cost) int64 { return int64(c.wall) })),
		cpu:  time.Duration(pick(func(c cost) int64 { return int64(c.cpu) })),
		rss:  pick(func(c cost) int64 { return c.rss }),
	}
}

func medianOf(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}
