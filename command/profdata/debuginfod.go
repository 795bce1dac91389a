package profdata

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// serverTimeout is how long a debuginfod server may take, unless DEBUGINFOD_TIMEOUT says seconds.
const serverTimeout = 90 * time.Second

// debuginfod is the debug info of the program with a build ID, as a file: of LLVM's cache
// (DEBUGINFOD_CACHE_PATH), or of the first server in DEBUGINFOD_URLS that has it, then in the cache.
// warn is told of lines in DEBUGINFOD_HEADERS_FILE that are no header.
func debuginfod(ctx context.Context, id string, warn func(string)) (file string, err error) {
	dir := os.Getenv("DEBUGINFOD_CACHE_PATH")
	if dir == "" {
		if dir, err = os.UserCacheDir(); err != nil {
			return "", err
		}
		dir = filepath.Join(dir, "llvm-debuginfod", "client")
	}
	path := "buildid/" + id + "/debuginfo"
	file = filepath.Join(dir, "llvmcache-"+strconv.FormatUint(xxh3.HashString(path), 10))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	client := &http.Client{Timeout: serverTimeout}
	if seconds, err := strconv.Atoi(strings.TrimSpace(os.Getenv("DEBUGINFOD_TIMEOUT"))); err == nil {
		client.Timeout = time.Duration(seconds) * time.Second
	}
	why := "no server of DEBUGINFOD_URLS has the program"
	for server := range strings.FieldsSeq(os.Getenv("DEBUGINFOD_URLS")) {
		err := download(ctx, client, strings.TrimSuffix(server, "/")+"/"+path, file, warn)
		if err == nil {
			return file, nil
		}
		why += "; " + err.Error()
	}
	return "", errors.New(why)
}

// download puts what a server has at an address into a file, whole or not at all.
func download(ctx context.Context, client *http.Client, url, file string, warn func(string)) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	addHeaders(request.Header, warn)
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(file), "part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = io.Copy(part, answer.Body)
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}

// addHeaders adds those of DEBUGINFOD_HEADERS_FILE, of which each line is one.
func addHeaders(h http.Header, warn func(string)) {
	file := os.Getenv("DEBUGINFOD_HEADERS_FILE")
	if file == "" {
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return // LLVM's tools ask without
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		name, value, _ := strings.Cut(lines.Text(), ":")
		switch {
		case name != "" && value != "" && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }):
			h.Add(name, strings.TrimSpace(value))
		case strings.TrimSpace(lines.Text()) != "":
			warn(fmt.Sprintf("could not parse debuginfod header: %s:%d", file, n))
		}
	}
}
