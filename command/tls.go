package command

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificate is a server's, read again when its files change.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu     sync.Mutex
	looked time.Time
	stamp  [2]time.Time // when the files were changed that were read last
	loaded *tls.Certificate
}

// openCertificate reads a certificate for the first time.
func openCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	c.stamp = c.stamps()
	loaded, err := tls.LoadX509KeyPair(certFile, keyFile)
	c.loaded = &loaded
	return c, err
}

// get is the certificate as it is now. Where the files are no longer a pair, since one of
// them was not written yet, the one from before goes on.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < time.Second {
		return c.loaded, nil
	}
	c.looked = time.Now()
	if stamp := c.stamps(); stamp != c.stamp {
		c.stamp = stamp
		loaded, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
		if err != nil {
			c.log.Error("reading the changed certificate; the old one stays in use", "error", err)
			return c.loaded, nil
		}
		c.loaded = &loaded
		c.log.Info("the certificate was read again")
	}
	return c.loaded, nil
}

func (c *certificate) stamps() (stamp [2]time.Time) {
	for i, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			stamp[i] = info.ModTime()
		}
	}
	return stamp
}
