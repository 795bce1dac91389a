-- Machine IR Profiles: functions of one link unit, their blocks, and the runs.
--
-- Removed blocks are no longer in the program; they count only in removed_blocks. A
-- function's entry counts as a block. Sizes and offsets are in bytes.

-- What the profile is, and its figures: one row.
CREATE TABLE mip_module(
  id              INTEGER PRIMARY KEY,
  file_type       INTEGER NOT NULL, -- bits as in the header
  profile_type    INTEGER NOT NULL, -- as in the header: 1 function coverage, 2 block coverage, 4 timestamps, 8 call counts, 16 return addresses
  module_hash     INTEGER NOT NULL, -- of the link unit's name; no build ID
  layout          TEXT NOT NULL,    -- of a .mip
  raw_address     INTEGER,          -- link-time address of the raw section, u64; NULL where no program was given
  underscore      INTEGER NOT NULL, -- 1: names have the underscore of Mach-O in front
  map_file        TEXT NOT NULL,    -- file that the functions come from
  functions       INTEGER NOT NULL,
  executed        INTEGER NOT NULL, -- functions that ran
  bytes           INTEGER NOT NULL, -- of all functions
  executed_bytes  INTEGER NOT NULL, -- of functions that ran
  covered_bytes   INTEGER NOT NULL, -- of covered blocks; equals executed_bytes without block coverage
  blocks          INTEGER NOT NULL, -- entries among them, removed ones not
  covered_blocks  INTEGER NOT NULL,
  removed_blocks  INTEGER NOT NULL, -- gone from the program: can never run
  calls           INTEGER NOT NULL, -- low 64 bits, u64; 0 where they were not counted
  calls_high      INTEGER NOT NULL, -- bits above 2^64
  saturated       INTEGER NOT NULL, -- functions whose calls reached what a run can count
  unnamed         INTEGER NOT NULL, -- functions without a name
  runs            INTEGER NOT NULL, -- raw files
  runs_at_least   INTEGER NOT NULL, -- largest merge count: the runs of a .mip are at least so many
  measured        INTEGER NOT NULL  -- bits of profile_type that the files have something of
);

-- One row per function, in link order.
CREATE TABLE mip_function(
  id             INTEGER PRIMARY KEY, -- from 1
  signature      INTEGER NOT NULL,    -- first 8 MD5 bytes of the name, little-endian, u64
  raw_offset     INTEGER NOT NULL,    -- of its counters in a raw file, bytes, u64
  offset         INTEGER NOT NULL,    -- its address minus that of the raw section, bytes
  size           INTEGER NOT NULL,    -- bytes
  cfg_signature  INTEGER NOT NULL,
  merge_count    INTEGER NOT NULL,    -- runs in which it ran, u64
  call_count     INTEGER NOT NULL,    -- u64; 0 or 1 where calls were not counted
  timestamp_sum  INTEGER NOT NULL,    -- of the places in which it first ran, u64
  saturated      INTEGER NOT NULL,    -- 1: its calls are at least so many
  blocks         INTEGER NOT NULL,    -- its entry among them, removed ones not
  covered_blocks INTEGER NOT NULL,
  removed_blocks INTEGER NOT NULL,
  covered_bytes  INTEGER NOT NULL,    -- of covered blocks
  twin           INTEGER NOT NULL,    -- 1: another function has the same signature
  path_node      INTEGER NOT NULL,    -- mip_node.node in the tree of paths
  scope_node     INTEGER NOT NULL,    -- mip_node.node in the tree of namespaces
  name_source    TEXT NOT NULL,       -- md5, positional, none
  name,                               -- as in the object file: TEXT when valid UTF-8, else BLOB; NULL for none
  block_data     BLOB NOT NULL,       -- vector: for each block but the entry its offset times 2, plus 1 when covered; 0 and 1 are removed blocks
  blocks_differ  INTEGER NOT NULL     -- 1: the files disagree about its blocks, which are dropped
);

