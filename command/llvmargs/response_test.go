package llvmargs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestResponseFiles: the arguments are those that LLVM 22 takes from such files.
func TestResponseFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"one":   "-a 'b c'\t\"d\\\"e\"\r\nf\\ g @two '' 'i\\'j' \\k",
		"two":   "\ufeff-h=@one\n",
		"empty": " \n",
		"loop":  "x @" + filepath.Join("folder", "..", "loop"),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Expand([]string{"report", "@one", "@empty", "@nothing", "x@one"})
	want := []string{"report", "-a", "b c", `d"e`, "f g", "-h=@one", "i'j", "k", "@nothing", "x@one"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for arg, says := range map[string]string{"@loop": "contains itself", "@folder": "directory"} {
		if _, err := Expand([]string{arg}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
