package main

import (
	"context"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// makeBucket makes the bucket of a run.
func makeBucket(ctx context.Context, endpoint string) error {
	client, err := minio.New(endpoint, &minio.Options{
		Region: "us-east-1", Creds: credentials.NewStaticV4(accessKey, secretKey, ""), BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		return err
	}
	return client.MakeBucket(ctx, bucket, minio.MakeBucketOptions{})
}
