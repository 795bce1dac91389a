-- +goose Up

-- One row per profile, whatever its state. A deleted or expired profile keeps
-- its row, emptied of everything but id, state and times, so that its link
-- answers "gone" and its id is never given out again.
CREATE TABLE profile (
  id              TEXT PRIMARY KEY,            -- 128 random bits, base32, lower case, no padding
  name            TEXT NOT NULL,               -- as its uploader called it, or the first file's name
  project         TEXT NOT NULL,               -- empty: none
  state           TEXT NOT NULL CHECK (state IN ('received', 'decoding', 'ready', 'failed', 'expired', 'deleted')),
  visibility      TEXT NOT NULL CHECK (visibility IN ('listed', 'unlisted')),
  created_us      INTEGER NOT NULL,            -- microseconds since 1970, UTC
  updated_us      INTEGER NOT NULL,            -- of the state, in the same unit
  expires_us      INTEGER NOT NULL,            -- in the same unit; 0 keeps the profile
  delete_sha256   BLOB NOT NULL,               -- SHA-256 of the delete token; the token itself is stored nowhere
  digest          TEXT NOT NULL,               -- hex SHA-256 over the SHA-256 sums of the files, in order
  size            INTEGER NOT NULL,            -- bytes of all files
  kinds           TEXT NOT NULL DEFAULT '',    -- families that were found, separated by one space: 'instr memprof'
  describe        TEXT NOT NULL DEFAULT '',    -- format in one line, known once recognised
  format          TEXT NOT NULL DEFAULT '',    -- encoding, such as 'llvm-raw'
  version         INTEGER NOT NULL DEFAULT 0,  -- format version; 0 where there is none
  functions       INTEGER NOT NULL DEFAULT 0,  -- function records
  total           TEXT NOT NULL DEFAULT '',    -- sum of all counters, decimal: it can pass 64 bits
  spark           BLOB,                        -- distribution of the counters by magnitude, a byte a bar
  finding         TEXT NOT NULL DEFAULT '',    -- JSON: what stopped a failed profile, or its worst warning
  generation      INTEGER NOT NULL DEFAULT 0,  -- number in the name of the current profile file; 0 while there is none
  schema_version  INTEGER NOT NULL DEFAULT 0,  -- of the profile file's tables
  decoder_version INTEGER NOT NULL DEFAULT 0   -- of the decoders that made the file, or that failed
);
CREATE INDEX profile_listed ON profile (created_us DESC, id DESC) WHERE visibility = 'listed';
CREATE INDEX profile_expiry ON profile (expires_us) WHERE expires_us > 0;

-- The originals of each profile. An object whose last row goes is removed.
CREATE TABLE file (
  profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,                 -- order of decoding and of merging, from 0
  name       TEXT NOT NULL,                    -- as uploaded, or inside its archive
  sha256     TEXT NOT NULL,                    -- hex; names the object
  size       INTEGER NOT NULL,                 -- bytes
  pending    INTEGER NOT NULL DEFAULT 0,       -- 1 while it was added to a ready profile and is not decoded yet
  finding    TEXT NOT NULL DEFAULT '',         -- JSON: why an archive was kept packed
  PRIMARY KEY (profile_id, position)
) WITHOUT ROWID;
CREATE INDEX file_object ON file (sha256);

CREATE TABLE label (
  profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  PRIMARY KEY (profile_id, key)
) WITHOUT ROWID;
CREATE INDEX label_value ON label (key, value);

-- Work to do: a profile that waits to be decoded, or is being decoded. The row
-- goes in the transaction that makes the profile ready or failed, so a row that
-- is still 'running' at start was cut off and is taken up again.
CREATE TABLE job (
  id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice; the queue's order within a priority
  profile_id TEXT NOT NULL UNIQUE REFERENCES profile (id) ON DELETE CASCADE,
  state      TEXT NOT NULL CHECK (state IN ('queued', 'running')),
  priority   INTEGER NOT NULL,                 -- 0 for an upload, 1 for decoding again after an upgrade
  attempts   INTEGER NOT NULL DEFAULT 0,       -- times it was begun and cut off by the end of the process
  created_us INTEGER NOT NULL                  -- microseconds since 1970, UTC
);
