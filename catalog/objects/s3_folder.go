package objects

import (
	"net/http"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"
)

// inFolder sends requests to a store that is below a path of its host, which the library
// cannot: what it made is signed again for there.
type inFolder struct {
	http.RoundTripper
	folder, region string // escaped
	creds          *credentials.Credentials
}

// RoundTrip sends one request.
func (t *inFolder) RoundTrip(r *http.Request) (*http.Response, error) {
	signed := r.Header.Get("Authorization") != ""
	there := t.folder + r.URL.EscapedPath()
	r = r.Clone(r.Context())
	u, err := r.URL.Parse(there)
	if err != nil {
		return nil, err
	}
	u.RawQuery = r.URL.RawQuery
	r.URL = u
	if signed {
		v, err := t.creds.GetWithContext(&credentials.CredContext{Client: http.DefaultClient, Context: r.Context()})
		if err != nil {
			return nil, err
		}
		r.Header.Del("Authorization")
		r = signer.SignV4(*r, v.AccessKeyID, v.SecretAccessKey, v.SessionToken, t.region)
	}
	return t.RoundTripper.RoundTrip(r)
}
