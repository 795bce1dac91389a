-- +goose Up

-- A job that runs belongs to one process, until its lease ends: then any may take it
-- over. Each time it is taken it gets another number, and results are only accepted
-- with the present one: who comes late changes nothing.
ALTER TABLE job ADD COLUMN holder TEXT NOT NULL DEFAULT '';             -- the process; empty while it waits
ALTER TABLE job ADD COLUMN lease_us INTEGER NOT NULL DEFAULT 0;         -- when that ends, in microseconds since 1970, UTC
ALTER TABLE job ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;            -- how often it was begun: the number
ALTER TABLE job ADD COLUMN progress TEXT NOT NULL DEFAULT '';           -- how far it has come, JSON

-- Versions of the program that asked for it: an older one leaves the job alone.
ALTER TABLE job ADD COLUMN schema_version INTEGER NOT NULL DEFAULT 0;   -- of profiles' tables
ALTER TABLE job ADD COLUMN decoder_version INTEGER NOT NULL DEFAULT 0;  -- of the decoders
CREATE INDEX job_next ON job (priority, attempts, id) WHERE state = 'queued';

-- The name of the file with a profile's tables; empty while there is none. No two
-- decodings ever use one name.
ALTER TABLE profile ADD COLUMN tables TEXT NOT NULL DEFAULT '';
UPDATE profile SET tables = id || '-' || generation || '.db' WHERE generation > 0;
ALTER TABLE profile DROP COLUMN generation;

-- What processes that share the catalog allowed each client lately, so that a rate
-- holds for all of them together. Rows of the last minute.
CREATE TABLE tally (
  client     TEXT NOT NULL,                    -- SHA-256 of the address, shortened
  process    TEXT NOT NULL,
  requests   INTEGER NOT NULL,                 -- counting up
  updated_us INTEGER NOT NULL,                 -- microseconds since 1970, UTC
  PRIMARY KEY (client, process)
) WITHOUT ROWID;
