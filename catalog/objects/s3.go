package objects

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/encrypt"
)

// s3 is a bucket of Amazon, or of a store that speaks like it.
type s3 struct {
	minio.Core
	transport  *http.Transport
	bucket     string
	google     bool
	inParts    int64 // a larger file is sent in parts
	encryption encrypt.ServerSide
}

// Parts are held in memory, so that one that was cut off can be sent again.
const (
	wholeUpTo = 64 << 20
	partSize  = 16 << 20
)

// upload sends a file with the MD5 and SHA-256 of its bytes, in plain headers, which
// every store checks: trailers and other sums are not known to all.
func (s *s3) upload(ctx context.Context, key string, f body) (err error) {
	o := minio.PutObjectOptions{
		ContentType: "application/octet-stream", ServerSideEncryption: s.encryption,
		DisableContentSha256: true, // of pieces of 64 KiB each
	}
	if s.google || f.size <= s.inParts { // the library would hold all of it in memory for Google
		_, err = s.Core.PutObject(ctx, s.bucket, name(key), f.Reader, f.size,
			base64.StdEncoding.EncodeToString(f.md5), hex.EncodeToString(f.sha256), o)
	} else {
		o.SendContentMd5, o.PartSize = true, partSize
		_, err = s.Client.PutObject(ctx, s.bucket, name(key), f.Reader, f.size, o)
	}
	return answered(err)
}

func (s *s3) size(ctx context.Context, key string) (int64, error) {
	o, err := s.StatObject(ctx, s.bucket, name(key), minio.StatObjectOptions{})
	return o.Size, answered(err)
}

func (s *s3) reader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if length == 0 { // no range says so
		_, err := s.size(ctx, key)
		return http.NoBody, err
	}
	o := minio.GetObjectOptions{}
	if err := o.SetRange(offset, offset+length-1); err != nil {
		return nil, err
	}
	r, info, _, err := s.GetObject(ctx, s.bucket, name(key), o)
	if err == nil && info.Size > length {
		err = errors.Join(fmt.Errorf("%d bytes are sent of which %d were asked for", info.Size, length), r.Close())
	}
	if err != nil {
		return nil, answered(err)
	}
	return r, nil
}

func (s *s3) remove(ctx context.Context, key string) error {
	return answered(s.RemoveObject(ctx, s.bucket, name(key), minio.RemoveObjectOptions{}))
}

func (s *s3) list(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		o := minio.ListObjectsOptions{Prefix: name(prefix), Recursive: true, MaxKeys: 1000, UseV1: s.google}
		for o := range s.ListObjectsIter(ctx, s.bucket, o) {
			if !yield(Item{unescape(o.Key), o.Size, o.LastModified}, answered(o.Err)) || o.Err != nil {
				return
			}
		}
	}
}

func (s *s3) Close() error {
	s.transport.CloseIdleConnections()
	return nil
}

// name is what a file is called in the bucket.
func name(key string) string { return escape(key, upwards) }

// What stores call it.
var (
	missingCodes = []string{"NoSuchBucket", "NoSuchKey", "NotFound"}
	refusedCodes = []string{"AccessDenied", "Forbidden"}
	fullCodes    = []string{"QuotaExceeded", "InsufficientStorage", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"}
)

// answered is a store's answer as an error of ours, with the store's words.
func answered(err error) error {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) || answer.StatusCode == 0 {
		return err
	}
	err = fmt.Errorf("%w (HTTP %d, %s)", err, answer.StatusCode, answer.Code)
	switch {
	case slices.Contains(fullCodes, answer.Code) || answer.StatusCode == http.StatusInsufficientStorage:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case slices.Contains(missingCodes, answer.Code):
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case slices.Contains(refusedCodes, answer.Code):
		return fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	return err
}
