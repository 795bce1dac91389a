package objects

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"gopkg.in/ini.v1"
)

// aws is what the environment and the files in ~/.aws say, as for the AWS command line.
type aws struct {
	profiles map[string]map[string]string
	profile  string
	asked    bool // by the address: then it comes before the environment
	region   string
}

func loadAWS(profile string) (*aws, error) {
	a := &aws{profiles: map[string]map[string]string{}, profile: profile, asked: profile != ""}
	if !a.asked {
		a.profile = env("AWS_PROFILE", "AWS_DEFAULT_PROFILE")
	}
	if a.profile == "" {
		a.profile = "default"
	}
	home, _ := os.UserHomeDir() // none: the files are not there
	for _, file := range []struct{ variable, name string }{
		{"AWS_CONFIG_FILE", "config"}, {"AWS_SHARED_CREDENTIALS_FILE", "credentials"},
	} {
		path := os.Getenv(file.variable)
		if path == "" {
			path = filepath.Join(home, ".aws", file.name)
		}
		if err := a.read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if a.asked && a.profiles[a.profile] == nil {
		return nil, fmt.Errorf("the profile %q is neither in ~/.aws/config nor in ~/.aws/credentials", a.profile)
	}
	return a, nil
}

func (a *aws) read(path string) error {
	file, err := ini.Load(path)
	if err != nil {
		return err
	}
	for _, section := range file.Sections() {
		name := strings.TrimPrefix(section.Name(), "profile ")
		if a.profiles[name] == nil {
			a.profiles[name] = map[string]string{}
		}
		maps.Copy(a.profiles[name], section.KeysHash())
	}
	return nil
}

// env is the first variable that is set.
func env(names ...string) string {
	for _, name := range names {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// setting is a variable or, if that is not set, a line of the profile.
func (a *aws) setting(variable, key string) string {
	if value := env(variable, strings.Replace(variable, "AWS_REGION", "AWS_DEFAULT_REGION", 1)); value != "" {
		return value
	}
	return a.profiles[a.profile][key]
}

func (a *aws) flag(variable, key string) bool {
	on, err := strconv.ParseBool(a.setting(variable, key))
	return err == nil && on
}

// endpoint is where S3 is to be, if not at Amazon.
func (a *aws) endpoint() string {
	if a.flag("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "ignore_configured_endpoint_urls") {
		return ""
	}
	if url := env("AWS_ENDPOINT_URL_S3"); url != "" {
		return url
	}
	return a.setting("AWS_ENDPOINT_URL", "endpoint_url")
}

// provider finds credentials, and takes on a role with them if there is one.
func (a *aws) provider(role string) (credentials.Provider, error) {
	p, err := a.base()
	if err != nil || role == "" {
		return p, err
	}
	return a.assume(p, role, nil), nil
}

func (a *aws) base() (credentials.Provider, error) {
	if !a.asked {
		if env("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY") != "" && env("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY") != "" {
			return &credentials.EnvAWS{}, nil
		}
		if env("AWS_WEB_IDENTITY_TOKEN_FILE") != "" {
			return &credentials.IAM{Endpoint: a.sts()}, nil
		}
	}
	return a.of(a.profile, 0)
}

// of finds the credentials of a profile, which may name another whose credentials take on
// its role.
func (a *aws) of(profile string, deep int) (p credentials.Provider, err error) {
	if deep > 8 {
		return nil, fmt.Errorf("the profile %q in ~/.aws/config goes round in a circle", profile)
	}
	says := a.profiles[profile]
	role, source := says["role_arn"], says["source_profile"]
	switch {
	case source != "" && source != profile:
		p, err = a.of(source, deep+1)
	case says["aws_access_key_id"] != "", says["sso_account_id"] != "", says["credential_process"] != "":
		p = &credentials.FileAWSCredentials{Profile: profile}
	case says["credential_source"] == "Environment":
		p = &credentials.EnvAWS{}
	case says["web_identity_token_file"] != "":
		web := &credentials.IAM{Endpoint: a.sts()}
		web.EKSIdentity.TokenFile, web.EKSIdentity.RoleARN = says["web_identity_token_file"], role
		web.EKSIdentity.RoleSessionName = says["role_session_name"]
		return web, nil
	default:
		p, err = a.machine()
	}
	if err != nil || role == "" {
		return p, err
	}
	return a.assume(p, role, says), nil
}

// machine has the credentials of the container or of the instance.
func (a *aws) machine() (credentials.Provider, error) {
	if env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI") != "" {
		return &credentials.IAM{}, nil
	}
	if off, err := strconv.ParseBool(os.Getenv("AWS_EC2_METADATA_DISABLED")); err == nil && off {
		return nil, errors.New("no credentials: none in the environment, in ~/.aws, of a container or of an instance; " +
			"anonymous=true does without")
	}
	return &credentials.IAM{Endpoint: os.Getenv("AWS_EC2_METADATA_SERVICE_ENDPOINT")}, nil
}

// sts is where roles are taken on.
func (a *aws) sts() string {
	at := os.Getenv("AWS_ENDPOINT_URL_STS")
	switch {
	case at != "":
		return at
	case a.region == "":
		return credentials.DefaultSTSRoleEndpoint
	case strings.HasPrefix(a.region, "cn-"):
		return "https://sts." + a.region + ".amazonaws.com.cn"
	}
	return "https://sts." + a.region + ".amazonaws.com"
}

// assume takes on a role.
func (a *aws) assume(from credentials.Provider, role string, says map[string]string) credentials.Provider {
	return &assumed{from: credentials.New(from), at: a.sts(), options: credentials.STSAssumeRoleOptions{
		Location: cmp.Or(a.region, "us-east-1"), RoleARN: role,
		RoleSessionName: cmp.Or(says["role_session_name"], "proflens"), ExternalID: says["external_id"],
	}}
}

// assumed has a role's credentials, for which it asks with others that may change.
type assumed struct {
	credentials.Expiry
	from    *credentials.Credentials
	at      string
	options credentials.STSAssumeRoleOptions
}

// RetrieveWithCredContext asks for them.
func (r *assumed) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	v, err := r.from.GetWithContext(c)
	if err != nil {
		return v, err
	}
	o := r.options
	o.AccessKey, o.SecretKey, o.SessionToken = v.AccessKeyID, v.SecretAccessKey, v.SessionToken
	v, err = (&credentials.STSAssumeRole{STSEndpoint: r.at, Options: o}).RetrieveWithCredContext(c)
	if err == nil {
		r.SetExpiration(v.Expiration, credentials.DefaultExpiryWindow)
	}
	return v, err
}

// Retrieve asks for them with the library's own client.
func (r *assumed) Retrieve() (credentials.Value, error) { return r.RetrieveWithCredContext(nil) }
