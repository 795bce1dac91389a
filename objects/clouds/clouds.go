// Package clouds teaches package objects the buckets of S3 and what speaks like it, of
// Google and of Azure, and folders of a file system that several machines share. Only
// the program imports it: the clouds' libraries are larger than the rest of it.
package clouds

import (
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/fileblob"  // file://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
)
