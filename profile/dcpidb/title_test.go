package dcpidb

import (
	"strings"
	"testing"

	"proflens/decode/dcpi"
)

// A database is named by what is known of it, and never by more than fits.
func TestTitle(t *testing.T) {
	profile := func(image int, samples uint64, host, start string) dcpi.Profile {
		return dcpi.Profile{ImageIndex: image, Samples: samples, Header: dcpi.Header{Platform: host, Start: start}}
	}
	of := func(images []string, profiles ...dcpi.Profile) *dcpi.Database {
		d := &dcpi.Database{Files: []dcpi.File{{Profiles: profiles}}}
		for _, label := range images {
			d.Images = append(d.Images, dcpi.Image{Label: label})
		}
		return d
	}
	long := strings.Repeat("é", 200)
	for _, c := range []struct {
		of   *dcpi.Database
		want string
	}{
		{of(nil), ""},
		{of([]string{"app"}, profile(0, 1, "walnut", "1997-11-04T09:00:00Z")), "app on walnut, 1997-11-04"},
		{
			of([]string{"libc", "app"}, profile(0, 1, "walnut", "1997-11-05T09:00:00Z"),
				profile(1, 2, "pecan", "1997-11-04T09:00:00Z")),
			"app and another image on pecan and walnut, 1997-11-04 to 1997-11-05",
		},
		{
			of([]string{"a", "b", "c"}, profile(0, 1, "x", "d"), profile(0, 1, "y", "d"), profile(0, 1, "z", "d")),
			"a and 2 more images on 3 hosts, d",
		},
		{of([]string{long[:60]}, profile(0, 1, "walnut", "d")), long[:60] + " on walnut, d"},
		{of([]string{"app"}), ""},
		{of([]string{long}, profile(0, 1, long, "d")), strings.Repeat("é", 30) + "… on " + strings.Repeat("é", 30) + "…, d"},
	} {
		if got := title(c.of); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
