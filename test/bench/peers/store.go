package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// uploaded sends a file and waits until everything of it is stored.
func (s *server) uploaded(path string) (id string, err error) {
	if id, err = s.upload(path); err != nil {
		return "", err
	}
	return id, s.until("/api/v1/profiles/"+id, `"status":"ready"`)
}

// taken uploads a file to an empty server, and measures the memory that this takes and the
// bytes that are kept of it, the original among them.
func (b bench) taken(s *server, path string) (id string, err error) {
	done, peak := make(chan struct{}), make(chan resident)
	go func() { peak <- s.watch(done) }()
	id, err = s.uploaded(path)
	close(done)
	most := <-peak
	if err != nil {
		return "", err
	}
	if most.own > 0 {
		b.row(takenIn, "", memory, float64(most.own), 0)
		b.row(takenIn+", with mapped files", "", memory, float64(most.all), 0)
	}
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	kept, err := s.kept()
	b.row(storedBytes, "the file", stored, float64(kept), float64(st.Size()))
	return id, err
}

// watch returns the most memory that the server and its children have together until done.
func (s *server) watch(done <-chan struct{}) resident { return watch(s.cmd.Process.Pid, done) }

// kept is what a server has stored of profiles.
func (s *server) kept() (bytes int64, err error) {
	for _, of := range []string{"objects", "profiles"} {
		err = filepath.WalkDir(filepath.Join(s.dir, of), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				bytes += info.Size()
			}
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	return bytes, nil
}

// small measures what a server keeps of a profile of two functions.
func (b bench) small(dir string) error {
	path := filepath.Join(dir, "two.proftext")
	text := ":ir\n" + strings.Join([]string{"main\n1\n2\n1\n5\n", "other\n2\n1\n7\n"}, "\n")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	s, err := b.serve()
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := s.uploaded(path); err != nil {
		return err
	}
	kept, err := s.kept()
	b.begin(twoFunctions, "a profile of two functions")
	b.row(storedBytes, "", stored, float64(kept), 0)
	return err
}

// watched is how often memory is looked at.
const watched = 10 * time.Millisecond
