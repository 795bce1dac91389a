package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// bare is a server that receives a file, hashes it and has it on the disk when it
// answers: what any server has to do that promises to keep it.
type bare struct {
	url string
	dir string
	l   net.Listener
}

func serveBare() (*bare, error) {
	dir, err := os.MkdirTemp("", "bare-bench")
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	b := &bare{"http://" + l.Addr().String() + "/", dir, l}
	go http.Serve(l, b)
	return b, nil
}

func (b *bare) stop() {
	b.l.Close()
	os.RemoveAll(b.dir)
}

// ServeHTTP takes a file in and answers with its SHA-256.
func (b *bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sum, err := b.take(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	io.WriteString(w, sum)
}

func (b *bare) take(body io.Reader) (string, error) {
	f, err := os.CreateTemp(b.dir, "")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(f, h), body); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), f.Sync()
}

// upload sends a file and returns how long that took.
func (b *bare) upload(path string) (time.Duration, error) {
	start := time.Now()
	_, err := put(b.url, path)
	return time.Since(start), err
}
