//go:build clouds

package objects

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/url"

	"cloud.google.com/go/storage"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	"gocloud.dev/gcerrors"
)

// openCloud opens gs:// and azblob://. Their parameters are those of gocloud.dev.
func openCloud(ctx context.Context, u *url.URL, p *parameters) (remote, error) {
	with := *u
	with.RawQuery = p.Encode()
	b, err := blob.OpenBucket(ctx, with.String())
	if err != nil {
		return nil, err
	}
	return cloud{b}, nil
}

// cloud is a bucket of gocloud.dev.
type cloud struct{ *blob.Bucket }

// upload gives Google the MD5 to check, and not by the library's ContentMD5: with that, its
// writer for Azure panics where an upload fails.
func (c cloud) upload(ctx context.Context, key string, f body) error {
	return inWords(c.Upload(ctx, key, f.checked(), &blob.WriterOptions{
		ContentType: "application/octet-stream", DisableContentTypeDetection: true,
		BeforeWrite: func(as func(any) bool) error {
			if w := new(storage.Writer); as(&w) {
				w.MD5 = f.md5
			}
			return nil
		},
	}))
}

func (c cloud) size(ctx context.Context, key string) (int64, error) {
	a, err := c.Attributes(ctx, key)
	if err != nil {
		return 0, inWords(err)
	}
	return a.Size, nil
}

func (c cloud) reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	r, err := c.NewRangeReader(ctx, key, offset, length, nil)
	if err != nil {
		return nil, inWords(err)
	}
	return r, nil
}

func (c cloud) remove(ctx context.Context, key string) error { return inWords(c.Delete(ctx, key)) }

func (c cloud) list(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		for page := blob.FirstPageToken; len(page) > 0; {
			objects, next, err := c.ListPage(ctx, page, 1000, &blob.ListOptions{Prefix: prefix})
			if err != nil {
				yield(Item{}, inWords(err))
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

// inWords gives an error of gocloud.dev the meaning that remote promises.
func inWords(err error) error {
	kind := map[gcerrors.ErrorCode]error{
		gcerrors.NotFound: fs.ErrNotExist, gcerrors.PermissionDenied: fs.ErrPermission, gcerrors.ResourceExhausted: ErrFull,
		gcerrors.InvalidArgument: fs.ErrInvalid, gcerrors.Unimplemented: fs.ErrInvalid,
	}[gcerrors.Code(err)]
	if kind == nil {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}
