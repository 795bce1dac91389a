-- A profile's own file: schema version 4.
--
-- The file is written once, in one go, and never changes: to have it newer is
-- to decode the originals again. Open it with any sqlite3.
--
-- u64 counts are stored as the two's-complement int64 of the same bits, since
-- SQLite's integers are signed: print them with printf('%u', x), as the views
-- do, and do not ORDER BY them. Blobs named as vectors hold unsigned LEB128
-- numbers one after another (seven bits a byte, least significant first, the
-- top bit set on all bytes but a number's last) unless said otherwise.

-- Facts about the whole profile.
CREATE TABLE meta(
  key   TEXT NOT NULL,            -- schema, file_id, describe, format, …: one row each; part, family, flag and partial
                                  -- have a row for each value
  value                           -- TEXT, INTEGER (u64 as int64) or BLOB
);

-- The files that the profile was decoded from.
CREATE TABLE file(
  id       INTEGER PRIMARY KEY,   -- from 1, in the order they were given
  name     TEXT NOT NULL,
  sha256   TEXT NOT NULL,         -- hex, of the bytes as they came
  size     INTEGER NOT NULL,      -- bytes, unpacked
  describe TEXT NOT NULL,         -- as recognised: "LLVM raw v8, 64-bit, …"
  format   TEXT NOT NULL,         -- such as llvm-raw
  version  INTEGER NOT NULL       -- of the format; 0 for text
);

-- The parts of those files.
CREATE TABLE section(
  id     INTEGER PRIMARY KEY,     -- in file order, file after file
  file   INTEGER NOT NULL,        -- file.id
  name   TEXT NOT NULL,
  offset INTEGER NOT NULL,        -- bytes from the start of the file, u64
  size   INTEGER NOT NULL,        -- bytes, u64
  note   TEXT NOT NULL
);

-- What decoding had to say.
CREATE TABLE finding(
  id       INTEGER PRIMARY KEY,
  severity TEXT NOT NULL,         -- error, warning, note
  code     TEXT NOT NULL,         -- stable, such as raw.truncated
  kind     TEXT NOT NULL,         -- the kind of a fault, such as truncated; or empty
  file     TEXT NOT NULL,
  section  TEXT NOT NULL,
  field    TEXT NOT NULL,
  offset   INTEGER NOT NULL,      -- bytes from the start of the file, u64
  expected TEXT NOT NULL,
  found    TEXT NOT NULL,
  message  TEXT NOT NULL,
  cause    TEXT NOT NULL,
  remedy   TEXT NOT NULL,
  count    INTEGER NOT NULL       -- records it concerns, when more than one
);

-- Build IDs of the profiled binaries.
CREATE TABLE binary_id(
  id    INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
);

-- The text of sources that the programs hold, by -gembed-source.
CREATE TABLE embedded_source(
  id   INTEGER PRIMARY KEY,       -- from 1, in the order of the programs
  name TEXT NOT NULL,             -- as the debug info has it
  text BLOB NOT NULL              -- deflated (RFC 1951)
);
