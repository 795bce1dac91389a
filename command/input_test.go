package command

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A limit that a command has no flag for is told without one: the server's flags have no
// effect here.
func TestLimitsOfCommandsNameNoFlag(t *testing.T) {
	data := make([]byte, 1<<10)
	for range maxDepth + 1 {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		w.Close()
		data = b.Bytes()
	}
	path := filepath.Join(t.TempDir(), "deep.gz")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := readInputs(t.Context(), []string{path}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "at most 4 layers") || strings.Contains(err.Error(), " -") {
		t.Errorf("%v", err)
	}
}
