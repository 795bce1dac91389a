-- Sample profiles: functions with their counts by line or probe, and what was inlined into
-- them.
--
-- Counts are u64. A place is a line, which counts from the declaration of the function or
-- is the number of a pseudo probe, and a discriminator.

-- What the profile is, and its figures: one row.
CREATE TABLE sample(
  id              INTEGER PRIMARY KEY,
  format          TEXT NOT NULL,    -- as in file.format
  version         INTEGER NOT NULL, -- 103 in LLVM's binary forms; 704, 1 or 2 in GCC's; 0 of text
  flags           INTEGER NOT NULL, -- bits: 1 partial, 2 calling contexts, 4 FS discriminators, 8 preinlined, 16 probes, 32 names as MD5, 64 with eight bytes each, 128 unique suffixes, 256 vtables, 512 attributes, 1024 compressed, 2048 split
  reader          INTEGER NOT NULL, -- newest release of LLVM that reads the file; 0 for today's
  entries         INTEGER NOT NULL, -- rows of sample_function
  functions       INTEGER NOT NULL, -- names with such rows
  sampled         INTEGER NOT NULL, -- names with counts of their own, inlined or not
  samples         INTEGER NOT NULL, -- of all counts: low 64 bits
  samples_high    INTEGER NOT NULL, -- bits above 2^64
  inlined         INTEGER NOT NULL, -- of these, counts of inlined functions
  inlined_high    INTEGER NOT NULL,
  max             INTEGER NOT NULL, -- the largest count
  max_name        INTEGER NOT NULL, -- sample_name.id of the function that it is in; 0 for none
  places          INTEGER NOT NULL, -- that have a count
  zero_places     INTEGER NOT NULL, -- of these, with 0
  one_places      INTEGER NOT NULL, -- of these, with 1
  targets         INTEGER NOT NULL, -- calls that were not inlined: a place and a function each
  hot_count       INTEGER NOT NULL, -- the smallest hot count, by the summary
  cold_count      INTEGER NOT NULL, -- the largest cold count
  own_summary     INTEGER NOT NULL, -- 1: the file has a summary; 0: it is computed
  sum_total       INTEGER NOT NULL, -- the summary: all samples
  sum_max         INTEGER NOT NULL, -- the largest count
  sum_head        INTEGER NOT NULL, -- the largest head
  sum_counts      INTEGER NOT NULL, -- counts
  sum_functions   INTEGER NOT NULL, -- functions
  symbols         INTEGER NOT NULL, -- rows of sample_symbol; -1 where the file has no list
  hashed          INTEGER NOT NULL, -- names of which only the hash is known
  named           INTEGER NOT NULL, -- of these, names that a program or a list of symbols gave back
  hashed_own      INTEGER NOT NULL, -- counts of functions that stay without a name
  heads           INTEGER NOT NULL, -- head samples of all functions
  head_functions  INTEGER NOT NULL, -- functions with head samples
  equal_heads     INTEGER NOT NULL, -- of these, functions with the commonest head
  empty_functions INTEGER NOT NULL, -- functions with a total and no count at any place
  empty_total     INTEGER NOT NULL, -- their totals
  odd_places      INTEGER NOT NULL, -- with offsets that stand for lines above the function
  unlisted        INTEGER NOT NULL, -- functions with counts that the list of symbols has not
  never           INTEGER NOT NULL, -- symbols of the list without any count
  programs        TEXT NOT NULL,    -- programs and lists of symbols that were given, a line each
  probes          INTEGER NOT NULL, -- functions of the programs with a pseudo-probe descriptor
  defined         INTEGER NOT NULL, -- functions that the programs define
  defined_sampled INTEGER NOT NULL  -- of these, functions with counts
);

-- The same counts by how their functions stand in the programs that were given.
CREATE TABLE sample_fit(
  id        INTEGER PRIMARY KEY,   -- 1 cannot be told, 2 same, 3 stale, 4 gone
  fit       TEXT NOT NULL,
  samples   INTEGER NOT NULL,
  functions INTEGER NOT NULL       -- with counts of their own
);

-- What counts make up each share of all samples.
CREATE TABLE sample_summary(
  id        INTEGER PRIMARY KEY,
  cutoff    INTEGER NOT NULL,      -- share, in millionths
  min_count INTEGER NOT NULL,      -- the smallest of these counts
  counts    INTEGER NOT NULL
);

