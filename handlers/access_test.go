package handlers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// tokensOf are the tokens of a server's folder, as another process has them.
func tokensOf(t *testing.T, l *webtest.Server) *catalog.Tokens {
	t.Helper()
	list, err := catalog.OpenTokens(t.Context(), catalog.Place{Dir: filepath.Dir(l.Catalog.ObjectsDir())}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { list.Close() })
	return list
}

func newToken(t *testing.T, list *catalog.Tokens, name string, right catalog.Right) string {
	t.Helper()
	token, err := list.Add(t.Context(), name, right, 0)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

var asForm = []string{"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html"}

// A name that the server does not go by reaches nothing of it, whatever is asked.
func TestWrongHost(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	id := strings.TrimPrefix(path, "/api/v1/profiles/")
	ask := func(method, path, host string) *webtest.Answer {
		req, err := http.NewRequest(method, l.URL+path, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.Header.Set("Accept", "text/html")
		req.Header.Set("X-Forwarded-Host", "localhost")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var b bytes.Buffer
		b.ReadFrom(res.Body)
		return &webtest.Answer{Response: res, Bytes: b.Bytes()}
	}
	for _, call := range []string{"GET /", "GET /p/" + id, "GET " + path, "GET /api/v1/profiles",
		"GET " + path + "/original", "GET /static/app.js", "GET /metrics", "GET /version", "GET /docs",
		"POST /upload", "PUT /x.profraw", "POST /login", "DELETE " + path, "GET /nowhere"} {
		method, path, _ := strings.Cut(call, " ")
		a := ask(method, path, "evil.test:8080")
		p := webtest.Problem(t, a, http.StatusMisdirectedRequest, "wrong_host")
		if !strings.Contains(p["detail"].(string), "-host") || strings.Contains(a.Text(), id) ||
			strings.Contains(a.Text(), "profraw") || len(a.Cookies()) > 0 {
			t.Errorf("%s: %s", call, a.Text())
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := ask("GET", path, "10.0.0.1"); a.StatusCode != http.StatusOK {
			t.Errorf("a health check by another name: %s", a.Status)
		}
	}
	if a := ask("GET", "/", "localhost:1"); a.StatusCode != http.StatusOK {
		t.Errorf("by its own name: %s", a.Status)
	}
	if list := l.OK("/api/v1/profiles").Object(t); fmt.Sprint(list["total"]) != "1" {
		t.Errorf("%v profiles", list["total"])
	}
}

// Tokens made while the server runs close it at once, and stay closed without any.
func TestTokensOfTheCatalog(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	put := func(token string) int {
		return l.Do("PUT", "/api/v1/profiles/a.profraw", bytes.NewReader(raw), "Authorization", "Bearer "+token).StatusCode
	}
	if got := put(""); got != http.StatusCreated {
		t.Fatalf("an open server: %d", got)
	}
	list := tokensOf(t, l)
	ci, eyes := newToken(t, list, "ci", catalog.UploadRight), newToken(t, list, "eyes", catalog.ReadRight)
	for token, want := range map[string]int{"": 401, "wrong": 401, eyes: 401, ci: 201} {
		if got := put(token); got != want {
			t.Errorf("uploading with %.4q: %d, want %d", token, got, want)
		}
	}
	if !webtest.HasTestID(l.Page("/", 200), "drop") || !strings.Contains(l.OK("/").Text(), `name="upload_token"`) {
		t.Error("the page does not ask for a token")
	}
	if _, err := list.Revoke(t.Context(), "ci"); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", ci} {
		if got := put(token); got != http.StatusUnauthorized {
			t.Errorf("after the last upload token was revoked: %d", got)
		}
	}
	l.OK("/api/v1/profiles") // looking stays open
}

// An example is an upload the first time, and after that a link.
func TestExamplesNeedTheUploadToken(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.UploadToken = "sesame" })
	forms := webtest.All(l.Page("/", 200), func(n *html.Node) bool {
		return n.Data == "form" && strings.HasPrefix(webtest.Attr(n, "action"), "/samples/")
	})
	path := webtest.Attr(forms[0], "action")
	open := func(headers ...string) *webtest.Answer {
		return l.Do("POST", path, nil, append([]string{"Accept", "text/html"}, headers...)...)
	}
	if a := open(); a.StatusCode != http.StatusUnauthorized || !strings.Contains(a.Text(), `href="/login"`) {
		t.Fatalf("without a token: %s", a.Status)
	}
	if list := l.OK("/api/v1/profiles").Object(t); fmt.Sprint(list["total"]) != "0" {
		t.Error("an example was stored")
	}
	if a := open("Authorization", "Bearer sesame"); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("with the token: %s", a.Status)
	}
	if a := open(); a.StatusCode != http.StatusSeeOther {
		t.Errorf("one that is there: %s", a.Status)
	}
}

