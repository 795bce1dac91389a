package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// instance is one Proflens of the service.
type instance struct {
	*process
	url string
}

// cluster is everything that was started for a run.
type cluster struct {
	*place
	binary    string
	postgres  *postgres
	store     store
	slow      *slow
	proxy     *haproxy
	instances []*instance
	catalog   string // URLs, as the flags of Proflens take them
	objects   string
}

// startCluster starts the engines, then n instances behind the proxy.
func startCluster(ctx context.Context, p *place, binary, kind, versitygw string, n int) (c *cluster, err error) {
	c = &cluster{place: p, binary: binary}
	if c.postgres, err = startPostgres(ctx, p); err != nil {
		return nil, err
	}
	if kind == "ceph" {
		c.store, err = startCeph(ctx, p)
	} else {
		c.store, err = startVersity(ctx, p, versitygw)
	}
	if err != nil {
		return nil, err
	}
	if err := makeBucket(ctx, c.store.endpoint()); err != nil {
		return nil, err
	}
	if c.slow, err = startSlow(c.store.endpoint()); err != nil {
		return nil, err
	}
	at, err := ports(n + 1)
	if err != nil {
		return nil, err
	}
	if c.proxy, err = startHAProxy(ctx, p, c.postgres, at[n], at[:n]); err != nil {
		return nil, err
	}
	c.catalog = fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", c.proxy.catalog)
	c.objects = fmt.Sprintf("s3://%s?endpoint=http://%s&region=us-east-1&use_path_style=true", bucket, c.slow.endpoint())
	for i := range n {
		name := fmt.Sprintf("instance-%d", i)
		one := &instance{url: fmt.Sprintf("http://127.0.0.1:%d", at[i])}
		one.process, err = p.start(name, nil, storeKeys, c.serve(name, at[i])...)
		if err != nil {
			return nil, err
		}
		c.instances = append(c.instances, one)
		if err := one.ready(ctx, time.Minute); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// storeKeys is how an instance gets the keys of the store.
var storeKeys = []string{"AWS_ACCESS_KEY_ID=" + accessKey, "AWS_SECRET_ACCESS_KEY=" + secretKey}

func (c *cluster) serve(name string, port int) []string {
	return []string{c.binary, "serve", "-addr", fmt.Sprintf("127.0.0.1:%d", port), "-data", filepath.Join(c.dir, name),
		"-catalog", c.catalog, "-objects", c.objects, "-default-visibility", "listed"}
}

func (i *instance) ready(ctx context.Context, patience time.Duration) error {
	return answers(ctx, i.url+"/readyz", patience, 200)
}