-- The sections of an extensible file, in the order of its table.
CREATE TABLE sample_section(
  id     INTEGER PRIMARY KEY,
  type   INTEGER NOT NULL,
  name   TEXT NOT NULL,            -- as llvm-profdata calls it
  flags  TEXT NOT NULL,            -- as llvm-profdata calls them
  offset INTEGER NOT NULL,         -- in the file
  size   INTEGER NOT NULL
);

-- One row per name: of functions, of what they inlined and called, and of types.
CREATE TABLE sample_name(
  id         INTEGER PRIMARY KEY,  -- from 1
  guid       INTEGER NOT NULL,     -- first 8 MD5 bytes of the name, little-endian, u64
  name,                            -- linkage name: TEXT when valid UTF-8, else BLOB; NULL where only the hash is known
  given,                           -- the name that a program or a list of symbols has for the hash; NULL for none
  entries    INTEGER NOT NULL,     -- rows of sample_function
  total      INTEGER NOT NULL,     -- theirs, with all that they inlined
  head       INTEGER NOT NULL,
  entry      INTEGER NOT NULL,     -- entries, estimated
  body       INTEGER NOT NULL,     -- their own counts
  sum        INTEGER NOT NULL,     -- their counts, and those of what they inlined
  max        INTEGER NOT NULL,     -- the largest of these
  places     INTEGER NOT NULL,     -- that have one
  inlinees   INTEGER NOT NULL,     -- inlined into them, at any depth
  lost_unknown INTEGER NOT NULL,   -- of sum, counts of functions of which it cannot be told how they stand in the programs
  lost_stale INTEGER NOT NULL,     -- of sum, counts of functions that changed
  lost_gone  INTEGER NOT NULL,     -- of sum, counts of functions that are gone
  inlined    INTEGER NOT NULL,     -- own counts where it was inlined into others
  inlined_at INTEGER NOT NULL,     -- places where it was
  calls      INTEGER NOT NULL,     -- to it, that were not inlined
  callers    INTEGER NOT NULL,     -- places that call it so
  checksum   INTEGER NOT NULL,     -- of the control flow graph; 0 for none
  attributes INTEGER NOT NULL,     -- bits: 1 was inlined, 2 should be inlined, 4 is merged into the base profile
  fit        INTEGER NOT NULL,     -- sample_fit.id
  listed     INTEGER NOT NULL,     -- 1: in the list of symbols
  file,                            -- source file of its declaration; NULL where it is not known
  line       INTEGER NOT NULL      -- of its declaration; 0 where it is not known
);

-- One row per function or, with calling contexts, per context of one: by total.
CREATE TABLE sample_function(
  id         INTEGER PRIMARY KEY,  -- from 1
  name       INTEGER NOT NULL,     -- sample_name.id
  context    BLOB,                 -- vector: sample_name.id, offset and discriminator of each frame, outermost first; NULL for none
  total      INTEGER NOT NULL,
  head       INTEGER NOT NULL,
  entry      INTEGER NOT NULL,
  sum        INTEGER NOT NULL,     -- all counts, of inlined code too
  max        INTEGER NOT NULL,     -- the largest of them
  checksum   INTEGER NOT NULL,
  attributes INTEGER NOT NULL,
  body       BLOB NOT NULL         -- vector: number of records, each with offset, discriminator, count, number of targets, these with sample_name.id and count; number of inlined callees, each with offset, discriminator, sample_name.id, total, head, checksum, attributes, and a body as this one; number of vtables, each with offset, discriminator, sample_name.id and count
);

-- The symbols of the profiled program, sorted: of the list or, without one, of the programs given.
CREATE TABLE sample_symbol(
  id   INTEGER PRIMARY KEY,        -- from 1
  text NOT NULL,                   -- TEXT when valid UTF-8, else BLOB
  name INTEGER                     -- sample_name.id; NULL where the profile has nothing of it
);

-- One row per name. fid is its ID on pages and in the API; entries are rows of sample_function.
CREATE VIEW sample_name_view AS
SELECT n.id, printf('%016x', n.guid) AS fid, CAST(coalesce(n.name, n.given) AS TEXT) AS name, n.entries,
  printf('%u', n.total) AS total, printf('%u', n.head) AS head, printf('%u', n.body) AS body, printf('%u', n.inlined) AS inlined,
  printf('%u', n.max) AS max, n.inlinees, n.inlined_at, f.fit, CAST(n.file AS TEXT) AS file, n.line
FROM sample_name n JOIN sample_fit f ON f.id = n.fit;
