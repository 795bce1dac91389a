package views

import "testing"

// A narrow cell breaks a name between its words, and is never HTML of the file.
func TestNamesBreakBetweenWords(t *testing.T) {
	for place, want := range map[string]string{
		"version_edit.cc:179":       "version_<wbr>edit<wbr>.cc<wbr>:179",
		"GeneralPanelKernel.h:2339": "General<wbr>Panel<wbr>Kernel<wbr>.h<wbr>:2339",
		"a-b<script>.c:1":           "a-<wbr>b&lt;script&gt;<wbr>.c<wbr>:1",
		"_M_range_insert":           "_<wbr>M_<wbr>range_<wbr>insert",
		"größe.c:7":                 "größe<wbr>.c<wbr>:7",
		"operator v9::view":         "operator v9<wbr>::view",
		"":                          "",
	} {
		if got := breakable(place); got != want {
			t.Errorf("%q breaks as %q, want %q", place, got, want)
		}
	}
}
