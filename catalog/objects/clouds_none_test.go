//go:build !clouds

package objects

import (
	"strings"
	"testing"
)

func TestWhatIsNotBuiltInSaysHowToGetIt(t *testing.T) {
	for address, words := range map[string]string{
		"gs://photos": "go build -tags clouds, or reach the bucket with an HMAC key as " +
			"s3://photos?endpoint=https://storage.googleapis.com",
		"azblob://photos": "built without azblob://: use the container image, or build it with go build -tags clouds",
	} {
		if _, err := openRemote(t.Context(), address); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
