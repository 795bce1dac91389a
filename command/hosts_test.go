package command

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"testing"

	"proflens/handlers/site"
)

// A server goes by the names of where it listens.
func TestHostsOfAnAddress(t *testing.T) {
	c := serveConfig{}
	if err := c.hosts.Set("prof.example.org, 10.1.1.1"); err != nil {
		t.Fatal(err)
	}
	inside := c.hostsOn(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	outside := c.hostsOn(&net.TCPAddr{IP: net.IPv4zero})
	if inside.Have("192.0.2.1") || !inside.Have("prof.example.org:443") || !inside.Have("10.1.1.1") {
		t.Errorf("on loopback: %+v", inside)
	}
	own, _ := os.Hostname()
	if !outside.Have("192.0.2.1:8080") || !outside.Have("prof.example.org") || outside.Have("evil.test") ||
		site.HostName(own) == nil && !outside.Have(own+":8080") {
		t.Errorf("on a network: %+v", outside)
	}
}

func TestTrustedProxyFlag(t *testing.T) {
	p := loopback()
	if p.String() != "127.0.0.0/8,::1/128" {
		t.Errorf("by default %s", p)
	}
	for text, want := range map[string]string{
		"10.1.2.3/8": "10.0.0.0/8", "10.1.2.3,2001:db8::/32": "10.1.2.3/32,2001:db8::/32", "none": "none",
	} {
		if err := p.Set(text); err != nil || p.String() != want {
			t.Errorf("%s: %s, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "x", "10.0.0.0/99"} {
		if p.Set(text) == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// An id stands in the log as the profile of a line, and nowhere else.
func TestLogHidesIds(t *testing.T) {
	var b bytes.Buffer
	id := "abcdefghijklmnopqrstuvwx23"
	site.NewLog(&b).Error("opening "+id, "profile", id, "error", errors.New("rename /data/profiles/ab/"+id+"-1.db"),
		"request", "0123456789abcdef", "n", 7)
	want := fmt.Sprintf(`level=ERROR msg="opening (id)" profile=%s error="rename /data/profiles/ab/(id)-1.db" request=0123456789abcdef n=7`, id)
	if !bytes.Contains(b.Bytes(), []byte(want)) {
		t.Errorf("%s\nwant %s", &b, want)
	}
}
