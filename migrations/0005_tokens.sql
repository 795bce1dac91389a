-- +goose Up

-- Tokens of people and machines that may upload, or only look. While there is a
-- row, revoked ones too, nobody uploads without a token.
CREATE TABLE token (
  name       TEXT PRIMARY KEY,                 -- who has it
  sha256     BLOB NOT NULL,                    -- of the token, which is stored nowhere
  rights     TEXT NOT NULL CHECK (rights IN ('read', 'upload')),
  created_us INTEGER NOT NULL,                 -- microseconds since 1970, UTC, as all below
  expires_us INTEGER NOT NULL,                 -- 0: never
  used_us    INTEGER NOT NULL DEFAULT 0,       -- to the minute; 0: never
  revoked_us INTEGER NOT NULL DEFAULT 0        -- 0: valid
) WITHOUT ROWID;
