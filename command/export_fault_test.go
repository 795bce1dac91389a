package command

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A table of a part that could not be read is the fault of the file, as with
// every other form: status 1, and where it is.
func TestATableOfADamagedPartNamesTheFault(t *testing.T) {
	data, err := os.ReadFile("../profile/memprofdb/testdata/mem_instr_v3.profdata")
	if err != nil {
		t.Fatal(err)
	}
	heap := binary.LittleEndian.Uint64(data[40:])
	for i := heap + 8; i < heap+64; i++ {
		data[i] = 0xff
	}
	path := filepath.Join(t.TempDir(), "damaged.profdata")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"csv", "json", "ndjson"} {
		var out, said bytes.Buffer
		status := run(t.Context(), []string{"export", "-f", form, "-table", "allocations", path}, stdio{
			in: strings.NewReader(""), out: &out, err: &said,
		})
		if status != exitMalformed || !strings.Contains(said.String(), "at offset 0x") {
			t.Errorf("%s: status %d, %s", form, status, &said)
		}
	}
}
