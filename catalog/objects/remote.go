package objects

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// remote is what is asked of a bucket, once. An error is fs.ErrNotExist where a file or
// the bucket is not there, fs.ErrPermission where the store refuses, ErrFull where it
// has no room; any other may pass.
type remote interface {
	upload(ctx context.Context, key string, f body) error
	size(ctx context.Context, key string) (int64, error)
	// reader reads length bytes from offset, which the file has.
	reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	remove(ctx context.Context, key string) error
	list(ctx context.Context, prefix string) Items
	Close() error
}

// body is a file on its way to a store, which checks the sums that it can check.
type body struct {
	io.Reader
	size        int64
	md5, sha256 []byte
}

// checked reads a body for a store that checks nothing by itself: it ends with an error
// where what came is not what was announced.
func (f body) checked() io.Reader { return &checked{f: f, sum: md5.New()} }

type checked struct {
	f   body
	sum hash.Hash
	n   int64
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.f.Read(p)
	c.sum.Write(p[:n])
	c.n += int64(n)
	if err != io.EOF {
		return n, err
	}
	if sum := c.sum.Sum(nil); c.n != c.f.size || !bytes.Equal(sum, c.f.md5) {
		err = fmt.Errorf("%d bytes with the MD5 %x came, expected %d with %x", c.n, sum, c.f.size, c.f.md5)
	}
	return n, err
}

// kinds are the buckets, by how their address begins.
var kinds = map[string]func(ctx context.Context, u *url.URL, p *parameters) (remote, error){
	"s3": openS3, "gs": openCloud, "azblob": openCloud, "file": openFiles, "mem": openMemory,
}

// IsURL reports whether the words name a bucket, rather than a folder.
func IsURL(words string) bool {
	scheme, _, found := strings.Cut(words, "://")
	return found && kinds[scheme] != nil
}

// openRemote opens a bucket by its address.
func openRemote(ctx context.Context, address string) (remote, error) {
	if !IsURL(address) {
		return nil, fmt.Errorf("object store %q: expected an address that begins with %s://",
			address, strings.Join(slices.Sorted(maps.Keys(kinds)), "://, "))
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("object store: the address is no URL") // it may have a password
	}
	p := &parameters{Values: u.Query()}
	prefix := p.text("prefix")
	r, err := kinds[u.Scheme](ctx, u, p)
	if err != nil {
		return nil, fmt.Errorf("object store %s://%s%s: %w", u.Scheme, u.Host, u.Path, err)
	}
	if prefix != "" {
		r = below{r, prefix}
	}
	return r, nil
}

// parameters are what an address says besides the bucket. Each is taken once.
type parameters struct {
	url.Values
	err error // the first
}

func (p *parameters) text(name string) string {
	defer p.Del(name)
	return p.Get(name)
}

func (p *parameters) flag(name string) bool {
	text := p.text(name)
	if text == "" {
		return false
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		p.fail("%s is true or false, not %q", name, text)
	}
	return on
}

// oneOf takes a parameter that has one of some values, or none.
func (p *parameters) oneOf(name string, values ...string) string {
	text := p.text(name)
	if text != "" && !slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, text) }) {
		p.fail("%s is %s, not %q", name, strings.Join(values, " or "), text)
	}
	return strings.ToLower(text)
}

func (p *parameters) fail(format string, a ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, a...)
	}
}

// done returns the first error; a parameter that nobody took is one.
func (p *parameters) done() error {
	for _, name := range slices.Sorted(maps.Keys(p.Values)) {
		p.fail("there is no parameter %q", name)
	}
	return p.err
}

// below is the part of a bucket under a prefix.
type below struct {
	remote
	prefix string
}

func (b below) upload(ctx context.Context, key string, f body) error {
	return b.remote.upload(ctx, b.prefix+key, f)
}

func (b below) size(ctx context.Context, key string) (int64, error) {
	return b.remote.size(ctx, b.prefix+key)
}

func (b below) reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	return b.remote.reader(ctx, b.prefix+key, offset, length)
}

func (b below) remove(ctx context.Context, key string) error {
	return b.remote.remove(ctx, b.prefix+key)
}

func (b below) list(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		for item, err := range b.remote.list(ctx, b.prefix+prefix) {
			item.Key = strings.TrimPrefix(item.Key, b.prefix)
			if !yield(item, err) {
				return
			}
		}
	}
}
