package site

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Arrive is the middleware that works out where a request comes from and what it
// calls this server, before anything answers. What a proxy says of it is believed
// from Config.TrustedProxies alone, and a host from nobody unless Config.Hosts has
// it: a web page elsewhere can make a browser on this machine send any header and
// any Host that resolves to here.
func (s *Site) Arrive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := RequestOf(r)
		req.client = peerOf(r)
		req.secure = r.TLS != nil
		req.wrongHost = wrongHost(&s.Hosts, r.Host)
		if s.trusts(req.client) {
			req.client = s.clientOf(req.client, r.Header.Values("X-Forwarded-For"))
			req.secure = req.secure || strings.EqualFold(lastOf(r.Header.Values("X-Forwarded-Proto")), "https")
			// Beside the request's own host, not in its place: that a page of
			// another host cannot change.
			if host := lastOf(r.Header.Values("X-Forwarded-Host")); host != "" && req.wrongHost == "" {
				if req.wrongHost = wrongHost(&s.Hosts, host); req.wrongHost == "" {
					r.Host = host
				}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// wrongHost is the host if it is none of these.
func wrongHost(hosts *Hosts, host string) string {
	if hosts.Have(host) {
		return ""
	}
	if host == "" {
		return "(none)"
	}
	return host
}

// ClientAddr is the address of the client: that of the connection, or behind a
// trusted proxy the one that the proxy names. It is not valid where the request did
// not come over a network.
func ClientAddr(r *http.Request) netip.Addr { return RequestOf(r).client }

// secure reports whether the client speaks TLS, to us or to a trusted proxy.
func secure(r *http.Request) bool { return RequestOf(r).secure }

func peerOf(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap()
}

func (s *Site) trusts(addr netip.Addr) bool {
	for _, prefix := range s.TrustedProxies {
		if prefix.Contains(addr.WithZone("")) {
			return true
		}
	}
	return false
}

// clientOf follows a chain of proxies back for as long as they are trusted: what
// stands before the first other address is that client's own word.
func (s *Site) clientOf(peer netip.Addr, headers []string) netip.Addr {
	hops := strings.Split(strings.Join(headers, ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(peer); i-- {
		hop := strings.TrimSpace(hops[i])
		if host, _, err := net.SplitHostPort(hop); err == nil {
			hop = host
		}
		addr, err := netip.ParseAddr(strings.Trim(hop, "[]"))
		if err != nil {
			break
		}
		peer = addr.Unmap()
	}
	return peer
}

// lastOf is the last value of a header that proxies append to: that of the nearest.
func lastOf(headers []string) string {
	values := strings.Split(strings.Join(headers, ","), ",")
	return strings.TrimSpace(values[len(values)-1])
}
