package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"
)

// accessKey and secretKey are those of every object store here, on loopback.
const (
	accessKey = "proflens"
	secretKey = "proflens-secret"
	bucket    = "profiles"
)

// store is an S3 store that was started.
type store interface {
	// endpoint is where it takes requests: host and port.
	endpoint() string
	// stop ends its front, start brings it back.
	stop()
	start(ctx context.Context) error
	// full makes it refuse to grow, roomy ends that.
	full(ctx context.Context) error
	roomy(ctx context.Context) error
	// describe names it with its version.
	describe() string
}

// ceph is Ceph with three OSDs, a copy of everything on two of them, and its RADOS
// Gateway.
type ceph struct {
	conf    string
	port    int
	gateway *process
	osds    []*process
	version string
}

var cephConfig = template.Must(template.New("").Parse(`[global]
fsid = {{.FSID}}
mon host = [v2:127.0.0.1:{{.V2}},v1:127.0.0.1:{{.V1}}]
keyring = {{.Dir}}/keyring
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = {{.Dir}}/run
log file = {{.Dir}}/$name.log
admin socket = {{.Dir}}/run/$name.$pid.asok
osd pool default size = 2
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd crush chooseleaf type = 0
bluestore block size = 4294967296
osd memory target = 939524096
mon data avail warn = 1
mon data avail crit = 1
mon max pg per osd = 1000
mon osd min down reporters = 1
osd heartbeat grace = 6
auth allow insecure global id reclaim = false
[mon]
mon data = {{.Dir}}/mon
[mgr]
mgr data = {{.Dir}}/mgr
[osd]
osd data = {{.Dir}}/osd.$id
[client.admin]
rgw data = {{.Dir}}/rgw
rgw frontends = beast endpoint=127.0.0.1:{{.RGW}}
rgw dns name = 127.0.0.1
rgw user quota sync interval = 1
rgw bucket quota ttl = 1
`))

func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func startCeph(ctx context.Context, p *place) (*ceph, error) {
	at, err := ports(3)
	if err != nil {
		return nil, err
	}
	dir := p.path("ceph")
	for _, sub := range []string{"run", "mon", "mgr", "rgw"} {
		p.path("ceph/" + sub)
	}
	c := &ceph{conf: filepath.Join(dir, "ceph.conf"), port: at[2]}
	facts := map[string]any{"FSID": newUUID(), "Dir": dir, "V2": at[0], "V1": at[1], "RGW": at[2]}
	config, err := os.Create(c.conf)
	if err != nil {
		return nil, err
	}
	if err := cephConfig.Execute(config, facts); err != nil {
		return nil, err
	}
	config.Close()
	keys, monmap := filepath.Join(dir, "keyring"), filepath.Join(dir, "monmap")
	mon := fmt.Sprintf("[v2:127.0.0.1:%d,v1:127.0.0.1:%d]", at[0], at[1])
	for _, argv := range [][]string{
		{"monmaptool", "--create", "--fsid", facts["FSID"].(string), "--addv", "a", mon, monmap},
		{"ceph-authtool", "--create-keyring", keys, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *"},
		{
			"ceph-authtool", keys, "--gen-key", "-n", "client.admin", "--cap", "mon", "allow *", "--cap", "osd", "allow *",
			"--cap", "mgr", "allow *",
		},
		{"ceph-mon", "-c", c.conf, "--mkfs", "-i", "a", "--monmap", monmap, "--keyring", keys},
	} {
		if _, err := run(ctx, argv...); err != nil {
			return nil, err
		}
	}
	if _, err := p.start("ceph-mon", nil, nil, "ceph-mon", "-c", c.conf, "-i", "a", "-f"); err != nil {
		return nil, err
	}
	if c.version, err = c.ask(ctx, "version"); err != nil {
		return nil, err
	}
	if err := c.key(ctx, keys, "mgr.x", "mon", "allow profile mgr", "osd", "allow *", "mds", "allow *"); err != nil {
		return nil, err
	}
	if _, err := p.start("ceph-mgr", nil, nil, "ceph-mgr", "-c", c.conf, "-i", "x", "-f"); err != nil {
		return nil, err
	}
	for i := range 3 {
		if err := c.startOSD(ctx, p, keys, i); err != nil {
			return nil, err
		}
	}
	if c.gateway, err = p.start("radosgw", nil, nil, "radosgw", "-c", c.conf, "-n", "client.admin", "-f"); err != nil {
		return nil, err
	}
	if err := answers(ctx, "http://"+c.endpoint()+"/", 3*time.Minute); err != nil {
		return nil, err
	}
	_, err = run(ctx, "radosgw-admin", "-c", c.conf, "user", "create", "--uid", accessKey, "--display-name", accessKey,
		"--access-key", accessKey, "--secret-key", secretKey)
	return c, err
}

func (c *ceph) startOSD(ctx context.Context, p *place, keys string, i int) error {
	uuid, id := newUUID(), fmt.Sprint(i)
	if _, err := c.ask(ctx, "osd", "new", uuid); err != nil {
		return err
	}
	p.path("ceph/osd." + id)
	if err := c.key(ctx, keys, "osd."+id, "mon", "allow profile osd", "mgr", "allow profile osd", "osd",
		"allow *"); err != nil {
		return err
	}
	if _, err := run(ctx, "ceph-osd", "-c", c.conf, "-i", id, "--mkfs", "--osd-uuid", uuid); err != nil {
		return err
	}
	osd, err := p.start("ceph-osd-"+id, nil, nil, "ceph-osd", "-c", c.conf, "-i", id, "-f")
	c.osds = append(c.osds, osd)
	return err
}

// ask asks the monitor.
func (c *ceph) ask(ctx context.Context, words ...string) (string, error) {
	out, err := run(ctx, append([]string{"ceph", "-c", c.conf, "--connect-timeout", "60"}, words...)...)
	return strings.TrimSpace(out), err
}

// key makes a daemon's key and adds it to the ring that all read.
func (c *ceph) key(ctx context.Context, ring string, words ...string) error {
	key, err := c.ask(ctx, append([]string{"auth", "get-or-create"}, words...)...)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(ring, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, key)
	return err
}

func (c *ceph) endpoint() string { return fmt.Sprintf("127.0.0.1:%d", c.port) }
func (c *ceph) describe() string { return c.version }
func (c *ceph) stop()            { c.gateway.kill() }

func (c *ceph) start(ctx context.Context) error {
	if err := c.gateway.start(); err != nil {
		return err
	}
	return answers(ctx, "http://"+c.endpoint()+"/", 2*time.Minute)
}

func (c *ceph) full(ctx context.Context) error  { return c.quota(ctx, "enable") }
func (c *ceph) roomy(ctx context.Context) error { return c.quota(ctx, "disable") }

func (c *ceph) quota(ctx context.Context, word string) error {
	if _, err := run(ctx, "radosgw-admin", "-c", c.conf, "quota", "set", "--quota-scope=bucket", "--uid", accessKey,
		"--max-objects=1", "--max-size=4096"); err != nil {
		return err
	}
	_, err := run(ctx, "radosgw-admin", "-c", c.conf, "quota", word, "--quota-scope=bucket", "--uid", accessKey)
	return err
}