-- Functions by signature.
CREATE TABLE mip_signature(
  signature INTEGER PRIMARY KEY,  -- u64
  function  INTEGER NOT NULL,     -- mip_function.id of the first
  others    BLOB                  -- vector: of the others, rising; NULL for none
);

-- The order of the functions by name bytes.
CREATE TABLE mip_by_name(
  id  INTEGER PRIMARY KEY,        -- place in the order of the first id in the row, from 0
  ids BLOB NOT NULL               -- mip_function.id as little-endian 32-bit numbers
);

-- One row per raw file, in the order given. The sums are what the runs up to
-- and with this one executed.
CREATE TABLE mip_run(
  id             INTEGER PRIMARY KEY, -- from 1
  file           TEXT NOT NULL,
  data_bytes     INTEGER NOT NULL,
  functions      INTEGER NOT NULL, -- that ran
  bytes          INTEGER NOT NULL, -- of those
  blocks         INTEGER NOT NULL, -- covered, entries among them
  only_functions INTEGER NOT NULL, -- that ran in no other run
  only_bytes     INTEGER NOT NULL,
  sum_functions  INTEGER NOT NULL,
  sum_bytes      INTEGER NOT NULL,
  sum_blocks     INTEGER NOT NULL,
  executed       BLOB NOT NULL     -- a bit per function in link order, the lowest of a byte first
);

-- Of each function that ran in some raw file, what each run says of it.
CREATE TABLE mip_function_run(
  function INTEGER PRIMARY KEY,   -- mip_function.id
  runs     BLOB NOT NULL          -- vector: mip_run.id, calls, place in which it first ran, and so on; both numbers 0 in coverage mode
);

-- The trees of namespaces and of file paths. Nodes of a tree are in preorder,
-- siblings by name: the descendants of a node are node+1 to last.
CREATE TABLE mip_node(
  id             INTEGER PRIMARY KEY,
  tree           TEXT NOT NULL,    -- namespace, path
  node           INTEGER NOT NULL, -- 0 is the root
  parent         INTEGER NOT NULL, -- -1 of the root
  last           INTEGER NOT NULL, -- largest node below, or its own
  depth          INTEGER NOT NULL,
  name,                            -- one part: TEXT or BLOB; NULL where there is none
  nowhere        INTEGER NOT NULL, -- 1: the node of the functions without a path
  functions      INTEGER NOT NULL, -- at or below the node
  executed       INTEGER NOT NULL,
  bytes          INTEGER NOT NULL,
  executed_bytes INTEGER NOT NULL,
  covered_bytes  INTEGER NOT NULL,
  blocks         INTEGER NOT NULL, -- entries among them, removed ones not
  covered_blocks INTEGER NOT NULL,
  calls          INTEGER NOT NULL, -- low 64 bits, u64
  calls_high     INTEGER NOT NULL
);

-- One row per function, in link order. fid is its ID on pages and in the API, address there only if
-- the program was given. It ran in so many runs; calls has ">= " in front if counting stopped;
-- first_call is the average place.
CREATE VIEW mip_function_view AS
SELECT f.id, CAST(f.name AS TEXT) AS name,
  printf('%016x', f.signature) || CASE f.twin WHEN 1 THEN printf('-%x', f.raw_offset) ELSE '' END AS fid,
  CASE WHEN m.raw_address IS NULL THEN NULL ELSE printf('0x%x', m.raw_address + f.offset) END AS address,
  f.size, f.merge_count > 0 OR f.call_count <> 0 AS executed, f.merge_count AS runs,
  CASE f.saturated WHEN 1 THEN '>= ' ELSE '' END || printf('%u', f.call_count) AS calls,
  CASE WHEN f.merge_count > 0 AND m.measured & 4 THEN CAST(printf('%u', f.timestamp_sum) AS REAL) / f.merge_count END AS first_call,
  f.blocks, f.covered_blocks, f.removed_blocks, f.covered_bytes
FROM mip_function f CROSS JOIN mip_module m;
