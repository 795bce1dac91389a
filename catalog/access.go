package catalog

import (
	"context"
	"crypto/subtle"
	"time"

	"proflens/catalog/engine"
)

// Right is what a token allows.
type Right string

// The rights. Who may upload may also look, delete, and add files to any profile.
const (
	NoRight     Right = ""
	ReadRight   Right = "read"
	UploadRight Right = "upload"
)

// usedEvery is how exactly the last use of a token is known: each note of it is
// a write.
const usedEvery = time.Minute

// HasTokens reports whether a token was ever made for this data folder and not
// forgotten since. Revoked and expired ones count: a server does not become open
// because its last token has ended.
func (s *Catalog) HasTokens(ctx context.Context) (has bool, err error) {
	has, err = engine.One[bool](ctx, s.db.Read, `SELECT EXISTS (SELECT 1 FROM token)`)
	return has || err != nil, err
}

// RightOf returns what a token allows, NoRight for one that is unknown, revoked or
// expired. Another process may make and revoke tokens meanwhile.
func (s *Catalog) RightOf(ctx context.Context, token string) (Right, error) {
	now := s.now().UnixMicro()
	name, right, used, err := s.findToken(ctx, hashToken(token), now)
	if err != nil || right == NoRight || now-used < usedEvery.Microseconds() {
		return right, err
	}
	// A note that cannot be written, on a full disk, keeps nobody out.
	_ = s.update(context.WithoutCancel(ctx), recoverable, func(tx *engine.Tx) {
		tx.Exec(`UPDATE token SET used_us = ? WHERE name = ?`, tx.Now, name)
	})
	return right, nil
}

// findToken compares with every token, in a time that does not say how near a
// guess is.
func (s *Catalog) findToken(ctx context.Context, hash []byte,
	now int64) (name string, right Right, used int64, err error) {
	var n string
	var h []byte
	var r Right
	var u int64
	err = engine.Each(ctx, s.db.Read, []any{&n, &h, &r, &u}, func() {
		if subtle.ConstantTimeCompare(h, hash) == 1 {
			name, right, used = n, r, u
		}
	}, `SELECT name, sha256, rights, used_us FROM token
		WHERE revoked_us = 0 AND (expires_us = 0 OR expires_us > ?)`, now)
	if err != nil {
		return "", NoRight, 0, err
	}
	return name, right, used, nil
}
