package cov

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// allowlists are the names that llvm-cov 22.1.8 shows with -name-allowlist=FILE, of a C
// program with the functions of testdata/regex.tsv; "refused" where it calls the file
// malformed and goes on without.
var allowlists = []struct{ list, shown string }{
	{"allowlist_fun:a*\n", "a ab aab abc_12 aaaa"},
	{"allowlist_fun:a?\n", "ab"},
	{"allowlist_fun:[ab]\n", "a b"},
	{"allowlist_fun:[^ab]\n", "d w"},
	{"allowlist_fun:[!ab]\n", "d w"},
	{"allowlist_fun:[a-c]*\n", "a ab aab abc_12 b aaaa"},
	{"allowlist_fun:[]a]\n", "a"},
	{"allowlist_fun:[a\n", "refused"},
	{"allowlist_fun:a\\\n", "refused"},
	{"allowlist_fun:{a,b}\n", "a b"},
	{"allowlist_fun:{a,b\n", "refused"},
	{"allowlist_fun:a,b\n", ""},
	{"allowlist_fun:{a,{b,w}}\n", "refused"},
	{"allowlist_fun:a=x\n", ""},
	{"allowlist_fun:\n", "refused"},
	{"allowlist_fun\n", "refused"},
	{"  allowlist_fun:ab  \n", "ab"},
	{" # x\nallowlist_fun:ab\n", "refused"},
	{"[llvm\nallowlist_fun:ab\n", "refused"},
	{"[llvmcov]\nallowlist_fun:ab\n", "ab"},
	{"[other]\nallowlist_fun:ab\n", ""},
	{"[*cov]\nallowlist_fun:ab\n", "ab"},
	{"[{llvmcov,x}]\nallowlist_fun:ab\n", "ab"},
	{"[[l]lvmcov]\nallowlist_fun:ab\n", "ab"},
	{"allowlist_fun:[\\]]*\n", ""},
	{"allowlist_fun:[a\\-z]*\n", "d a ab aab abc_12 b w s_s xx xyx aaaa dot_$x main"},
	{"allowlist_fun:dot_$x\n", "dot_$x"},
	{"allowlist_fun:dot_\\$x\n", "dot_$x"},
	{"whitelist_fun:ab\n", ""},
	{"fun:ab\n", ""},
	{"allowlist_fun:ab\n[x]\nallowlist_fun:a\n", "ab"},
	{"#!special-case-list-v1\nallowlist_fun:a(b|)*\n", "refused"},
	{"#!special-case-list-v1\nallowlist_fun:a*\n", "a ab aab abc_12 aaaa"},
	{"#!special-case-list-v1\nallowlist_fun:[[:upper:]]*\n", "A1b2 Z9"},
	{"#!special-case-list-v1\nallowlist_fun:(\n", "refused"},
	{"#!special-case-list-v1\n[llvm.*]\nallowlist_fun:ab\n", "ab"},
	{"#!special-case-list-v1\n[llvm*]\nallowlist_fun:ab\n", "ab"},
	{"#!special-case-list-v2\nallowlist_fun:a*\n", "a ab aab abc_12 aaaa"},
	{"#!special-case-list-v3\nallowlist_fun:a*\n", "a ab aab abc_12 aaaa"},
	{"#!special-case-list-v1x\nallowlist_fun:a.\n", "ab"},
	{"src:x\n", ""},
	{"allowlist_fun:[z-a]\n", "refused"},
	{"allowlist_fun:[a-]\n", "a"},
	{"allowlist_fun:{}\n", "refused"},
	{"allowlist_fun:{a}\n", "refused"},
	{"allowlist_fun:a**b\n", "ab aab"},
	{"allowlist_fun:[a-b-d]\n", "d a b"},
	{"allowlist_fun:*{b,2}\n", "ab aab abc_12 A1b2 b"},
	{"allowlist_fun:\\a\\b\n", "ab"},
	{"bad line\n", "refused"},
	{"allowlist_fun:ab\r\nallowlist_fun:a\r\n", "a ab"},
	{"allowlist_fun:[[:alpha:]]\n", ""},
	{"allowlist_fun:}a\n", ""},
	{"allowlist_fun:[{]\n", ""},
	{"allowlist_fun:{[a,b],w}\n", "a b w"},
	{"allowlist_fun:{,a}b\n", "ab b"},
}

func TestAllowlistsAreLLVMs(t *testing.T) {
	all := strings.Fields("d a ab aab abc_12 A1b2 b w s_s xx xyx aaaa dot_$x Z9 main")
	for _, test := range allowlists {
		name := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(name, []byte(test.list), 0o600); err != nil {
			t.Fatal(err)
		}
		allowed, err := allowlist([]string{name})
		if err != nil {
			if test.shown != "refused" {
				t.Errorf("%q: %v", test.list, err)
			}
			continue
		}
		var shown []string
		for _, name := range all {
			if allowed(name) {
				shown = append(shown, name)
			}
		}
		if got := strings.Join(shown, " "); got != test.shown {
			t.Errorf("%q: %q, for llvm-cov %q", test.list, got, test.shown)
		}
	}
}
