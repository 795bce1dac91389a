package catalog

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"proflens/catalog/engine"
)

// Token is what is known of a token; the token itself is shown once, when it is
// made. Times are zero for "never".
type Token struct {
	Name                            string
	Right                           Right
	Created, Expires, Used, Revoked time.Time
}

// Valid reports whether the token opens anything at a time.
func (t *Token) Valid(now time.Time) bool {
	return t.Revoked.IsZero() && (t.Expires.IsZero() || t.Expires.After(now))
}

// Tokens is the list of tokens of a data folder, which a server may be serving
// meanwhile: SQLite lets two processes write in turn, and the folder's lock is not
// needed.
type Tokens struct {
	db  *engine.DB
	now func() time.Time
}

// OpenTokens opens the tokens of a place. anew makes a folder that is not
// there yet, so that a server is never open, not even for its first minute. It
// returns *NoCatalogError and *NewerError as Open does.
func OpenTokens(ctx context.Context, place Place, anew bool) (*Tokens, error) {
	place, err := place.absolute()
	if err != nil {
		return nil, err
	}
	db, err := place.open(ctx, engine.Change)
	if err != nil {
		return nil, err
	}
	schema, err := preflight(ctx, place, db, false)
	if err == nil && schema == 0 && !anew {
		err = fmt.Errorf("data folder %s: there is no %s; -data names the folder of the server", place.Dir, place)
	}
	if err == nil && schema < engine.Newest() { // made or brought up as a server does it
		var c *Catalog
		if c, err = Open(ctx, place); err == nil {
			err = c.Close()
		}
	}
	if err == nil {
		err = place.present(ctx, db)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Tokens{db, db.Now}, nil
}

// Close closes the list.
func (t *Tokens) Close() error { return t.db.Close() }

var tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// ErrTokenName is returned for a name that a token cannot have.
var ErrTokenName = errors.New("a token's name has 1 to 64 letters, digits, and . _ @ - between them")

// Add makes a token, for lifetime, or until it is revoked where that is 0. The name
// of a revoked or expired one can be given again.
func (t *Tokens) Add(ctx context.Context, name string, right Right, lifetime time.Duration) (token string, err error) {
	if !tokenName.MatchString(name) {
		return "", ErrTokenName
	}
	now := t.now().UnixMicro()
	var expires int64
	if lifetime > 0 {
		expires = now + lifetime.Microseconds()
	}
	token = newSecret()
	n, err := engine.ExecCount(ctx, t.db.Write, `INSERT INTO token (name, sha256, rights, created_us, expires_us)
		VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, rights = excluded.rights, created_us = excluded.created_us,
			expires_us = excluded.expires_us, used_us = 0, revoked_us = 0
		WHERE token.revoked_us > 0 OR token.expires_us > 0 AND token.expires_us <= excluded.created_us`, name, hashToken(token), right, now, expires)
	if err == nil && n == 0 {
		err = fmt.Errorf("a token called %s exists; revoke it first, or choose another name", name)
	}
	if err != nil {
		return "", err
	}
	return token, nil
}

// List is all tokens by name, those that have ended too.
func (t *Tokens) List(ctx context.Context) (list []Token, err error) {
	var k Token
	var created, expires, used, revoked int64
	err = engine.Each(ctx, t.db.Write, []any{&k.Name, &k.Right, &created, &expires, &used, &revoked}, func() {
		k.Created, k.Expires, k.Used, k.Revoked = microTime(created), microTime(expires), microTime(used), microTime(revoked)
		list = append(list, k)
	}, `SELECT name, rights, created_us, expires_us, used_us, revoked_us FROM token ORDER BY name`)
	return list, err
}

// Revoke ends a token at once and returns how many are left that can upload.
func (t *Tokens) Revoke(ctx context.Context, name string) (left int, err error) {
	now := t.now().UnixMicro()
	n, err := engine.ExecCount(ctx, t.db.Write, `UPDATE token SET revoked_us = ?
		WHERE name = ? AND revoked_us = 0`, now, name)
	if err == nil && n == 0 {
		err = fmt.Errorf("there is no token called %q to revoke", name)
	}
	if err != nil {
		return 0, err
	}
	list, err := t.List(ctx)
	for i := range list {
		if list[i].Right == UploadRight && list[i].Valid(time.UnixMicro(now)) {
			left++
		}
	}
	return left, err
}

// Forget removes all tokens, those that are valid too. Without any, uploading
// needs none.
func (t *Tokens) Forget(ctx context.Context) error {
	return engine.Exec(ctx, t.db.Write, `DELETE FROM token`)
}

// microTime is a time of the catalog, zero for 0.
func microTime(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us)
}
