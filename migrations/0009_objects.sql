-- +goose Up

-- Files in a bucket that several instances share. A key is written once and never used
-- again: it is 'arriving' while it is being uploaded, 'live' from the transaction that
-- first names what it holds, and 'condemned' by one that has seen that no profile has
-- it any more. Only then is it deleted, and the row after it. There are no rows where
-- files lie in the data folder.
CREATE TABLE object (
  key        TEXT PRIMARY KEY,                 -- in the bucket
  state      TEXT NOT NULL CHECK (state IN ('arriving', 'live', 'condemned')),
  sha256     TEXT NOT NULL,                    -- of an original, hex; empty for tables
  profile_id TEXT NOT NULL,                    -- of tables; empty for an original
  tables     TEXT NOT NULL,                    -- their name; empty for an original
  size       INTEGER NOT NULL,                 -- bytes
  blocks     BLOB,                             -- CRC-32C of each MiB of tables, 4 bytes each, little-endian
  changed_us INTEGER NOT NULL                  -- of the state; microseconds since 1970, UTC
) WITHOUT ROWID;
CREATE INDEX object_original ON object (sha256) WHERE sha256 <> '';
CREATE INDEX object_tables ON object (profile_id) WHERE profile_id <> '';
CREATE INDEX object_passing ON object (state) WHERE state <> 'live';
