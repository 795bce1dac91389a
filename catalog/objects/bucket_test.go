package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"testing"
	"time"
)

// put stores a file and forgets its copy.
func put(t *testing.T, b *Bucket, key string, size int, seed uint64) (Content, []byte) {
	t.Helper()
	s, content := sealed(t, key, size, seed)
	if err := b.Put(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	b.cache.drop(key)
	return s.Content, content
}

func TestManyWhoAskFetchOnce(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, "objects/aa/aa", 200_000, 1)
	f.gate = make(chan struct{})
	b.timeouts.silence = time.Minute
	impatient, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() { _, err := b.Open(impatient, "objects/aa/aa", c); left <- err }()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got, err := read(t, b, "objects/aa/aa", c); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	for f.reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	leave() // the first, perhaps
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	close(f.gate)
	wg.Wait()
	if n := f.reads.Load(); n != 1 {
		t.Errorf("fetched %d times", n)
	}
}

func TestReadsThatAreCutShortGoOn(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, "objects/aa/aa", 3*BlockSize, 1)
	f.cut = []int64{1 << 20, 0, 5, 1 << 20}
	f.fail = []error{errFault, errFault}
	if got, err := read(t, b, "objects/aa/aa", c); err != nil || !bytes.Equal(got, content) {
		t.Fatal(err)
	}
	if sent := f.sent.Load(); sent != c.Size {
		t.Errorf("%d bytes were sent, expected %d: nothing twice", sent, c.Size)
	}
}

func TestBytesThatAreAlteredOnTheWayAreFetchedAgain(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, content := put(t, b, "objects/aa/aa", 100_000, 1)
	f.alter = 1
	if got, err := read(t, b, "objects/aa/aa", c); err != nil || !bytes.Equal(got, content) {
		t.Fatal(err)
	}
	b.cache.drop("objects/aa/aa")
	f.alter = -1
	damaged := new(DamagedError)
	if _, err := read(t, b, "objects/aa/aa", c); !errors.As(err, &damaged) {
		t.Errorf("altered whenever it is read: %v", err)
	}
	f.alter = 0
	if _, err := read(t, b, "objects/aa/aa", c); err != nil {
		t.Errorf("whole again: %v", err)
	}
}

func TestAStoreThatIsGoneSaysSo(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, _ := put(t, b, "objects/aa/aa", 1000, 1)
	f.fail = []error{errForEver}
	unavailable := new(UnavailableError)
	if _, err := read(t, b, "objects/aa/aa", c); !errors.As(err, &unavailable) || errors.Is(err, fs.ErrNotExist) ||
		errors.Is(err, ErrFull) {
		t.Errorf("reading: %v", err)
	}
	s, _ := sealed(t, "objects/bb/bb", 1000, 2)
	if err := b.Put(t.Context(), s); !errors.As(err, &unavailable) {
		t.Errorf("writing: %v", err)
	}
	if err := b.Delete(t.Context(), "objects/aa/aa"); !errors.As(err, &unavailable) {
		t.Errorf("deleting: %v", err)
	}
	if err := b.Reach(t.Context()); !errors.As(err, &unavailable) {
		t.Errorf("reaching: %v", err)
	}
	for _, err := range b.List(t.Context(), "objects/") {
		if !errors.As(err, &unavailable) {
			t.Errorf("listing: %v", err)
		}
	}
	f.fail = nil // it is back, and the file that could not be put is still here
	if err := b.Put(t.Context(), s); err != nil {
		t.Error(err)
	}
}

func TestAFaultThatPassesIsNotSeen(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	f.fail = []error{errFault, errFault}
	c, content := put(t, b, "objects/aa/aa", 1000, 1)
	f.fail = []error{errFault, errFault}
	if got, err := read(t, b, "objects/aa/aa", c); err != nil || !bytes.Equal(got, content) {
		t.Error(err)
	}
	f.fail = []error{errFault}
	if err := b.Delete(t.Context(), "objects/aa/aa"); err != nil {
		t.Error(err)
	}
}

func TestAStoreThatIsSilentIsGivenUp(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	c, _ := put(t, b, "objects/aa/aa", 1000, 1)
	f.silent = true
	b.timeouts.silence = 30 * time.Millisecond
	unavailable := new(UnavailableError)
	if _, err := read(t, b, "objects/aa/aa", c); !errors.As(err, &unavailable) || !errors.Is(err, errSilent) {
		t.Error(err)
	}
}

func TestAFullStoreIsAskedOnce(t *testing.T) {
	b, f := inFaulty(t, 1<<30)
	s, _ := sealed(t, "objects/aa/aa", 1000, 1)
	f.fail = []error{fmt.Errorf("%w: quota", ErrFull), errForEver}
	if err := b.Put(t.Context(), s); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if n := f.uploads.Load(); n != 1 {
		t.Errorf("%d tries", n)
	}
}

func TestAFileThatIsShorterThanTheCatalogSays(t *testing.T) {
	b, _ := inFaulty(t, 1<<30)
	c, _ := put(t, b, "objects/aa/aa", 1000, 1)
	c.Size = 5000
	if _, err := read(t, b, "objects/aa/aa", c); err == nil {
		t.Error("a file that lacks its end was read")
	}
	c.Size = 5 << 40
	if _, err := read(t, b, "objects/aa/aa", c); err == nil {
		t.Error("a size without checksums was believed")
	}
}

func TestAPanicWhileFetchingIsAnError(t *testing.T) {
	b, _ := inFaulty(t, 1<<30)
	b.remote = nil
	if _, err := b.Open(t.Context(), "objects/aa/aa", Content{SHA256: "00"}); err == nil {
		t.Error("opened nothing")
	}
}

func TestDeletedFilesLeaveTheCacheAfterTheirLastUser(t *testing.T) {
	b, _ := inFaulty(t, 1<<30)
	s, content := sealed(t, "objects/aa/aa", 1000, 1)
	if err := b.Put(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	f, err := b.Open(t.Context(), s.Key, s.Content)
	if err != nil {
		t.Fatal(err)
	}
	if copies := b.Copies(); len(copies) != 1 || copies[0] != s.Key {
		t.Errorf("copies: %v", copies)
	}
	b.Drop(s.Key)
	if err := b.Delete(t.Context(), s.Key); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
		t.Error(err)
	}
	if _, err := os.Stat(b.cache.path(s.Key)); err != nil {
		t.Error("removed while it was read")
	}
	f.Close()
	f.Close() // releases once
	if _, err := os.Stat(b.cache.path(s.Key)); !errors.Is(err, fs.ErrNotExist) || b.Stats().Cache.Used != 0 {
		t.Errorf("%v, %d bytes", err, b.Stats().Cache.Used)
	}
}
