package site

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// Which names a server answers to, bound to loopback, to a network, and with names
// of its own.
func TestHosts(t *testing.T) {
	const none, network, named = 1, 2, 4 // where a name is good
	hosts := map[int]Hosts{
		none: {}, network: {Network: true, Names: []string{"build7"}},
		named: {Names: []string{"prof.example.org", "2001:db8::7"}},
	}
	for host, good := range map[string]int{
		"localhost":                       none | network | named,
		"localhost:8080":                  none | network | named,
		"LOCALHOST.:8080":                 none | network | named,
		"a.b.localhost:1":                 none | network | named,
		"127.0.0.1":                       none | network | named,
		"127.9.9.9:80":                    none | network | named,
		"[::1]:8080":                      none | network | named,
		"[::1]":                           none | network | named,
		"[::ffff:127.0.0.1]:80":           none | network | named,
		"10.1.2.3:8080":                   network,
		"[2001:db8::8]:80":                network,
		"[2001:DB8:0::7]:80":              network | named,
		"0.0.0.0:8080":                    network,
		"build7:8080":                     network,
		"Prof.Example.Org":                named,
		"prof.example.org.:443":           named,
		"evil.test":                       0,
		"evil.test:8080":                  0,
		"127.0.0.1.evil.test":             0,
		"localhost.evil.test":             0,
		"evil-localhost":                  0,
		"xprof.example.org":               0,
		"localhost:80:80":                 0,
		"localhost:x":                     0,
		"localhost@evil.test":             0,
		"localhost/evil":                  0,
		"[::1%25eth0]:80":                 0,
		"[::1":                            0,
		"":                                0,
		":8080":                           0,
		"a$(reboot)b":                     0,
		"x\u202egro.elpmaxe":              0,
		strings.Repeat("a.", 200) + "org": 0,
	} {
		for mode, h := range hosts {
			if got := h.Have(host); got != (good&mode != 0) {
				t.Errorf("Host %q with %+v: %t", host, h, got)
			}
		}
	}
	for name, good := range map[string]bool{
		"prof.example.org": true, "10.1.2.3": true, "::1": true, "https://x": false, "x:80": false, "": false, "a b": false,
		"*": false,
	} {
		if err := HostName(name); (err == nil) != good {
			t.Errorf("-host %q: %v", name, err)
		}
	}
}

// arrived is a request as the handlers see it.
func arrived(s *Site, peer, host string, headers ...string) (seen *http.Request, answer *httptest.ResponseRecorder) {
	r := httptest.NewRequest("GET", "/api/v1/profiles", nil)
	r.RemoteAddr, r.Host = peer, host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	answer = httptest.NewRecorder()
	RequestID(s.Arrive(s.OwnHost(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		seen = r
	})))).ServeHTTP(answer, r)
	return seen, answer
}

func proxied() *Site {
	return New(Config{Hosts: Hosts{Names: []string{"prof.example.org"}},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}})
}

// What a proxy says of the client is believed from trusted proxies alone, and a
// chain of them only back to the first that is not.
func TestTrustedProxy(t *testing.T) {
	s := proxied()
	for _, test := range []struct {
		name, peer string
		headers    []string
		client     string
		origin     string
	}{
		{"no proxy", "192.0.2.9:5000", nil, "192.0.2.9", "http://localhost"},
		{
			"a stranger's word", "192.0.2.9:5000",
			[]string{"X-Forwarded-For", "1.2.3.4", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "prof.example.org"},
			"192.0.2.9", "http://localhost",
		},
		{
			"a proxy", "127.0.0.1:5000", []string{"X-Forwarded-For", "192.0.2.9", "X-Forwarded-Proto", "https",
				"X-Forwarded-Host", "prof.example.org"}, "192.0.2.9", "https://prof.example.org",
		},
		{
			"what the client made up before", "127.0.0.1:5000", []string{"X-Forwarded-For", "8.8.8.8, 192.0.2.9"}, "192.0.2.9",
			"http://localhost",
		},
		{
			"two proxies", "127.0.0.1:5000", []string{"X-Forwarded-For", "8.8.8.8,192.0.2.9", "X-Forwarded-For", "10.0.0.3"},
			"192.0.2.9", "http://localhost",
		},
		{"only proxies", "127.0.0.1:5000", []string{"X-Forwarded-For", "10.0.0.3"}, "10.0.0.3", "http://localhost"},
		{"nonsense", "127.0.0.1:5000", []string{"X-Forwarded-For", "192.0.2.9, unknown"}, "127.0.0.1", "http://localhost"},
		{"with ports", "127.0.0.1:5000", []string{"X-Forwarded-For", "[2001:db8::1]:77"}, "2001:db8::1", "http://localhost"},
		{
			"mapped", "[::ffff:127.0.0.1]:5000", []string{"X-Forwarded-For", "::ffff:192.0.2.9"}, "192.0.2.9",
			"http://localhost",
		},
	} {
		r, answer := arrived(s, test.peer, "localhost", test.headers...)
		if r == nil {
			t.Errorf("%s: %d %s", test.name, answer.Code, answer.Body)
			continue
		}
		if got := ClientAddr(r).String(); got != test.client || Origin(r) != test.origin {
			t.Errorf("%s: client %s at %s, want %s at %s", test.name, got, Origin(r), test.client, test.origin)
		}
	}
}

// A page of another host that has its name point to this machine can send any
// header, from a trusted address: its own host is still seen.
func TestForwardedHostDoesNotHideTheHost(t *testing.T) {
	s := proxied()
	for _, test := range [][2]string{
		{"evil.test", "localhost"}, {"evil.test", "prof.example.org"}, {"localhost", "evil.test"},
		{"localhost", "prof.example.org, evil.test"},
	} {
		r, answer := arrived(s, "127.0.0.1:5000", test[0], "X-Forwarded-Host", test[1])
		if r != nil || answer.Code != http.StatusMisdirectedRequest ||
			!strings.Contains(answer.Body.String(), `"kind":"wrong_host"`) ||
			!strings.Contains(answer.Body.String(), "-host NAME") {
			t.Errorf("Host %s, X-Forwarded-Host %s: %d %s", test[0], test[1], answer.Code, answer.Body)
		}
	}
}
