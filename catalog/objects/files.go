package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"proflens/internal/fsync"
)

// files is a bucket that is a folder, such as one that several machines mount. Its files
// are where gocloud.dev put them.
type files struct {
	dir  string
	mode fs.FileMode // of folders
}

// attributes ends the names of files that gocloud.dev kept beside others.
const attributes = ".attrs"

// openFiles opens file:///FOLDER; file://./FOLDER is relative.
func openFiles(_ context.Context, u *url.URL, p *parameters) (remote, error) {
	path := u.Path
	if u.Host == "." || filepath.Separator != '/' {
		path = strings.TrimPrefix(path, "/")
	}
	create, mode := p.text("create_dir"), p.text("dir_file_mode")
	p.oneOf("metadata", "skip")
	for _, old := range []string{"no_tmp_dir", "base_url", "secret_key_path"} {
		p.Del(old) // files always come from beside their places; nobody is sent to them
	}
	bits := uint64(0o777)
	if mode != "" {
		var err error
		if bits, err = strconv.ParseUint(mode, 0, 32); err != nil {
			p.fail("dir_file_mode is a number such as 0750, not %q", mode)
		}
	}
	if err := p.done(); err != nil {
		return nil, err
	}
	return newFiles(filepath.FromSlash(path), create != "", fs.FileMode(bits))
}

func newFiles(dir string, create bool, mode fs.FileMode) (*files, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if create {
		if err := os.MkdirAll(dir, mode); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", dir)
	}
	if err != nil {
		return nil, err
	}
	return &files{dir, mode}, nil
}

// path is where a key's file is.
func (b *files) path(key string) (string, error) {
	name := escape(key, func(key []rune, i int) bool {
		return upwards(key, i) ||
			key[i] == '/' && (i == len(key)-1 || i > 0 && key[i-1] == '/') ||
			filepath.Separator == '\\' && strings.ContainsRune(`\><:"|?*`, key[i])
	})
	name = filepath.FromSlash(name)
	if !filepath.IsLocal(name) || name == "." || strings.HasSuffix(name, attributes) {
		return "", fmt.Errorf("%q cannot be a file's key: %w", key, fs.ErrInvalid)
	}
	return filepath.Join(b.dir, name), nil
}

// upload writes the file beside its place, and moves it there when it is on the disk.
func (b *files) upload(_ context.Context, key string, f body) (err error) {
	path, err := b.path(key)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, b.mode); err != nil {
		return err
	}
	temp, err := os.OpenFile(fmt.Sprintf("%s.%x.tmp", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	_, err = io.Copy(temp, f.checked())
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return fsync.SyncDir(dir)
}

func (b *files) size(_ context.Context, key string) (int64, error) {
	path, err := b.path(key)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder: %w", key, fs.ErrNotExist)
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (b *files) reader(_ context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	path, err := b.path(key)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, offset, length), f}, nil
}

func (b *files) remove(_ context.Context, key string) error {
	path, err := b.path(key)
	if err != nil {
		return err
	}
	if err := os.Remove(path + attributes); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(path)
}

func (b *files) list(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		first, err := b.path(prefix + "x") // nothing outside its folder can begin with the prefix
		if err != nil {
			yield(Item{}, err)
			return
		}
		err = filepath.WalkDir(filepath.Dir(first), func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil // removed meanwhile
			}
			if err != nil || d.IsDir() || strings.HasSuffix(path, attributes) {
				return err
			}
			name, err := filepath.Rel(b.dir, path)
			if err != nil {
				return err
			}
			key := unescape(filepath.ToSlash(name))
			if !strings.HasPrefix(key, prefix) {
				return nil
			}
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && !yield(Item{key, info.Size(), info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield(Item{}, err)
		}
	}
}

func (b *files) Close() error { return nil }
