package objects

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bodyOf is content on its way.
func bodyOf(content []byte) body {
	m, s := md5.Sum(content), sha256.Sum256(content)
	return body{bytes.NewReader(content), int64(len(content)), m[:], s[:]}
}

func TestRangesOfAFileInS3(t *testing.T) {
	f := newFakeS3(t)
	r := f.open(t, "")
	if err := r.upload(t.Context(), "a/b c+d%", bodyOf([]byte("0123456789"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		offset, length int64
		want           string
	}{{0, 10, "0123456789"}, {3, 4, "3456"}, {9, 1, "9"}, {0, 0, ""}} {
		got, err := r.reader(t.Context(), "a/b c+d%", c.offset, c.length)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(got); err != nil || string(b) != c.want {
			t.Errorf("%d from %d: %q, %v", c.length, c.offset, b, err)
		}
		got.Close()
	}
	for _, length := range []int64{0, 1} {
		if _, err := r.reader(t.Context(), "never", 0, length); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d bytes of a file that is not there: %v", length, err)
		}
	}
	f.answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("ETag", `"x"`)
		fmt.Fprint(w, "0123456789") // whatever was asked for
		return true
	}
	if got, err := r.reader(t.Context(), "a/b c+d%", 3, 4); err == nil {
		got.Close()
		t.Error("a store that does not know ranges was read")
	}
}

func TestAListOfManyPages(t *testing.T) {
	f := newFakeS3(t)
	r := f.open(t, "?prefix=team/")
	for i := range 2345 {
		f.files[fmt.Sprintf("team/objects/%04d", i)] = make([]byte, i)
	}
	f.files["other/objects/0000"] = nil
	n := 0
	for item, err := range r.list(t.Context(), "objects/") {
		if err != nil || item.Key != fmt.Sprintf("objects/%04d", n) || item.Size != int64(n) || item.Modified.IsZero() {
			t.Fatal(item, err)
		}
		n++
	}
	if n != 2345 || len(f.asked) != 3 {
		t.Errorf("%d files in %d requests", n, len(f.asked))
	}
	for range r.list(t.Context(), "") {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range r.list(ctx, "") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	}
}

func TestWhatAStoreAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		code   string
		is     error // nil: it may pass
		tries  int
	}{
		{404, "NoSuchBucket", fs.ErrNotExist, 1},
		{403, "AccessDenied", fs.ErrPermission, 1},
		{403, "QuotaExceeded", ErrFull, 1},
		{507, "InsufficientStorage", ErrFull, 1},
		{507, "", ErrFull, 1},
		{400, "BadDigest", nil, 1},
		{403, "RequestTimeTooSkewed", nil, 1},
		{503, "SlowDown", nil, 1}, // what is sent as it comes is sent again by who has it
	} {
		t.Run(c.code, func(t *testing.T) {
			f := newFakeS3(t)
			r := f.open(t, "")
			f.answer = func(w http.ResponseWriter, _ *http.Request) bool { refuse(w, c.status, c.code); return true }
			err := r.upload(t.Context(), "a", body{Reader: io.LimitReader(strings.NewReader("abc"), 3), size: 3})
			if err == nil || c.is != nil && !errors.Is(err, c.is) || final(err) != (c.is != nil) {
				t.Errorf("%v; final: %v", err, final(err))
			}
			if err != nil && !strings.Contains(err.Error(), fmt.Sprint(c.status)) {
				t.Errorf("the answer is not named: %v", err)
			}
			if len(f.asked) != c.tries {
				t.Errorf("%d requests", len(f.asked))
			}
		})
	}
}

