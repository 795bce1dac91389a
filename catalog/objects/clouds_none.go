//go:build !clouds

package objects

import (
	"context"
	"fmt"
	"net/url"
)

// openCloud says how to get what this program was built without.
func openCloud(_ context.Context, u *url.URL, _ *parameters) (remote, error) {
	also := ""
	if u.Scheme == "gs" {
		also = ", or reach the bucket with an HMAC key as s3://" + u.Host + "?endpoint=https://storage.googleapis.com"
	}
	return nil, fmt.Errorf("this Proflens was built without %s://: use the container image, or build it with "+
		"go build -tags clouds%s", u.Scheme, also)
}
