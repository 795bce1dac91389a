package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// figures prints what one, two and more instances do for the same clients.
func (c *cluster) figures(ctx context.Context, clients int, each time.Duration) error {
	fmt.Printf("\n%d clients for %v, by instances:\n\n| instances | uploads/s | requests/s | upload p50 | p99 | "+
		"functions p50 | p99 |\n| --- | --- | --- | --- | --- | --- | --- |\n", clients, each)
	for _, one := range c.instances {
		one.kill()
	}
	for n, one := range c.instances {
		if err := c.again(ctx, one); err != nil {
			return err
		}
		pause(ctx, 2*time.Second) // the proxy sees it
		w := newClients(c.proxy.URL)
		timed, cancel := context.WithTimeout(ctx, each)
		w.work(timed, clients, uint64(n))
		cancel()
		all := 0
		for _, took := range w.took {
			all += len(took)
		}
		fmt.Printf("| %d | %.1f | %.0f | %v | %v | %v | %v |\n", n+1, float64(len(w.took["upload"]))/each.Seconds(),
			float64(all)/each.Seconds(),
			percentile(w.took["upload"], 50), percentile(w.took["upload"], 99), percentile(w.took["functions"], 50),
			percentile(w.took["functions"], 99))
		if len(w.broken) > 0 {
			return fmt.Errorf("%d broken promises, such as: %s", len(w.broken), w.broken[0])
		}
	}
	return nil
}

func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[min(len(took)-1, len(took)*p/100)].Round(100 * time.Microsecond)
}
