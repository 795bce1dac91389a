package catalog

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func openTokens(t *testing.T, dir string, anew bool) *Tokens {
	t.Helper()
	list, err := OpenTokens(t.Context(), at(t, dir), anew)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { list.Close() })
	return list
}

func addToken(t *testing.T, list *Tokens, name string, right Right, lifetime time.Duration) string {
	t.Helper()
	token, err := list.Add(t.Context(), name, right, lifetime)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func wantRight(t *testing.T, s *Catalog, token string, want Right) {
	t.Helper()
	if got, err := s.RightOf(t.Context(), token); got != want || err != nil {
		t.Errorf("the token gives %q, %v; want %q", got, err, want)
	}
}

// Tokens are made and revoked while a server has the folder, and it knows at once.
func TestTokensWhileServing(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	if has, err := s.HasTokens(t.Context()); has || err != nil {
		t.Fatalf("a new folder has tokens: %v, %v", has, err)
	}
	list := openTokens(t, dir, false)
	ci, eyes := addToken(t, list, "ci", UploadRight, 0), addToken(t, list, "eyes", ReadRight, 0)
	if has, err := s.HasTokens(t.Context()); !has || err != nil {
		t.Errorf("the server does not see the tokens: %v, %v", has, err)
	}
	wantRight(t, s, ci, UploadRight)
	wantRight(t, s, eyes, ReadRight)
	for _, wrong := range []string{"", "ci", ci[1:], ci + "a"} {
		wantRight(t, s, wrong, NoRight)
	}
	if _, err := list.Add(t.Context(), "ci", ReadRight, 0); err == nil {
		t.Error("two tokens of one name")
	}
	if _, err := list.Add(t.Context(), "a b\x1b[2J", ReadRight, 0); !errors.Is(err, ErrTokenName) {
		t.Errorf("an odd name: %v", err)
	}

	// Revoked, it ends at once, and the last one leaves the server closed.
	if left, err := list.Revoke(t.Context(), "ci"); left != 0 || err != nil {
		t.Errorf("%d tokens left, %v", left, err)
	}
	if _, err := list.Revoke(t.Context(), "ci"); err == nil {
		t.Error("revoked twice")
	}
	list.Revoke(t.Context(), "eyes")
	wantRight(t, s, ci, NoRight)
	wantRight(t, s, eyes, NoRight)
	if has, err := s.HasTokens(t.Context()); !has || err != nil {
		t.Error("the server became open when its last token was revoked")
	}
	again := addToken(t, list, "ci", UploadRight, 0)
	wantRight(t, s, again, UploadRight)
	wantRight(t, s, ci, NoRight)
	if err := list.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if has, err := s.HasTokens(t.Context()); has || err != nil {
		t.Errorf("forgotten tokens keep the server closed: %v", err)
	}
}

// A token ends by itself, and its last use is noted once a minute.
func TestTokensExpireAndAreNoted(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	at := time.Now()
	s.now = func() time.Time { return at }
	list := openTokens(t, dir, false)
	token := addToken(t, list, "ci", UploadRight, 90*24*time.Hour)
	used := func() time.Time {
		all, err := list.List(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0].Used
	}
	if !used().IsZero() {
		t.Error("used before it was")
	}
	wantRight(t, s, token, UploadRight)
	first := used()
	at = at.Add(59 * time.Second)
	wantRight(t, s, token, UploadRight)
	if !used().Equal(first) {
		t.Error("noted twice in a minute")
	}
	at = at.Add(2 * time.Second)
	wantRight(t, s, token, UploadRight)
	if got := used(); !got.After(first) {
		t.Errorf("used %v, not noted after a minute", got)
	}
	at = at.Add(90 * 24 * time.Hour)
	wantRight(t, s, token, NoRight)
	if has, _ := s.HasTokens(t.Context()); !has {
		t.Error("the server became open when its last token expired")
	}
}

// The folder of a server that never ran can have a token before it is open; the
// token itself is nowhere in it, and looking makes nothing.
func TestTokensBeforeTheServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := OpenTokens(t.Context(), at(t, dir), false); err == nil && !onPostgres {
		t.Error("a list of no folder")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("looking made a folder")
	}
	list := openTokens(t, dir, true)
	token := addToken(t, list, "ci", UploadRight, 0)
	s := openStore(t, dir)
	wantRight(t, s, token, UploadRight)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(token)) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
