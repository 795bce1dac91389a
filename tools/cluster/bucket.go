package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// makeBucket makes the bucket of a run.
func makeBucket(ctx context.Context, endpoint string) error {
	client := s3.New(s3.Options{Region: "us-east-1", UsePathStyle: true, BaseEndpoint: aws.String("http://" + endpoint),
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, secretKey, "")})
	_, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(bucket)})
	return err
}
