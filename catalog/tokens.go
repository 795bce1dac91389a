package catalog

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"

	"proflens/catalog/engine"
)

// secretBits is the randomness of ids and delete tokens: neither can be
// guessed.
const secretBits = 128

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// newSecret returns 128 random bits in lower-case base32: 26 letters and digits.
func newSecret() string {
	var b [secretBits / 8]byte
	rand.Read(b[:]) // never fails
	return base32Lower.EncodeToString(b[:])
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// CheckDeleteToken reports whether token is the one that was given out with
// the profile. It returns ErrNotFound and *GoneError as Entry does.
func (s *Catalog) CheckDeleteToken(ctx context.Context, id, token string) (bool, error) {
	if _, err := s.Entry(ctx, id); err != nil {
		return false, err
	}
	want, err := engine.One[[]byte](ctx, s.db.Read, `SELECT delete_sha256 FROM profile WHERE id = ?`, id)
	return err == nil && subtle.ConstantTimeCompare(want, hashToken(token)) == 1, err
}
