package handlers_test

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// aCommand is a command line that a text offers, to the end of the line.
var aCommand = regexp.MustCompile(`curl .*`)

// What a private server offers to be typed works there: each command sends the token of
// whoever types it, and none has it in it.
func TestCommandsOfAPrivateServerSendAToken(t *testing.T) {
	const token = "sesame"
	l := webtest.Start(t, func(c *site.Config) { c.Private = true; c.UploadToken = token })
	asked := append([]string{"Authorization", "Bearer " + token}, webtest.Terminal...)
	raw := webtest.File(t, "ir_c.profraw")
	receipt := l.Do("PUT", "/a.profraw", bytes.NewReader(raw), asked...)
	if receipt.StatusCode != http.StatusCreated {
		t.Fatal(receipt.Status, receipt.Text())
	}
	id := fmt.Sprint(l.Put("b.profraw", raw, "Authorization", "Bearer "+token)["id"])
	texts := map[string]string{"the receipt": receipt.Text()}
	for _, path := range []string{
		"/", webtest.Page(id), webtest.API(id) + "?format=text", webtest.API(id) + "/convert?format=text",
		"/compare/" + id + "..." + id,
	} {
		texts[path] = l.OK(path, asked...).Text()
	}
	for _, path := range []string{"/docs/api", "/docs/sqlite"} {
		texts[path] = html.UnescapeString(l.OK(path, "Authorization", "Bearer "+token).Text())
	}
	for at, text := range texts {
		commands := aCommand.FindAllString(text, -1)
		if len(commands) == 0 {
			t.Errorf("%s offers no command:\n%s", at, text)
		}
		for _, c := range commands {
			if !strings.HasPrefix(c, `curl -H "Authorization: Bearer $PROFLENS_TOKEN" `) {
				t.Errorf("%s: %s", at, c)
			}
		}
		if strings.Contains(text, token) {
			t.Errorf("%s has the token", at)
		}
	}
}
