-- Source coverage: files and functions of a program's coverage mapping, joined with the
-- counters.
--
-- In each pair of columns x and x_covered the first is how many there are, the second
-- how many of them ran. best: a template's instances count as the largest does in each
-- number, as llvm-cov counts; union: what ran in any instance ran.

-- The whole: one row.
CREATE TABLE coverage(
  id             INTEGER PRIMARY KEY,
  single_byte    INTEGER NOT NULL, -- 1: counts say whether, not how often
  foreign_records INTEGER NOT NULL, -- records of the profile with names that no object has
  records        INTEGER NOT NULL, -- records of the profile
  joined         INTEGER NOT NULL, -- functions that have a record
  prefix         TEXT NOT NULL     -- what all file names begin with
);

-- One row per program, library, object file and member of an archive.
CREATE TABLE coverage_object(
  id        INTEGER PRIMARY KEY,  -- from 1
  name      TEXT NOT NULL,
  version   INTEGER NOT NULL,     -- of the mapping, 1 to 7
  build_id  BLOB,                 -- NULL for none
  functions INTEGER NOT NULL,     -- function records, those that did not fit among them
  damaged   INTEGER NOT NULL      -- records that could not be read
);

-- One row per source file, by name.
CREATE TABLE coverage_file(
  id                      INTEGER PRIMARY KEY, -- from 1
  name                    NOT NULL,            -- as recorded
  regions                 INTEGER NOT NULL,    -- best
  regions_covered         INTEGER NOT NULL,
  functions               INTEGER NOT NULL,    -- a template's instances count once
  functions_covered       INTEGER NOT NULL,
  instantiations          INTEGER NOT NULL,
  instantiations_covered  INTEGER NOT NULL,
  lines                   INTEGER NOT NULL,
  lines_covered           INTEGER NOT NULL,
  branches                INTEGER NOT NULL,    -- sides of conditions
  branches_covered        INTEGER NOT NULL,
  mcdc                    INTEGER NOT NULL,    -- conditions of decisions
  mcdc_covered            INTEGER NOT NULL,    -- shown to matter
  union_lines             INTEGER NOT NULL,
  union_lines_covered     INTEGER NOT NULL,
  union_regions           INTEGER NOT NULL,
  union_regions_covered   INTEGER NOT NULL,
  union_branches          INTEGER NOT NULL,
  union_branches_covered  INTEGER NOT NULL,
  lines_partly            INTEGER NOT NULL,    -- lines that ran, with a region or a side of a condition that did not
  conditions              INTEGER NOT NULL,    -- places of conditions
  mentions                BLOB                 -- vector: coverage_function.id of the functions that have something in the file, each minus the one before; NULL for none
);

-- One row per function, a template's instances a row each, in the order of the objects.
CREATE TABLE coverage_function(
  id                INTEGER PRIMARY KEY, -- from 1
  name              NOT NULL,            -- linkage name, with the file before that of a static function
  shown             INTEGER NOT NULL,    -- bytes of the name that llvm-cov leaves out
  name_ref          INTEGER NOT NULL,    -- first 8 MD5 bytes of the name, u64
  hash              INTEGER NOT NULL,    -- FuncHash, u64
  object            INTEGER NOT NULL,    -- coverage_object.id
  file              INTEGER NOT NULL,    -- coverage_file.id where it stands; 0 for nowhere
  line              INTEGER NOT NULL,
  column            INTEGER NOT NULL,
  end_line          INTEGER NOT NULL,
  first             INTEGER NOT NULL,    -- coverage_function.id of the first function that begins at the place: of a template's instances
  count             INTEGER NOT NULL,    -- calls, u64
  profiled          INTEGER NOT NULL,    -- 1: the profile has a record of it
  dummy             INTEGER NOT NULL,    -- 1: of a unit that saw the function and did not emit it
  regions           INTEGER NOT NULL,
  regions_covered   INTEGER NOT NULL,
  lines             INTEGER NOT NULL,
  lines_covered     INTEGER NOT NULL,
  branches          INTEGER NOT NULL,    -- sides of conditions
  branches_covered  INTEGER NOT NULL,
  mcdc              INTEGER NOT NULL,    -- conditions of decisions
  mcdc_covered      INTEGER NOT NULL
);

-- What functions are made of, packed; an exported database has it as rows too.
CREATE TABLE coverage_body(
  id   INTEGER PRIMARY KEY,       -- coverage_function.id
  body BLOB NOT NULL              -- vector: files, regions, conditions and decisions
);

-- The order of the functions by shown name.
CREATE TABLE coverage_by_name(
  id  INTEGER PRIMARY KEY,        -- place in the order of the first id in the row, from 0
  ids BLOB NOT NULL               -- coverage_function.id as little-endian 32-bit numbers
);

-- One row per decision of MC/DC, function by function.
CREATE TABLE coverage_decision(
  id         INTEGER PRIMARY KEY, -- from 1
  function   INTEGER NOT NULL,    -- coverage_function.id
  number     INTEGER NOT NULL,    -- in the function, from 0
  file       INTEGER NOT NULL,    -- coverage_file.id
  line       INTEGER NOT NULL,
  column     INTEGER NOT NULL,
  conditions INTEGER NOT NULL,    -- that the compiler does not know
  covered    INTEGER NOT NULL     -- of them, shown to matter
);

-- What mapping and profile have that the other has not.
CREATE TABLE coverage_misfit(
  id     INTEGER PRIMARY KEY,
  kind   TEXT NOT NULL,           -- mismatched, dummy, short, no_bitmap, hidden, lost
  name   NOT NULL,                -- linkage name
  object INTEGER NOT NULL,        -- coverage_object.id; 0 of a record of the profile
  hash   INTEGER NOT NULL,        -- of the mapping; of kind lost that of the record; u64
  found  BLOB,                    -- hashes that the profile has of the name, 8 bytes each, little-endian; NULL for none
  ran    INTEGER NOT NULL         -- 1: of kind lost, a counter is not 0; of kind hidden always
);
