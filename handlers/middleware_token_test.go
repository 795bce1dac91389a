package handlers

import (
	"net/http/httptest"
	"testing"

	"proflens/handlers/site"
)

func TestMayUpload(t *testing.T) {
	for _, test := range []struct {
		token, header string
		want          bool
	}{
		{"", "", true},
		{"", "Bearer anything", true},
		{"secret", "", false},
		{"secret", "Bearer secret", true},
		{"secret", "bearer  secret ", true},
		{"secret", "Bearer secre", false},
		{"secret", "Bearer secrets", false},
		{"secret", "Bearer", false},
		{"secret", "Basic secret", false},
		{"secret", "secret", false},
	} {
		s := &server{Site: &site.Site{Config: site.Config{UploadToken: test.token}}}
		r := httptest.NewRequest("PUT", "/x", nil)
		if test.header != "" {
			r.Header.Set("Authorization", test.header)
		}
		if got := s.mayUpload(r); got != test.want {
			t.Errorf("token %q, Authorization %q: %t", test.token, test.header, got)
		}
	}
	if (&server{Site: &site.Site{}}).isUploadToken("") {
		t.Error("without an upload token, the empty one would delete")
	}
}
