package site

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Hosts are the names that a server answers to. The zero value answers to those of
// the machine's own loopback only.
type Hosts struct {
	// Names are host names or addresses, without port, that it answers to besides.
	Names []string
	// Network is set where it listens to other machines: then it also answers to any
	// IP address, which no page of another host can take on.
	Network bool
}

// Have reports whether a Host header, with any port or none, is one of these.
func (h *Hosts) Have(header string) bool {
	host, ok := hostName(header)
	if !ok {
		return false
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		slices.ContainsFunc(h.Names, func(name string) bool {
			own, _ := hostName(name)
			return own == host
		}) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (h.Network || addr.Unmap().IsLoopback())
}

// HostName checks a name that a server is to answer to: a host name or an IP
// address, without scheme and port.
func HostName(text string) error {
	if _, err := netip.ParseAddr(text); err == nil {
		return nil
	}
	if host, ok := hostName(text); !ok || strings.Contains(text, ":") || host == "" {
		return fmt.Errorf("%q is not a host name; use one such as proflens.example.org, without scheme and port", text)
	}
	return nil
}

// hostName is the name of a Host header without its port, in lower case. It is not
// ok for what is no host: it would stand in links and commands.
func hostName(header string) (host string, ok bool) {
	host = header
	if name, port, err := net.SplitHostPort(header); err == nil {
		if strings.Trim(port, "0123456789") != "" || len(port) > 5 {
			return "", false
		}
		host = name
	} else if inside, cut := strings.CutPrefix(header, "["); cut {
		if host, cut = strings.CutSuffix(inside, "]"); !cut {
			return "", false
		}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), addr.Zone() == ""
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" || len(host) > 253 || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
		return "", false
	}
	return host, true
}

// OwnHost is the middleware that refuses a request for another host, with nothing of
// the site in its answer. The health checks answer to any name: they tell nothing.
func (s *Site) OwnHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrong := RequestOf(r).wrongHost
		if wrong == "" || r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
			next.ServeHTTP(w, r)
			return
		}
		s.failJSON(w, r, &Problem{Status: http.StatusMisdirectedRequest, Kind: "wrong_host",
			Title: "Not a name of this server",
			Detail: fmt.Sprintf("this server does not answer to the host %.100q; the operator can add it with -host NAME",
				wrong)})
	})
}