// The browser that uploaded may add files, salvage and delete without being asked; no
// other may, on an open server too.
func TestTheOwnerIsNotAsked(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	upload := func(headers ...string) (page, owner string) {
		body, ct := webtest.Form(t, "file:cut.profraw", string(raw[:4000]))
		a := l.Do("POST", "/api/v1/profiles", body, append([]string{"Content-Type", ct}, headers...)...)
		for _, c := range a.Cookies() {
			if c.Name == "proflens_owner" {
				if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/p/"+a.Object(t)["id"].(string) {
					t.Errorf("the owner's cookie: %v", c)
				}
				owner = c.Name + "=" + c.Value
			}
		}
		return "/p/" + a.Object(t)["id"].(string), owner
	}
	if _, owner := upload(); owner != "" {
		t.Error("a program got a cookie")
	}
	page, owner := upload("Origin", l.URL, "Accept", "application/json")
	if owner == "" {
		t.Fatal("the script of the page got no cookie")
	}
	_, stranger := upload("Origin", l.URL, "Accept", "application/json")
	for _, action := range []string{"/salvage", "/files", "/delete"} {
		send := func(cookie string) *webtest.Answer {
			body, ct := webtest.Form(t, "token", "", "salvage", "1", "file:more.profraw", string(raw))
			if action != "/files" {
				body, ct = bytes.NewBufferString("token="), "application/x-www-form-urlencoded"
			}
			return l.Do("POST", page+action, body, "Content-Type", ct, "Accept", "text/html", "Cookie", cookie)
		}
		if a := send(""); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s by anyone: %s", action, a.Status)
		}
		if a := send(stranger); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s by the owner of another profile: %s", action, a.Status)
		}
		if a := send(owner); a.StatusCode != http.StatusSeeOther {
			t.Errorf("%s by the owner: %s: %s", action, a.Status, a.Text())
		}
	}
}

// The field of a form opens too, if it stands before the files.
func TestAddingFilesByField(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := string(webtest.File(t, "ir_c.profraw"))
	p := l.Put("a.profraw", []byte(raw))
	page, token := "/p/"+p["id"].(string), p["delete_token"].(string)
	for _, test := range []struct {
		parts  []string
		status int
	}{
		{[]string{"file:b.profraw", raw}, http.StatusUnauthorized},
		{[]string{"token", "wrong", "file:b.profraw", raw}, http.StatusForbidden},
		{[]string{"file:b.profraw", raw, "token", token}, http.StatusUnauthorized},
		{[]string{"token", token, "file:b.profraw", raw}, http.StatusSeeOther},
	} {
		body, ct := webtest.Form(t, test.parts...)
		if a := l.Do("POST", page+"/files", body, "Content-Type", ct, "Accept", "text/html"); a.StatusCode != test.status {
			t.Errorf("%d parts: %s, want %d", len(test.parts)/2, a.Status, test.status)
		}
	}
	if got := l.OK("/api/v1/profiles/" + p["id"].(string)).Object(t)["inputs"].([]any); len(got) != 2 {
		t.Errorf("%d files", len(got))
	}
}

