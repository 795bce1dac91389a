package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/catalog/engine/pgtest"
)

// killedEnv makes the test binary the process that TestKilledAtAnyMoment kills:
// it names the data folder.
const killedEnv = "PROFLENS_TEST_KILLED"

func killed(place string) int {
	parts := strings.Split(place, "\n")
	if err := uploadUntilKilled(catalog.Place{Dir: parts[0], Database: parts[1], Objects: parts[2]}); err != nil {
		fmt.Println("error", err)
	}
	return 1
}

// uploadUntilKilled uploads, adds to and deletes profiles of its own making,
// and says so, a line each, once the call has returned.
func uploadUntilKilled(place catalog.Place) error {
	ctx := context.Background()
	st, err := catalog.Open(ctx, place)
	if err != nil {
		return err
	}
	s := New(st, Config{Workers: 2}, nil)
	go s.Run(ctx)
	failed := make(chan error)
	for range 3 {
		go func() {
			for {
				if err := uploadOne(ctx, s, st); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

func uploadOne(ctx context.Context, s *Service, st *catalog.Catalog) error {
	count := rand.Uint32()
	text := fmt.Appendf(nil, "main\n7\n1\n%d\n", count)
	if count%3 == 0 {
		text = gz(text)
	}
	b, err := s.Begin()
	if err != nil {
		return err
	}
	if err := b.Add(ctx, "a.proftext", bytes.NewReader(text)); err != nil {
		return err
	}
	accepted, err := b.Commit(ctx, Request{})
	if err != nil {
		return err
	}
	id := accepted[0].Entry.ID
	fmt.Println("holds", id, count)
	switch count % 4 {
	case 0: // at once, while it may be being decoded
		if err := st.Delete(ctx, id); err != nil {
			return err
		}
		fmt.Println("deleted", id)
	case 1:
		b, err := s.Begin()
		if err != nil {
			return err
		}
		if err := b.Add(ctx, "b.proftext", strings.NewReader("main\n7\n1\n1\n")); err != nil {
			return err
		}
		fmt.Println("adding", id)
		if _, err := b.AddTo(ctx, id, false); err != nil {
			return err
		}
		fmt.Println("holds", id, uint64(count)+1)
	}
	return nil
}

// promises is what the killed processes said was done, by profile.
type promises map[string]string

// killOne runs the uploader for a random while and notes what it promised.
func (p promises) killOne(t *testing.T, place catalog.Place) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedEnv+"="+place.Dir+"\n"+place.Database+"\n"+place.Objects)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var kill sync.Once
	killSoon := func() {
		kill.Do(func() {
			time.AfterFunc(time.Duration(rand.IntN(150))*time.Millisecond, func() { cmd.Process.Kill() })
		})
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // the last line may be cut off: then nobody was told
			break
		}
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, total, _ := strings.Cut(rest, " ")
		switch verb {
		case "holds":
			p[id] = total
			killSoon()
		case "deleted":
			p[id] = "deleted"
		case "adding":
			p[id] += " or more" // until it says which, either will do
		default:
			t.Fatalf("the uploader failed: %s", line)
		}
	}
	io.Copy(io.Discard, lines)
	cmd.Wait()
	if stderr.Len() > 0 {
		t.Fatalf("the uploader failed: %s", stderr.String())
	}
}

// Whatever a process was doing when it was killed: every upload that was
// accepted is there in the next one and becomes ready, and no other is.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Run("in a folder", func(t *testing.T) { killedAtAnyMoment(t, at(t, t.TempDir())) })
	t.Run("in a bucket", func(t *testing.T) {
		place := inBucket(t, at(t, t.TempDir()))
		killedAtAnyMoment(t, place)
		// Nothing is there that no row told of before, but for what the folder that stands for a
		// bucket was writing: a store of its own would not show that.
		found := func(f catalog.Fault) {
			if !strings.Contains(fmt.Sprint(f), ".tmp: ") {
				t.Error(f)
			}
		}
		if done, err := catalog.Check(t.Context(), place, found); err != nil || done.Profiles == 0 {
			t.Errorf("%+v, %v", done, err)
		}
		m, err := catalog.Backup(t.Context(), place, filepath.Join(t.TempDir(), "backup"), catalog.BackupOptions{}, found)
		if err != nil || m.Profiles == 0 || m.Originals == 0 {
			t.Errorf("%+v, %v", m, err)
		}
	})
}

func killedAtAnyMoment(t *testing.T, place catalog.Place) {
	made := promises{}
	for range killRounds {
		made.killOne(t, place)
	}
	t.Logf("%d uploads were accepted", len(made))
	st, err := catalog.Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if onPostgres { // nobody renews them
		pgtest.Exec(t, place.Database, `UPDATE job SET lease_us = 0`)
	}
	s := New(st, Config{Workers: 2}, nil)
	start(t, s)
	for id, want := range made {
		if want == "deleted" {
			if gone, ok := errors.AsType[*catalog.GoneError](errorOf(st.Entry(t.Context(), id))); !ok ||
				gone.State != catalog.Deleted {
				t.Errorf("%s was deleted, and is back: %v", id, gone)
			}
			continue
		}
		e, err := waitOrGone(t, s, id)
		total, unsure := strings.CutSuffix(want, " or more")
		switch {
		case err != nil:
			// One that was to be deleted may be, without time to say so.
			count, _ := strconv.ParseUint(total, 10, 64)
			if gone, ok := errors.AsType[*catalog.GoneError](err); !ok || gone.State != catalog.Deleted || count%4 != 0 {
				t.Errorf("%s is lost: %v", id, err)
			}
		case e.State == catalog.Failed && e.Finding.Code == "internal.attempts":
			// Each of its attempts was hit.
		case e.State != catalog.Ready:
			t.Errorf("%s is %s: %+v", id, e.State, e.Finding)
		case e.Total != total && !unsure:
			t.Errorf("%s has total %s, want %s", id, e.Total, total)
		default:
			p, err := openTables(t, st, id)
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			p.Close()
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

func waitOrGone(t *testing.T, s *Service, id string) (*catalog.Entry, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	return s.Wait(ctx, id)
}
