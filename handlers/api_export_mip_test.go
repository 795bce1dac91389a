package handlers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestExportsOfMachineProfiles(t *testing.T) {
	l := startLive(t, nil)
	data, err := os.ReadFile("../decode/mip/testdata/merged/counts_a.mip")
	if err != nil {
		t.Fatal(err)
	}
	at := "/api/v1/profiles/" + l.put("counts_a.mip", data)["id"].(string)
	if got := l.ok(at + "/export/mip"); got.text() != string(data) {
		t.Error("it is written otherwise")
	}
	if got := l.ok(at + "/export/mip?layout=tool64"); len(got.text()) <= len(data) {
		t.Error("the layout of 64 bits is no longer")
	}
	var profile struct {
		Functions []struct{ Name string }
		Order     []int
	}
	if err := json.Unmarshal([]byte(l.ok(at+"/export/mip-json").text()), &profile); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, i := range profile.Order {
		want.WriteString(profile.Functions[i].Name + "\n")
	}
	if got := l.ok(at + "/export/order").text(); got != want.String() || got == "" {
		t.Errorf("order %q, want %q", got, want.String())
	}
	for _, format := range []string{"proftext", "profdata", "mip-json?run=1", "order?run=1"} {
		wantProblem(t, l.get(at+"/export/"+format), 404, "incompatible")
	}
	wantProblem(t, l.get(at+"/export/mip?layout=wide"), 400, "bad_parameter")

	other := "/api/v1/profiles/" + l.put("x.proftext", []byte("main\n1\n1\n1\n"))["id"].(string)
	for _, format := range []string{"mip", "mip-json"} {
		wantProblem(t, l.get(other+"/export/"+format), 404, "incompatible")
	}
}
