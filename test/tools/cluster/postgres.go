package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"text/template"
	"time"
)

// postgres is a PostgreSQL with a standby that takes over by itself: two servers, each
// watched by Patroni, which agree through etcd. HAProxy finds the primary.
type postgres struct {
	servers [2]pgServer
	as      *syscall.Credential
}

type pgServer struct {
	Name, Dir, Data, Bin string
	REST, Port, Etcd     int
	patroni              *process
}

// The standby is synchronous: what was committed is on both.
var patroniConfig = template.Must(template.New("").Parse(`scope: proflens
name: {{.Name}}
restapi: {listen: "127.0.0.1:{{.REST}}", connect_address: "127.0.0.1:{{.REST}}"}
etcd3: {host: "127.0.0.1:{{.Etcd}}"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 100, wal_keep_size: 128MB, shared_buffers: 64MB}
  initdb: [{encoding: UTF8}, {locale: C}, data-checksums]
  pg_hba: ["host replication all 127.0.0.1/32 trust", "host all all 127.0.0.1/32 trust", "local all all trust"]
postgresql:
  listen: 127.0.0.1:{{.Port}}
  connect_address: 127.0.0.1:{{.Port}}
  data_dir: {{.Data}}
  bin_dir: {{.Bin}}
  pgpass: {{.Dir}}/{{.Name}}.pgpass
  authentication: {replication: {username: replicator, password: x}, superuser: {username: postgres, password: x}, rewind: {username: rewind, password: x}}
  parameters: {unix_socket_directories: {{.Dir}}}
`))

func startPostgres(ctx context.Context, p *place) (*postgres, error) {
	as, err := unprivileged("postgres")
	if err != nil {
		return nil, err
	}
	bins, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(bins) == 0 {
		return nil, fmt.Errorf("no PostgreSQL below /usr/lib/postgresql: %w", os.ErrNotExist)
	}
	at, err := ports(6)
	if err != nil {
		return nil, err
	}
	etcd, peers := fmt.Sprintf("http://127.0.0.1:%d", at[0]), fmt.Sprintf("http://127.0.0.1:%d", at[1])
	if _, err := p.start("etcd", nil, nil, "etcd", "--data-dir", p.path("etcd"), "--log-level", "error",
		"--listen-client-urls", etcd, "--advertise-client-urls", etcd,
		"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster",
		"default="+peers); err != nil {
		return nil, err
	}
	if err := answers(ctx, etcd+"/health", 30*time.Second); err != nil {
		return nil, err
	}
	dir := p.path("postgres")
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			return nil, err
		}
	}
	g := &postgres{as: as}
	for i := range g.servers {
		s := &g.servers[i]
		*s = pgServer{
			Name: fmt.Sprintf("postgres-%d", i+1), Dir: dir, Bin: bins[len(bins)-1], REST: at[2+i], Port: at[4+i], Etcd: at[0],
		}
		s.Data = filepath.Join(dir, s.Name)
		config, err := os.Create(filepath.Join(dir, s.Name+".yml"))
		if err != nil {
			return nil, err
		}
		if err := patroniConfig.Execute(config, s); err != nil {
			return nil, err
		}
		config.Close()
		if s.patroni, err = p.start(s.Name, as, nil, "patroni", config.Name()); err != nil {
			return nil, err
		}
		if err := answers(ctx, s.url("/health"), time.Minute, 200); err != nil { // the first becomes the primary
			return nil, err
		}
	}
	return g, answers(ctx, g.servers[1].url("/sync"), time.Minute, 200)
}

func (s *pgServer) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", s.REST, path) }

// primary is the server that takes writes; nil while there is none.
func (g *postgres) primary(ctx context.Context) *pgServer {
	for i := range g.servers {
		if answers(ctx, g.servers[i].url("/primary"), time.Second, 200) == nil {
			return &g.servers[i]
		}
	}
	return nil
}

// failover kills the primary with its Patroni, waits until the other has taken over, and
// brings the first back as its standby. It returns how long nobody took writes.
func (g *postgres) failover(ctx context.Context) (time.Duration, error) {
	old := g.primary(ctx)
	if old == nil {
		return 0, fmt.Errorf("there is no primary")
	}
	other := &g.servers[0]
	if other == old {
		other = &g.servers[1]
	}
	if err := answers(ctx, other.url("/sync"), time.Minute, 200); err != nil {
		return 0, err
	}
	began := time.Now()
	old.patroni.kill() // its group: PostgreSQL too
	if err := answers(ctx, other.url("/primary"), 2*time.Minute, 200); err != nil {
		return 0, err
	}
	took := time.Since(began)
	if err := old.patroni.start(); err != nil {
		return took, err
	}
	return took, answers(ctx, old.url("/sync"), 2*time.Minute, 200)
}

// restart restarts the primary in its place.
func (g *postgres) restart(ctx context.Context) error {
	s := g.primary(ctx)
	if s == nil {
		return fmt.Errorf("there is no primary")
	}
	request := func() error {
		_, err := run(ctx, "curl", "-sS", "-m", "60", "-X", "POST", s.url("/restart"))
		return err
	}
	if err := request(); err != nil {
		return err
	}
	return answers(ctx, s.url("/primary"), time.Minute, 200)
}