// A private server shows nothing to who has no token, and says how to come in.
func TestPrivate(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.Private = true; c.UploadToken = "sesame ; \"ouvre\"" })
	sesame := "Bearer sesame ; \"ouvre\""
	raw := webtest.File(t, "ir_c.profraw")
	id := l.Put("a.profraw", raw, "Authorization", sesame)["id"].(string)
	list := tokensOf(t, l)
	eyes := newToken(t, list, "eyes", catalog.ReadRight)
	paths := []string{"/", "/p/" + id, "/p/" + id + "/functions", "/p/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/api/v1/profiles",
		"/api/v1/profiles/" + id, "/api/v1/profiles/" + id + "/original",
		"/api/v1/openapi.json", "/metrics", "/version", "/docs", "/compare", "/nowhere"}
	for _, path := range paths {
		webtest.Problem(t, l.Get(path), http.StatusUnauthorized, "unauthorized")
		if a := l.Get(path, webtest.Terminal...); a.StatusCode != http.StatusUnauthorized ||
			!strings.Contains(a.Text(), "Authorization: Bearer") || !strings.Contains(a.Text(), "/login") {
			t.Errorf("%s: %s, it does not say how: %s", path, a.Status, a.Text())
		}
		a := l.Get(path, "Accept", "text/html")
		if a.StatusCode != http.StatusUnauthorized || !webtest.HasTestID(a.Parse(t), "login") ||
			strings.Contains(a.Text(), "profraw") {
			t.Errorf("%s to a browser: %s", path, a.Status)
		}
		for _, token := range []string{"Bearer wrong", "Basic " + eyes} {
			if a := l.Get(path, "Authorization", token); a.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s with %.8q: %s", path, token, a.Status)
			}
		}
	}
	for _, path := range []string{"/", "/p/" + id, "/api/v1/profiles/" + id, "/metrics"} {
		for _, token := range []string{"Bearer " + eyes, sesame} {
			l.OK(path, "Authorization", token)
		}
	}
	webtest.Problem(t, l.Do("PUT", "/api/v1/profiles/b.profraw", bytes.NewReader(raw), "Authorization", "Bearer "+eyes),
		http.StatusUnauthorized, "unauthorized")
	for _, path := range []string{"/healthz", "/readyz", "/login", "/static/app.js"} {
		if a := l.Get(path); a.StatusCode == http.StatusUnauthorized {
			t.Errorf("%s: %s", path, a.Status)
		}
	}

	// By the form, with any character in the token.
	for token, right := range map[string]int{"sesame+%3B+%22ouvre%22": http.StatusCreated, eyes: http.StatusUnauthorized} {
		a := l.Do("POST", "/login", strings.NewReader("token="+token+"&next=/p/"+id), asForm...)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/p/"+id || len(a.Cookies()) != 1 {
			t.Fatalf("logging in: %s to %q", a.Status, a.Header.Get("Location"))
		}
		c := a.Cookies()[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure {
			t.Errorf("the cookie: %v", c)
		}
		cookie := c.Name + "=" + c.Value
		doc := l.Page("/p/"+id, 200, "Cookie", cookie)
		if !webtest.HasTestID(doc, "logout") {
			t.Error("no way to log out")
		}
		if a := l.Do("PUT", "/api/v1/profiles/b.profraw", bytes.NewReader(raw), "Cookie", cookie); a.StatusCode != right {
			t.Errorf("uploading with the login: %s, want %d", a.Status, right)
		}
		webtest.Problem(t, l.Do("PUT", "/api/v1/profiles/b.profraw", bytes.NewReader(raw), "Cookie", cookie,
			"Sec-Fetch-Site", "same-site"), http.StatusForbidden, "cross_origin")
		if a := l.Do("POST", "/logout", nil, "Cookie", cookie); a.StatusCode != http.StatusSeeOther ||
			len(a.Cookies()) != 1 || a.Cookies()[0].MaxAge != -1 {
			t.Errorf("logging out: %s, %v", a.Status, a.Cookies())
		}
	}
	a := l.Do("POST", "/login", strings.NewReader("token="+eyes+"&next=//evil.test/"),
		append(asForm, "X-Forwarded-Proto", "https")...)
	if a.Header.Get("Location") != "/" || a.Cookies()[0].Secure {
		t.Errorf("it leads to %q; Secure by the word of a stranger: %t", a.Header.Get("Location"), a.Cookies()[0].Secure)
	}
	for _, refused := range [][]string{
		{"token=wrong", "", ""}, {"token=", "", ""}, {"token=" + eyes, "Sec-Fetch-Site", "cross-site"},
		{"token=" + eyes, "Origin", "http://evil.test"},
	} {
		headers := append([]string{refused[1], refused[2]}, asForm...)
		if refused[1] == "" {
			headers = asForm
		}
		if a := l.Do("POST", "/login", strings.NewReader(refused[0]), headers...); a.StatusCode != http.StatusForbidden ||
			len(a.Cookies()) > 0 {
			t.Errorf("%v: %s, %v", refused, a.Status, a.Cookies())
		}
	}

	// A revoked token ends the login that has it.
	in := l.Do("POST", "/login", strings.NewReader("token="+eyes), asForm...).Cookies()[0]
	l.OK("/", "Cookie", in.Name+"="+in.Value)
	list.Revoke(t.Context(), "eyes")
	if a := l.Get("/", "Cookie", in.Name+"="+in.Value); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("after it was revoked: %s", a.Status)
	}
}

