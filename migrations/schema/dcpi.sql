-- DCPI: samples of addresses, by image, event, epoch and host.
--
-- Addresses are u64; offsets count from base.

-- What was sampled: one row per program, library or kernel.
CREATE TABLE image(
  id         INTEGER PRIMARY KEY, -- from 1
  text_start INTEGER,             -- address of the text, u64; NULL where no header says it
  text_size  INTEGER NOT NULL,    -- bytes; 0: not known
  base       INTEGER NOT NULL,    -- address of offset 0, u64: text_start, or else where the symbols start
  symbols    INTEGER NOT NULL,    -- procedures that are known
  image      TEXT NOT NULL,       -- id, hexadecimal digits
  label      TEXT NOT NULL,       -- for people: the last part of the path
  listing    TEXT,                -- file that names the procedures; NULL for none
  paths      TEXT NOT NULL        -- where it was, a line each
);

-- One row per profile: one event of one image in one epoch on one host.
CREATE TABLE dcpi_profile(
  id          INTEGER PRIMARY KEY, -- from 1, in the order of the files
  image       INTEGER NOT NULL,    -- image.id
  period      INTEGER NOT NULL,    -- mean number of events between two samples, u64
  fraction    INTEGER NOT NULL,    -- 10,000 times the share of time in which the event was counted
  cpuspeed    INTEGER NOT NULL,    -- MHz, or Hz from a million on; 0: not known
  cpuamask    INTEGER,             -- architecture extensions, u64; NULL where not told
  cpuimplv    INTEGER,             -- implementation version
  cpucount    INTEGER,             -- processors
  chunks      INTEGER NOT NULL,    -- in the file
  addresses   INTEGER NOT NULL,    -- counts in the chunks, zero or not
  nonzero     INTEGER NOT NULL,    -- of those, above zero
  samples     INTEGER NOT NULL,    -- sum of the counts, u64
  stride      INTEGER NOT NULL,    -- bytes between the addresses of two counts
  first_block INTEGER NOT NULL,    -- sample_chunk.id of the first
  blocks      INTEGER NOT NULL,    -- rows of sample_chunk
  dump        INTEGER NOT NULL,    -- dump of dcpicat in the file, from 0
  header      INTEGER NOT NULL,    -- bytes before the samples; 0 for text of dcpicat
  version     TEXT NOT NULL,       -- as written; empty when there is none
  epoch       TEXT NOT NULL,       -- start, RFC 3339, UTC
  epoch_text  TEXT NOT NULL,       -- as written
  platform    TEXT NOT NULL,       -- host
  event       TEXT NOT NULL,
  file        TEXT NOT NULL
);

-- Every line of every header, in order.
CREATE TABLE header_line(
  id      INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL,       -- dcpi_profile.id
  offset  INTEGER NOT NULL,       -- in the file, bytes
  kind    TEXT NOT NULL,          -- required, optional, unknown
  key     TEXT NOT NULL,
  value   TEXT NOT NULL
);

-- The counts of a profile in blocks, by rising offset.
CREATE TABLE sample_chunk(
  id      INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL,       -- dcpi_profile.id
  first   INTEGER NOT NULL,       -- offset of the first count, bytes from image.base, u64
  last    INTEGER NOT NULL,       -- of the last one
  samples INTEGER NOT NULL,       -- sum
  counts  BLOB NOT NULL           -- vector of runs: bytes from the last count before, how many counts, and those, each a stride further
);

-- Procedures of the images, by address and then by name.
CREATE TABLE symbol(
  id      INTEGER PRIMARY KEY,
  image   INTEGER NOT NULL,       -- image.id
  address INTEGER NOT NULL,       -- u64
  size    INTEGER NOT NULL,       -- bytes; 0: up to the next one
  name                            -- TEXT when valid UTF-8, else BLOB
);

-- The source files that sampled code was compiled from, by an executable's debug info.
CREATE TABLE sample_file(
  id   INTEGER PRIMARY KEY,       -- from 1
  name NOT NULL                   -- as recorded: TEXT or BLOB
);

-- The source lines of addresses with samples, and of those where procedures begin: by image
-- and address.
CREATE TABLE sample_line(
  id    INTEGER PRIMARY KEY,
  image INTEGER NOT NULL,         -- image.id
  first INTEGER NOT NULL,         -- address, u64
  last  INTEGER NOT NULL,         -- address, inclusive: no such address between is of another line
  file  INTEGER NOT NULL,         -- sample_file.id
  line  INTEGER NOT NULL
);

-- One row per profile: one event of one image in one epoch on one host. events and cpu_seconds are
-- estimates; nonzero are addresses with samples.
CREATE VIEW dcpi_profile_view AS
SELECT p.id, i.label AS image, p.event, p.epoch, p.platform, p.samples, p.period,
  CASE WHEN p.fraction > 0 THEN CAST(p.samples AS REAL) * p.period * 10000 / p.fraction END AS events,
  CASE WHEN p.event = 'cycles' AND p.cpuspeed > 0 AND p.fraction > 0
    THEN CAST(p.samples AS REAL) * p.period * 10000 / p.fraction / p.cpuspeed / CASE WHEN p.cpuspeed < 1000000 THEN 1000000 ELSE 1 END END AS cpu_seconds,
  p.nonzero, p.stride, p.file
FROM dcpi_profile p JOIN image i ON i.id = p.image;
