package objects

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/encrypt"
	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// openS3 opens s3://BUCKET. What the address does not say is as for the AWS command line.
func openS3(_ context.Context, u *url.URL, p *parameters) (remote, error) {
	profile := p.text("profile")
	aws, err := loadAWS(profile)
	if err != nil {
		return nil, err
	}
	at := endpoint{
		url:        p.text("endpoint"),
		region:     p.text("region"),
		path:       p.flag("use_path_style"),
		plain:      p.flag("disable_https"),
		dual:       p.flag("dualstack") || aws.flag("AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint"),
		fips:       p.flag("fips") || aws.flag("AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint"),
		accelerate: p.flag("accelerate"),
	}
	old, immutable := p.flag("s3ForcePathStyle"), p.flag("hostname_immutable")
	at.path = at.path || old || immutable
	role, anonymous := p.text("role"), p.flag("anonymous")
	encryption := serverSide{p.oneOf("ssetype", "AES256", "aws:kms", "aws:kms:dsse"), p.text("kmskeyid")}
	// Every upload has sums that all stores check, and every read is checked here.
	p.oneOf("request_checksum_calculation", "when_supported", "when_required")
	p.oneOf("response_checksum_validation", "when_supported", "when_required")
	if limit := p.text("rate_limiter_capacity"); limit != "" { // of tries again, which patience limits
		if _, err := strconv.ParseInt(limit, 10, 32); err != nil {
			p.fail("rate_limiter_capacity is a number, not %q", limit)
		}
	}
	p.Del("awssdk") // an old parameter
	if role != "" && !strings.HasPrefix(role, "arn:") {
		p.fail("role begins with arn:, not %q", role)
	}
	if err := p.done(); err != nil {
		return nil, err
	}
	if at.region == "" {
		at.region = aws.setting("AWS_REGION", "region")
	}
	if at.url == "" {
		at.url = aws.endpoint()
	}
	aws.region = at.region
	provider, err := aws.provider(role)
	if anonymous {
		provider, err = &credentials.Static{Value: credentials.Value{SignerType: credentials.SignatureAnonymous}}, nil
	}
	if err != nil {
		return nil, err
	}
	return at.open(u.Host, credentials.New(provider), encryption, aws.setting("AWS_CA_BUNDLE", "ca_bundle"))
}

// endpoint is where a store is, and how it is spoken to.
type endpoint struct {
	url, region                         string
	path, plain, dual, fips, accelerate bool
}

// hostBuckets are names that can be part of the name of a host.
var hostBuckets = regexp.MustCompile(`^[a-z0-9][a-z0-9-]+[a-z0-9]$`)

// lookup is where the bucket is named: in the path, or in the host's name where that can be.
func (e *endpoint) lookup(u *url.URL, bucket string) minio.BucketLookupType {
	if u.Scheme == "http" {
		bucket = strings.ReplaceAll(bucket, ".", "-") // no certificate minds the dots
	}
	if e.path || net.ParseIP(u.Hostname()) != nil || !hostBuckets.MatchString(bucket) {
		return minio.BucketLookupPath
	}
	return minio.BucketLookupDNS
}

func (e *endpoint) open(bucket string, creds *credentials.Credentials, encryption serverSide,
	authorities string) (remote, error) {
	if err := s3utils.CheckValidBucketName(bucket); err != nil {
		return nil, err
	}
	o := &minio.Options{Creds: creds, Region: e.region, Secure: !e.plain, MaxRetries: 3}
	host, folder := e.amazon(), ""
	if e.url != "" {
		u, err := url.Parse(e.url)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("endpoint is an address such as https://host:port, not %q", e.url)
		}
		host, folder, o.Secure = u.Host, strings.TrimSuffix(u.EscapedPath(), "/"), u.Scheme == "https"
		o.Region = cmp.Or(e.region, "us-east-1") // which stores that have no regions take
		o.BucketLookup = e.lookup(u, bucket)
	} else if e.path {
		o.BucketLookup = minio.BucketLookupPath
	}
	transport, err := transport(o.Secure, authorities)
	if err != nil {
		return nil, err
	}
	o.Transport = transport
	if folder != "" {
		o.Transport = &inFolder{transport, folder, o.Region, creds}
	}
	client, err := minio.New(host, o)
	if err != nil {
		return nil, err
	}
	client.SetS3EnableDualstack(e.dual)
	if e.accelerate {
		host := "s3-accelerate.amazonaws.com"
		if e.dual {
			host = "s3-accelerate.dualstack.amazonaws.com"
		}
		client.SetS3TransferAccelerate(host)
	}
	s := &s3{
		Core: minio.Core{Client: client}, transport: transport, bucket: bucket, inParts: wholeUpTo,
		google: s3utils.IsGoogleEndpoint(*client.EndpointURL()),
	}
	if encryption != (serverSide{}) {
		s.encryption = encryption
	}
	return s, nil
}

// amazon is Amazon's host; the library knows those of the regions.
func (e *endpoint) amazon() string {
	dual := ""
	if e.dual {
		dual = ".dualstack"
	}
	switch {
	case e.fips && e.region != "":
		return "s3-fips" + dual + "." + e.region + ".amazonaws.com"
	case strings.HasPrefix(e.region, "eusc-"):
		return "s3" + dual + "." + e.region + ".amazonaws.eu"
	}
	return "s3.amazonaws.com"
}

// transport is how a store is reached, with further authorities for its certificate.
func transport(secure bool, authorities string) (*http.Transport, error) {
	t, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	t.ResponseHeaderTimeout = usual.sending
	if authorities == "" || !secure {
		return t, nil
	}
	pem, err := os.ReadFile(authorities)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New(authorities + " has no certificate")
	}
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	return t, nil
}

// serverSide is the encryption that a store is asked for.
type serverSide struct{ kind, key string }

// Type is S3's own, also of keys that the store has from elsewhere: it is not the sender's.
func (serverSide) Type() encrypt.Type { return encrypt.S3 }

// Marshal adds the headers that ask for it.
func (s serverSide) Marshal(h http.Header) {
	if s.kind != "" {
		kind := s.kind
		if kind == "aes256" {
			kind = "AES256"
		}
		h.Set("X-Amz-Server-Side-Encryption", kind)
	}
	if s.key != "" {
		h.Set("X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id", s.key)
	}
}