// What the file system says of an unlisted profile's files has its id and the
// server's folders: neither stands in the log or in an answer.
func TestFaultsTellNoPathAndNoId(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, l *webtest.Server, id, sum string){
		"an original that cannot be read": func(t *testing.T, l *webtest.Server, _, sum string) {
			path := filepath.Join(l.Catalog.ObjectsDir(), sum[:2], sum)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil { // reading one fails, whoever asks
				t.Fatal(err)
			}
		},
		"tables that cannot be stored": func(t *testing.T, l *webtest.Server, id, _ string) {
			dir := filepath.Join(filepath.Dir(l.Catalog.ObjectsDir()), "profiles", id[:2], id+"-1-1.db")
			if err := os.MkdirAll(filepath.Join(dir, "in the way"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, service := webtest.Idle(t, nil)
			a := l.Do("PUT", "/api/v1/profiles/secret.profraw?visibility=unlisted&wait=0s",
				bytes.NewReader(webtest.File(t, "ir_c.profraw")))
			id := a.Object(t)["id"].(string)
			e, err := l.Catalog.Entry(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			damage(t, l, id, e.Files[0].SHA256)
			done := make(chan error, 1)
			go func() { done <- service.Run(t.Context()) }()
			api := "/api/v1/profiles/" + id
			for range 500 {
				if l.OK(api).Object(t)["status"] == "failed" {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			folder := filepath.Dir(l.Catalog.ObjectsDir())
			for _, path := range []string{
				api, api + "/diagnostics", api + "/functions", api + "/original", api + "/anatomy", api + "/export/proftext",
				"/p/" + id, "/p/" + id + "/raw", "/p/" + id + "/diagnostics", "/p/" + id + "/convert",
			} {
				for _, accept := range []string{"application/json", "text/html"} {
					if a := l.Get(path, "Accept", accept); strings.Contains(a.Text(), folder) ||
						strings.Contains(a.Text(), "/objects/") || strings.Contains(a.Text(), "/staging/") {
						t.Errorf("%s tells a path: %s", path, a.Text())
					}
				}
			}
			finding := l.OK(api + "/diagnostics").Object(t)["items"].([]any)[0].(map[string]any)
			if finding["code"] != "internal.disk" || !strings.Contains(fmt.Sprint(finding["remedy"]), "proflens check") {
				t.Errorf("the finding: %v", finding)
			}
			log := l.Log.String()
			if strings.Contains(log, id) {
				t.Errorf("the log names the unlisted profile:\n%s", log)
			}
			if !strings.Contains(log, "decoding failed") || !strings.Contains(log, "directory") &&
				!strings.Contains(log, "file exists") {
				t.Errorf("the log does not say why:\n%s", log)
			}
		})
	}
}

// Behind a proxy that is trusted and speaks TLS, cookies are for TLS alone and links
// have its scheme and host.
func TestBehindAProxyWithTLS(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) {
		c.UploadToken, c.Hosts.Names = "sesame", []string{"prof.example.org"}
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	})
	proxy := []string{"X-Forwarded-Proto", "https", "X-Forwarded-Host", "prof.example.org", "X-Forwarded-For", "192.0.2.9"}
	a := l.Do("POST", "/login", strings.NewReader("token=sesame"), append(proxy, asForm...)...)
	if len(a.Cookies()) != 1 || !a.Cookies()[0].Secure {
		t.Errorf("the login's cookie: %v", a.Cookies())
	}
	body, ct := webtest.Form(t, "upload_token", "sesame", "file:a.profraw", string(webtest.File(t, "ir_c.profraw")))
	a = l.Do("POST", "/upload", body, append(proxy, "Content-Type", ct, "Accept", "text/html")...)
	for _, c := range a.Cookies() {
		if !c.Secure || !c.HttpOnly {
			t.Errorf("the cookie %s: %v", c.Name, c)
		}
	}
	p := l.Do("PUT", "/api/v1/profiles/a.profraw", bytes.NewReader(webtest.File(t, "ir_c.profraw")),
		append(proxy, "Authorization", "Bearer sesame")...)
	if link := fmt.Sprint(p.Object(t)["link"]); !strings.HasPrefix(link, "https://prof.example.org/p/") ||
		p.Header.Get("Location") != link {
		t.Errorf("the link is %s", link)
	}
	// The origin of a form is compared with the host that the browser sees.
	if a := l.Do("POST", "/login", strings.NewReader("token=sesame"),
		append(append(proxy, asForm...), "Origin", "https://prof.example.org")...); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a form of our own page: %s", a.Status)
	}
}