// A store that is overloaded for a moment, and one that answers less than it says.
func TestS3IsAskedAgain(t *testing.T) {
	f := newFakeS3(t)
	b := over(t, &faulty{remote: f.open(t, "")}, filepath.Join(t.TempDir(), "cache"), 1<<30)
	b.timeouts.write, b.timeouts.read = time.Minute, time.Minute // as long as it takes
	s, content := sealed(t, "objects/aa/aa", 300_000, 1)
	n := 0
	f.answer = func(w http.ResponseWriter, r *http.Request) bool {
		n++
		switch {
		case r.Method == http.MethodPut && n < 3:
			refuse(w, http.StatusServiceUnavailable, "SlowDown")
		case r.Method == http.MethodGet && n < 8:
			w.Header().Set("ETag", `"x"`)
			w.Header().Set("Content-Length", "300000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(content[:1000])
			panic(http.ErrAbortHandler)
		default:
			return false
		}
		return true
	}
	if err := b.Put(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	b.cache.drop(s.Key)
	n = 7
	if got, err := read(t, b, s.Key, s.Content); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestALargeFileIsSentInParts(t *testing.T) {
	f := newFakeS3(t)
	r := f.open(t, "?ssetype=aws:kms&kmskeyid=k1").(*s3)
	r.inParts = 1 << 20
	content := bytes.Repeat([]byte("0123456789abcdef"), (partSize+5<<20)/16)
	f.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Has("uploads") && r.Header.Get("X-Amz-Server-Side-Encryption") != "aws:kms" {
			t.Errorf("not encrypted: %v", r.Header)
		}
		return false
	}
	if err := r.upload(t.Context(), "large", bodyOf(content)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(f.files["large"], content) || len(f.parts["large"]) != 2 {
		t.Errorf("%d bytes in %d parts", len(f.files["large"]), len(f.parts["large"]))
	}
	f.answer = func(w http.ResponseWriter, _ *http.Request) bool { refuse(w, 403, "QuotaExceeded"); return true }
	if err := r.upload(t.Context(), "large", bodyOf(content)); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
}

func TestBytesThatChangeOnTheWayAreRefused(t *testing.T) {
	for name, r := range map[string]remote{"s3": newFakeS3(t).open(t, ""), "memory": newMemory()} {
		f := bodyOf([]byte("abc"))
		f.Reader = strings.NewReader("abd")
		if err := r.upload(t.Context(), "a", f); err == nil {
			t.Errorf("%s took other bytes", name)
		}
		if _, err := r.size(t.Context(), "a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s has them: %v", name, err)
		}
	}
}

func TestWhereAnAddressLeads(t *testing.T) {
	alone(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for address, want := range map[string]string{
		"s3://bucket?region=eu-central-1":                                                                       "https://bucket.s3.eu-central-1.amazonaws.com/k",
		"s3://bucket?region=eu-central-1&use_path_style=true":                                                   "https://s3.eu-central-1.amazonaws.com/bucket/k",
		"s3://bucket?region=eu-central-1&dualstack=true":                                                        "https://bucket.s3.dualstack.eu-central-1.amazonaws.com/k",
		"s3://bucket?region=eu-central-1&fips=true":                                                             "https://bucket.s3-fips.eu-central-1.amazonaws.com/k",
		"s3://bucket?region=eu-central-1&accelerate=true":                                                       "https://bucket.s3-accelerate.amazonaws.com/k",
		"s3://bucket?region=cn-north-1":                                                                         "https://bucket.s3.cn-north-1.amazonaws.com.cn/k",
		"s3://bucket?region=eu-central-1&disable_https=true":                                                    "http://bucket.s3.eu-central-1.amazonaws.com/k",
		"s3://buc.ket?region=eu-central-1":                                                                      "https://s3.eu-central-1.amazonaws.com/buc.ket/k",
		"s3://bucket?endpoint=https://id.r2.cloudflarestorage.com&region=auto":                                  "https://bucket.id.r2.cloudflarestorage.com/k",
		"s3://bucket?endpoint=https://storage.googleapis.com":                                                   "https://bucket.storage.googleapis.com/k",
		"s3://bucket?endpoint=http://10.1.2.3:9000":                                                             "http://10.1.2.3:9000/bucket/k",
		"s3://bucket?endpoint=http://ceph:7480&use_path_style=true":                                             "http://ceph:7480/bucket/k",
		"s3://bucket?endpoint=http://ceph:7480&s3ForcePathStyle=true&awssdk=v2":                                 "http://ceph:7480/bucket/k",
		"s3://bucket?endpoint=http://ceph:7480&hostname_immutable=true":                                         "http://ceph:7480/bucket/k",
		"s3://bucket?endpoint=http://ceph:7480":                                                                 "http://bucket.ceph:7480/k",
		"s3://Old_Name?endpoint=http://ceph:7480":                                                               "http://ceph:7480/Old_Name/k",
		"s3://bucket?endpoint=https://id.example.org/storage/v1/s3&use_path_style=true":                         "https://id.example.org/storage/v1/s3/bucket/k",
		"s3://bucket?endpoint=http://ceph:7480&use_path_style=true&prefix=team/":                                "http://ceph:7480/bucket/team/k",
		"s3://bucket?endpoint=http://ceph:7480&use_path_style=true&request_checksum_calculation=when_required":  "http://ceph:7480/bucket/k",
		"s3://bucket?endpoint=http://ceph:7480&use_path_style=true&response_checksum_validation=when_supported": "http://ceph:7480/bucket/k",
		"s3://bucket?region=eu-central-1&rate_limiter_capacity=5&ssetype=AES256":                                "https://bucket.s3.eu-central-1.amazonaws.com/k",
	} {
		r, err := openRemote(t.Context(), address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		inner := r
		if b, ok := r.(below); ok {
			inner = b.remote
		}
		var got string
		for _, scheme := range []string{"http", "https"} {
			inner.(*s3).transport.RegisterProtocol(scheme, shown(func(r *http.Request) { got = r.URL.String() }))
		}
		if _, err := r.size(t.Context(), "k"); err != nil || got != want {
			t.Errorf("%s: asked %s, expected %s; %v", address, got, want, err)
		}
	}
}

func TestParametersThatDoNotExist(t *testing.T) {
	alone(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for address, word := range map[string]string{
		"s3://bucket?regoin=eu":                  `"regoin"`,
		"s3://bucket?use_path_style=maybe":       "use_path_style",
		"s3://bucket?ssetype=rot13":              "ssetype",
		"s3://bucket?endpoint=ceph:7480":         "endpoint",
		"s3://bucket?role=admin":                 "role",
		"s3://bucket?profile=nobody":             `"nobody"`,
		"s3://bucket?rate_limiter_capacity=many": "rate_limiter_capacity",
		"s3://b":                                 "",
		"file:///nowhere/at/all":                 "nowhere",
		"file:///?folder=x":                      `"folder"`,
		"file:///?metadata=yes":                  "metadata",
		"file:///?dir_file_mode=rwx":             "dir_file_mode",
		"mem://?size=3":                          `"size"`,
	} {
		r, err := openRemote(t.Context(), address)
		if err == nil {
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestCredentialsAreFoundAsForTheCommandLine(t *testing.T) {
	grant := func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/latest/api/token":
			fmt.Fprint(w, "token")
		case r.URL.Path == "/latest/meta-data/iam/security-credentials/":
			fmt.Fprint(w, "role")
		case r.URL.Path == "/latest/meta-data/iam/security-credentials/role":
			fmt.Fprint(w, `{"Code":"Success","AccessKeyId":"instance","SecretAccessKey":"s","Token":"t","Expiration":"2099-01-01T00:00:00Z"}`)
		case r.URL.Path == "/container":
			fmt.Fprintf(w, `{"AccessKeyId":%q,"SecretAccessKey":"s","Token":"t","Expiration":"2099-01-01T00:00:00Z"}`,
				"container"+r.Header.Get("Authorization"))
		case r.Method == http.MethodPost:
			action, arn := r.FormValue("Action"), r.FormValue("RoleArn")
			by := r.FormValue("WebIdentityToken")
			if by == "" {
				_, by, _ = strings.Cut(r.Header.Get("Authorization"), "Credential=")
				by, _, _ = strings.Cut(by, "/")
			}
			fmt.Fprintf(w, `<%[1]sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%[1]sResult><Credentials><AccessKeyId>%[2]s-by-%[3]s</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></%[1]sResult></%[1]sResponse>`,
				action, arn, by)
		default:
			http.NotFound(w, r)
		}
	}
	amazon := httptest.NewServer(http.HandlerFunc(grant))
	defer amazon.Close()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config := write("config", `[default]
region = eu-west-3
[profile other]
region = eu-north-1
[profile deputy]
role_arn = arn:aws:iam::1:role/deputy
source_profile = other
[profile round]
role_arn = arn:aws:iam::1:role/round
source_profile = again
[profile again]
role_arn = arn:aws:iam::1:role/again
source_profile = round
[profile here]
aws_access_key_id = here
aws_secret_access_key = s
`)
	keys := write("credentials", "[default]\naws_access_key_id = first\naws_secret_access_key = "+
		"s\n[other]\naws_access_key_id = other\naws_secret_access_key = s\n")
	files := map[string]string{"AWS_CONFIG_FILE": config, "AWS_SHARED_CREDENTIALS_FILE": keys}
	with := func(more ...string) map[string]string {
		all := map[string]string{"AWS_CONFIG_FILE": config, "AWS_SHARED_CREDENTIALS_FILE": keys}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	for name, c := range map[string]struct {
		env         map[string]string
		query, want string // key and region
	}{
		"environment": {
			with("AWS_ACCESS_KEY_ID", "env", "AWS_SECRET_ACCESS_KEY", "s", "AWS_REGION", "us-west-2"), "", "env us-west-2",
		},
		"files":                   {files, "", "first eu-west-3"},
		"a profile":               {with("AWS_PROFILE", "other"), "", "other eu-north-1"},
		"a profile of the config": {with("AWS_PROFILE", "here"), "", "here us-east-1"},
		"one in the address": {
			with("AWS_ACCESS_KEY_ID", "env", "AWS_SECRET_ACCESS_KEY", "s"), "?profile=other", "other eu-north-1",
		},
		"a region in the address": {files, "?region=sa-east-1", "first sa-east-1"},
		"a profile's role":        {with("AWS_PROFILE", "deputy"), "", "arn:aws:iam::1:role/deputy-by-other us-east-1"},
		"a role in the address":   {files, "?role=arn:aws:iam::1:role/x", "arn:aws:iam::1:role/x-by-first eu-west-3"},
		"a container": {
			map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": amazon.URL + "/container"}, "", "container us-east-1",
		},
		"a pod": {
			map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": amazon.URL + "/container",
				"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": write("pod", "-pod")}, "", "container-pod us-east-1",
		},
		"web identity": {
			with("AWS_WEB_IDENTITY_TOKEN_FILE", write("web", "web"), "AWS_ROLE_ARN", "arn:aws:iam::1:role/web"), "",
			"arn:aws:iam::1:role/web-by-web eu-west-3",
		},
		"an instance": {
			map[string]string{"AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": amazon.URL}, "",
			"instance us-east-1",
		},
		"anonymous": {files, "?anonymous=true", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFakeS3(t)
			alone(t)
			t.Setenv("AWS_ENDPOINT_URL_STS", amazon.URL)
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			if _, err := f.openAs(t, c.query).size(t.Context(), "k"); !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			_, scope, _ := strings.Cut(f.last().Header.Get("Authorization"), "Credential=")
			scope, _, _ = strings.Cut(scope, "/s3/aws4_request")
			got := scope
			if i := strings.LastIndex(scope, "/"); i >= 9 {
				got = scope[:i-9] + " " + scope[i+1:]
			}
			if got != c.want {
				t.Errorf("%q, expected %q", got, c.want)
			}
		})
	}
	alone(t)
	if _, err := openRemote(t.Context(), "s3://bucket"); err == nil || !strings.Contains(err.Error(), "no credentials") {
		t.Errorf("without any: %v", err)
	}
	t.Setenv("AWS_CONFIG_FILE", config)
	if _, err := openRemote(t.Context(), "s3://bucket?profile=round"); err == nil ||
		!strings.Contains(err.Error(), "circle") {
		t.Errorf("profiles that name each other: %v", err)
	}
}

// shown is a way to send requests that shows them instead.
type shown func(*http.Request)

func (f shown) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return &http.Response{StatusCode: http.StatusOK,
		Header: http.Header{"Etag": {"x"}, "Last-Modified": {"Mon, 02 Jan 2006 15:04:05 GMT"}}, Body: http.NoBody,
		Request: r}, nil
}
