package command

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"

	"proflens/handlers/site"
)

// hostNames is a flag of host names, with commas or repeated.
type hostNames []string

// Set adds names.
func (h *hostNames) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if err := site.HostName(name); err != nil {
			return err
		}
		*h = append(*h, name)
	}
	return nil
}

// String lists them as they are given.
func (h hostNames) String() string { return strings.Join(h, ",") }

// Type is what the value is called where the usage does not say.
func (hostNames) Type() string { return "names" }

// prefixes is a flag of networks.
type prefixes []netip.Prefix

// loopback is this machine.
func loopback() prefixes {
	return prefixes{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// Set reads networks or single addresses, in the place of those before.
func (p *prefixes) Set(text string) error {
	*p = nil
	if text == "none" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		prefix, err := netip.ParsePrefix(part)
		if addr, e := netip.ParseAddr(part); e == nil {
			prefix, err = netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()), nil
		}
		if err != nil {
			return fmt.Errorf("%q is not a network; use one such as 10.0.0.0/8, an address, or none", part)
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// String lists them as they are given.
func (p prefixes) String() string {
	if len(p) == 0 {
		return "none"
	}
	texts := make([]string, len(p))
	for i := range p {
		texts[i] = p[i].String()
	}
	return strings.Join(texts, ",")
}

// Type is what the value is called where the usage does not say.
func (prefixes) Type() string { return "networks" }

// hostsOn are the names of a server that listens there. To a network it also goes by
// the machine's own name.
func (c *serveConfig) hostsOn(addr net.Addr) site.Hosts {
	h := site.Hosts{Names: c.hosts, Network: !onLoopback(addr)}
	if own, err := os.Hostname(); err == nil && h.Network && site.HostName(own) == nil {
		h.Names = append(h.Names, own)
	}
	return h
}
