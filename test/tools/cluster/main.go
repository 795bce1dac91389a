// Cluster tries Proflens as a company runs it: three instances behind HAProxy, the catalog
// on PostgreSQL with a standby that takes over, the files in an S3 store of several
// daemons, all on loopback. Clients upload, read and delete while one thing after the
// other breaks; whatever was acknowledged must be there in the end, from every
// instance, and nothing half shown on the way.
//
//	sh tools/cluster/install.sh && go run ./tools/cluster -proflens build/proflens -store ceph
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	binary := flag.String("proflens", "build/proflens", "the `program` to try")
	kind := flag.String("store", "ceph", "the object `store`: ceph or versitygw")
	versitygw := flag.String("versitygw", "build/versitygw", "the `program` of versitygw")
	n := flag.Int("instances", 3, "how `many` instances")
	crowd := flag.Int("clients", 6, "clients at `once`")
	rounds := flag.Int("rounds", 2, "how `often` everything breaks")
	seed := flag.Uint64("seed", 1, "`number` that decides which instance it is")
	only := flag.String("only", "", "faults with these `words` alone")
	each := flag.Duration("figures", 20*time.Second, "how `long` each number of instances is measured; 0: not")
	keep := flag.Bool("keep", false, "leave the folder with the logs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := try(ctx, *binary, *kind, *versitygw, *n, *crowd, *rounds, *seed, *only, *each, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func try(ctx context.Context, binary, kind, versitygw string, n, crowd, rounds int, seed uint64, only string,
	each time.Duration, keep bool) (err error) {
	dir, err := os.MkdirTemp("", "proflens-cluster")
	if err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL runs as another user
		return err
	}
	for _, program := range []*string{&binary, &versitygw} { // they run elsewhere
		if *program, err = filepath.Abs(*program); err != nil {
			return err
		}
	}
	p := &place{dir: dir}
	defer func() {
		p.close()
		if err == nil && !keep {
			os.RemoveAll(dir)
		} else {
			fmt.Println("logs:", dir)
		}
	}()
	began := time.Now()
	c, err := startCluster(ctx, p, binary, kind, versitygw, n)
	if err != nil {
		return err
	}
	fmt.Printf("%d instances, PostgreSQL with a standby, %s: ready after %v\n", n, c.store.describe(),
		time.Since(began).Round(time.Second))
	w := newClients(c.proxy.URL)
	if err := c.breakAll(ctx, w, crowd, rounds, seed, only); err != nil {
		return err
	}
	if err := c.checkAll(ctx, w); err != nil {
		return err
	}
	if each > 0 {
		return c.figures(ctx, crowd, each)
	}
	return nil
}

// breakAll breaks everything while clients are at work.
func (c *cluster) breakAll(ctx context.Context, w *clients, crowd, rounds int, seed uint64, only string) error {
	rng := rand.New(rand.NewPCG(seed, 2))
	working, done := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { w.work(working, crowd, seed); close(ended) }()
	defer func() { done(); <-ended }()
	for round := range rounds {
		for _, f := range faults {
			if !strings.Contains(f.name, only) {
				continue
			}
			pause(ctx, 3*time.Second)
			how, err := f.do(ctx, c, rng)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			took, err := w.recovered(ctx, recovers)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			fmt.Printf("round %d: %s: recovered after %v %s\n", round+1, f.name, took.Round(100*time.Millisecond), how)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// checkAll holds every instance, and the files, to what was promised.
func (c *cluster) checkAll(ctx context.Context, w *clients) error {
	broken := w.broken
	for _, one := range c.instances {
		checked, more := w.check(ctx, one.url)
		fmt.Printf("%s: %d profiles checked, %d wrong\n", one.name, checked, len(more))
		broken = append(broken, more...)
	}
	for _, what := range slices.Sorted(maps.Keys(w.did)) {
		fmt.Printf("  %s: %d\n", what, w.did[what])
	}
	out, err := runWith(ctx, storeKeys, c.binary, "check", "-data", c.path("check"), "-catalog", c.catalog, "-objects",
		c.objects)
	if err != nil {
		broken = append(broken, err.Error())
	}
	fmt.Print(out)
	if len(broken) > 0 {
		return errors.New("broken promises:\n" + strings.Join(broken, "\n"))
	}
	return nil
}
