// Package pgtest starts a PostgreSQL for tests, Debian's, on a socket of its own, and
// makes databases in it. Its files go, and it ends, with the process of the test.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Required names the variable that makes it a failure, not a reason to skip, when
// there is no PostgreSQL. CI sets it.
const Required = "PROFLENS_TEST_POSTGRES"

// Have reports whether PostgreSQL can be started here. With Required it always says
// so, and Database fails when that proves wrong.
func Have() bool {
	_, err := programs()
	return err == nil || os.Getenv(Required) != ""
}

// programs is the folder of the newest PostgreSQL.
func programs() (string, error) {
	for _, of := range []string{
		"/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin",
	} {
		found, _ := filepath.Glob(of) // the pattern is right
		if len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	path, err := exec.LookPath("initdb")
	return filepath.Dir(path), err
}

// server is started by the first test that asks.
var server = sync.OnceValues(start)

// Database makes a database for one test and returns its URL. The first time, prepare
// gets a database that the others are copies of; without it the database is empty.
func Database(t testing.TB, prepare func(url string) error) string {
	t.Helper()
	s, err := server()
	if err == nil && prepare != nil {
		s.preparing.Do(func() { s.err = s.prepare(prepare) })
		err = s.err
	}
	if err != nil {
		t.Fatal("PostgreSQL:", err)
	}
	s.mu.Lock()
	s.made++
	name := fmt.Sprintf("test%d", s.made)
	s.mu.Unlock()
	template := " TEMPLATE template"
	if prepare == nil {
		template = ""
	}
	if err := s.run("CREATE DATABASE " + name + template); err != nil {
		t.Fatal(err)
	}
	return s.url(name)
}

// Exec runs a statement in a database.
func Exec(t testing.TB, url, statement string) {
	t.Helper()
	if err := execute(url, statement); err != nil {
		t.Fatal(err)
	}
}

// Restart ends the server, with all its connections, and starts it again.
func Restart(t testing.TB) {
	t.Helper()
	s, err := server()
	if err == nil {
		_, err = s.alive.Write([]byte("again\n"))
	}
	if err != nil {
		t.Fatal("PostgreSQL:", err)
	}
	began := time.Now()
	for time.Since(began) < 10*time.Minute {
		if s.run(fmt.Sprintf(`DO $$ BEGIN IF pg_postmaster_start_time() < to_timestamp(%d) THEN RAISE 'not yet'; END IF; END $$`, began.Unix())) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("PostgreSQL did not come back")
}

type postgres struct {
	socket    string // folder
	user      string
	alive     io.WriteCloser // the server's input: it ends when this process does
	preparing sync.Once
	err       error

	mu   sync.Mutex
	made int
}

func (p *postgres) url(database string) string {
	return "postgres:///" + database + "?host=" + p.socket + "&user=" + p.user
}

func (p *postgres) run(statement string) error { return execute(p.url("postgres"), statement) }

func execute(url, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

func (p *postgres) prepare(f func(url string) error) error {
	if err := p.run("CREATE DATABASE template"); err != nil {
		return err
	}
	return f(p.url("template"))
}

// serving runs until its input ends, as it does with the process that started it. A line
// has it begin anew. Nothing counts rows in the middle of a test, on which plans depend.
const serving = `trap '' INT TERM
serve() { "$1"/postgres -D "$2"/data -k "$2" -h '' -F -c full_page_writes=off -c autovacuum=off -c max_connections=300 \
	>>"$2"/log 2>&1 & }
serve "$1" "$2"
while read -r _; do
	kill -INT $!
	wait $!
	serve "$1" "$2"
done
kill -QUIT $!
wait $!
rm -rf "$2"`

func start() (*postgres, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg") // short: a socket's name has 107 letters at most
	if err != nil {
		return nil, err
	}
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	as, err := attributes(dir, &me)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // for the socket
		return nil, err
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(name, args...)
		c.Dir, c.SysProcAttr = dir, as
		c.Env = append(os.Environ(), "HOME="+dir)
		return c
	}
	initdb := command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", me.Username, "-A", "trust",
		"-E", "UTF8", "--locale=C", "-N", "--no-instructions")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	c := command("/bin/sh", "-c", serving, "sh", bin, dir)
	p := &postgres{socket: dir, user: me.Username}
	if p.alive, err = c.StdinPipe(); err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	for until := time.Now().Add(10 * time.Minute); ; {
		if err = p.run("SELECT 1"); err == nil || time.Now().After(until) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		return nil, fmt.Errorf("%w: %s", err, log)
	}
	return p, nil
}
