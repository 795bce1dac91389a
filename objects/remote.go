package objects

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"

	"gocloud.dev/blob"
)

// remote is what is asked of a bucket, once. Errors are those of gocloud.dev.
type remote interface {
	upload(ctx context.Context, key string, r io.Reader, md5 []byte) error
	size(ctx context.Context, key string) (int64, error)
	// reader reads length bytes from offset, which the file has.
	reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	remove(ctx context.Context, key string) error
	list(ctx context.Context, prefix string) iter.Seq2[Item, error]
	Close() error
}

// schemes are how the address of a bucket may begin.
var schemes = []string{"s3", "gs", "azblob", "file", "mem"}

// IsURL reports whether the words name a bucket, rather than a folder.
func IsURL(words string) bool {
	scheme, _, found := strings.Cut(words, "://")
	return found && slices.Contains(schemes, scheme)
}

// openRemote opens a bucket by its address. What the address says besides the bucket is
// gocloud.dev's: region, endpoint, prefix.
func openRemote(ctx context.Context, address string) (remote, error) {
	if !IsURL(address) {
		return nil, fmt.Errorf("object store %q: expected an address that begins with %s://", address, strings.Join(schemes, "://, "))
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("object store: the address is no URL") // it may have a password
	}
	b, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("object store %s://%s%s: %w", u.Scheme, u.Host, u.Path, err)
	}
	return bucketOf{b}, nil
}

// bucketOf is a bucket of gocloud.dev.
type bucketOf struct{ *blob.Bucket }

// A store checks the MD5 that comes with a file, where it has one to check.
func (b bucketOf) upload(ctx context.Context, key string, r io.Reader, md5 []byte) error {
	return b.Upload(ctx, key, r, &blob.WriterOptions{ContentType: "application/octet-stream", DisableContentTypeDetection: true, ContentMD5: md5})
}

func (b bucketOf) size(ctx context.Context, key string) (int64, error) {
	a, err := b.Attributes(ctx, key)
	if err != nil {
		return 0, err
	}
	return a.Size, nil
}

func (b bucketOf) reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	return b.NewRangeReader(ctx, key, offset, length, nil)
}

func (b bucketOf) remove(ctx context.Context, key string) error { return b.Delete(ctx, key) }

func (b bucketOf) list(ctx context.Context, prefix string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for page := blob.FirstPageToken; len(page) > 0; {
			objects, next, err := b.ListPage(ctx, page, 1000, &blob.ListOptions{Prefix: prefix})
			if err != nil {
				yield(Item{}, err)
				return
			}
			for _, o := range objects {
				if !yield(Item{o.Key, o.Size, o.ModTime}, nil) {
					return
				}
			}
			page = next
		}
	}
}
