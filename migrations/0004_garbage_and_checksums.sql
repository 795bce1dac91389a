-- +goose Up

-- Originals whose last profile was deleted, and whose files are still to be
-- removed. At start these go, and no others: an original that the catalog does
-- not know is put aside.
CREATE TABLE garbage (
  sha256 TEXT PRIMARY KEY                      -- hex; names the object
) WITHOUT ROWID;

-- CRC-32C of the profile's own file; NULL while there is none, and where the
-- file is older than this column.
ALTER TABLE profile ADD COLUMN tables_crc INTEGER;

-- 1 where the finding says why files were refused that were given to a profile
-- which is ready.
ALTER TABLE profile ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
