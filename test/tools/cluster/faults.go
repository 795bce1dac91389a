package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"
)

// fault is something that goes wrong while clients are at work. do breaks it and mends
// it again; what it returns says how it went.
type fault struct {
	name string
	do   func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error)
}

// faults are all that can go wrong here, in the order that they are tried; with what the
// service may take to recover from the worst of them.
var faults = []fault{
	{"an instance is killed", func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error) {
		one := c.instances[rng.IntN(len(c.instances))]
		one.kill()
		pause(ctx, 2*time.Second)
		return one.name, c.again(ctx, one)
	}},
	{"an instance is asked to end", func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error) {
		one := c.instances[rng.IntN(len(c.instances))]
		if !one.stop(30 * time.Second) {
			return "", fmt.Errorf("%s did not end within 30 s", one.name)
		}
		return one.name, c.again(ctx, one)
	}},
	{"an instance is stopped for longer than its leases, and goes on",
		func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error) {
			one := c.instances[rng.IntN(len(c.instances))]
			one.signal(syscall.SIGSTOP)
			pause(ctx, 45*time.Second)
			one.signal(syscall.SIGCONT)
			return one.name, one.ready(ctx, time.Minute)
		}},
	{"all instances but one are killed", func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error) {
		for _, one := range c.instances[1:] {
			one.kill()
		}
		pause(ctx, 5*time.Second)
		for _, one := range c.instances[1:] {
			if err := c.again(ctx, one); err != nil {
				return "", err
			}
		}
		return "", nil
	}},
	{"PostgreSQL restarts", func(ctx context.Context, c *cluster, _ *rand.Rand) (string, error) {
		return "", c.postgres.restart(ctx)
	}},
	{"PostgreSQL's primary is killed", func(ctx context.Context, c *cluster, _ *rand.Rand) (string, error) {
		took, err := c.postgres.failover(ctx)
		return fmt.Sprintf("the standby took over after %v", took.Round(time.Second)), err
	}},
	{"the object store is stopped", func(ctx context.Context, c *cluster, _ *rand.Rand) (string, error) {
		c.store.stop()
		pause(ctx, 10*time.Second)
		return "", c.store.start(ctx)
	}},
	{"the object store is slow", func(ctx context.Context, c *cluster, _ *rand.Rand) (string, error) {
		c.slow.set(300*time.Millisecond, 200<<10)
		pause(ctx, 20*time.Second)
		c.slow.set(0, 0)
		return "300 ms a piece, 200 kB/s a connection", nil
	}},
	{"the object store is full", func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error) {
		if err := c.store.full(ctx); err != nil {
			return "", err
		}
		pause(ctx, 15*time.Second)
		return "", c.store.roomy(ctx)
	}},
	{"a storage daemon is killed", func(ctx context.Context, c *cluster, rng *rand.Rand) (string, error) {
		ceph, ok := c.store.(*ceph)
		if !ok {
			return "there is none", nil
		}
		one := ceph.osds[rng.IntN(len(ceph.osds))]
		one.kill()
		pause(ctx, 15*time.Second)
		return one.name, one.start()
	}},
}

// recovers is how long after a fault the service may take until it takes, decodes and
// shows a profile again: a lease, and a decoding.
const recovers = 90 * time.Second

// again starts an instance that has ended.
func (c *cluster) again(ctx context.Context, one *instance) error {
	if err := one.start(); err != nil {
		return err
	}
	return one.ready(ctx, time.Minute)
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
