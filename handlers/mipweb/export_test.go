package mipweb_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

func TestExportsOfMachineProfiles(t *testing.T) {
	l := webtest.Start(t, nil)
	data, err := os.ReadFile(webtest.Root() + "/decode/mip/testdata/merged/counts_a.mip")
	if err != nil {
		t.Fatal(err)
	}
	at := "/api/v1/profiles/" + l.Put("counts_a.mip", data)["id"].(string)
	if got := l.OK(at + "/export/mip"); got.Text() != string(data) {
		t.Error("it is written otherwise")
	}
	if got := l.OK(at + "/export/mip?layout=tool64"); len(got.Text()) <= len(data) {
		t.Error("the layout of 64 bits is no longer")
	}
	var profile struct {
		Functions []struct{ Name string }
		Order     []int
	}
	if err := json.Unmarshal([]byte(l.OK(at+"/export/mip-json").Text()), &profile); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, i := range profile.Order {
		want.WriteString(profile.Functions[i].Name + "\n")
	}
	if got := l.OK(at + "/export/order").Text(); got != want.String() || got == "" {
		t.Errorf("order %q, want %q", got, want.String())
	}
	for _, format := range []string{"proftext", "profdata", "mip-json?run=1", "order?run=1"} {
		webtest.Problem(t, l.Get(at+"/export/"+format), 404, "incompatible")
	}
	webtest.Problem(t, l.Get(at+"/export/mip?layout=wide"), 400, "bad_parameter")

	other := "/api/v1/profiles/" + l.Put("x.proftext", []byte("main\n1\n1\n1\n"))["id"].(string)
	for _, format := range []string{"mip", "mip-json"} {
		webtest.Problem(t, l.Get(other+"/export/"+format), 404, "incompatible")
	}
}
