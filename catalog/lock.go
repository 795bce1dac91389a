package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/sethvargo/go-retry"
)

// folderLock keeps others out of a data folder, or those that would sweep it.
type folderLock struct {
	file   *os.File
	shares bool // with other instances of the same catalog
	alone  bool // nobody else has it
}

// errLocked is returned for a lock that another process has.
var errLocked = errors.New("another process is using it")

// sweptWithin is how long another instance may take to sweep the folder.
const sweptWithin = 30 * time.Second

// lockFolder takes the lock of a folder for this process; the system lets go of it when
// the process ends, however it ends. One that may be shared is taken alone if it can
// be: then the folder may be swept.
func lockFolder(ctx context.Context, dir string, shares bool) (*folderLock, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := &folderLock{f, shares, true}
	err = lockFile(f, true)
	if shares && err == errLocked {
		l.alone = false
		err = retry.Do(ctx, retry.WithMaxDuration(sweptWithin, retry.NewConstant(50*time.Millisecond)),
			func(context.Context) error {
				return retry.RetryableError(lockFile(f, false))
			})
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// share lets others in who share it too.
func (l *folderLock) share() error {
	if !l.shares || !l.alone {
		return nil
	}
	l.alone = false
	return lockFile(l.file, false)
}

// Close lets go of the lock.
func (l *folderLock) Close() error { return l.file.Close() }
