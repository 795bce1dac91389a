package command

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate writes a certificate for a name, and its key.
func writeCertificate(t *testing.T, certFile, keyFile, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
	); err != nil {
		t.Fatal(err)
	}
}

// A certificate that is renewed is served without a restart; half a pair is not.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, "first.test")
	p := serveProcess(t, "https", "-tls-cert", cert, "-tls-key", key)
	served := func() string {
		c, err := tls.Dial("tcp", p.addr, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	if name := served(); name != "first.test" {
		t.Errorf("served %s", name)
	}
	if out, err := exec.Command("proflens", "health", "-addr", p.addr, "-tls-cert", cert).CombinedOutput(); err != nil ||
		string(out) != "ready\n" {
		t.Errorf("health: %v, %s", err, out)
	}
	if err := os.WriteFile(cert, []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond)
	if name := served(); name != "first.test" {
		t.Errorf("served %s", name)
	}
	writeCertificate(t, cert, key, "second.test")
	for served() != "second.test" {
		time.Sleep(100 * time.Millisecond)
	}
	h2 := &http.Client{
		Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	res, err := h2.Get("https://" + p.addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.ProtoMajor != 2 || res.StatusCode != 200 {
		t.Errorf("%s by %s", res.Status, res.Proto)
	}
	p.Process.Signal(os.Interrupt)
	if status := p.ended(); status != 0 || !strings.Contains(p.said.String(), "serves on https://") {
		t.Errorf("status %d: %s", status, p.said.String())
	}
}
