package memprofdb_test

import (
	"strings"
	"testing"

	"proflens/profile/memprofdb"
)

// A function without a name is called by what is known of it.
func TestNamesOfHeapFunctions(t *testing.T) {
	modules := []memprofdb.Module{
		{Path: "/bin/app", File: "app.exe"}, {File: "app.exe"}, {BuildID: []byte{0xab, 0xcd}}, {Index: 3},
	}
	for i, want := range []string{"/bin/app", "app.exe", "abcd", "module 3"} {
		if got := modules[i].String(); got != want {
			t.Errorf("module %d is %q", i, got)
		}
	}
	of := func(change func(f *memprofdb.Function)) string {
		f := &memprofdb.Function{Module: -1}
		change(f)
		return f.Label(strings.ToUpper)
	}
	for got, want := range map[string]string{
		of(func(f *memprofdb.Function) { f.Name, f.GUID = "main", 1 }):          "MAIN",
		of(func(f *memprofdb.Function) { f.GUID = 0xff }):                       "0x00000000000000ff",
		of(func(f *memprofdb.Function) { f.In, f.Address = &modules[1], 0x10 }): "app.exe+0x10",
		of(func(f *memprofdb.Function) { f.Module, f.Address = 99, 0x20 }):      "0x20",
		of(func(f *memprofdb.Function) {}):                                      "[unknown]",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
