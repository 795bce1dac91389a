-- Heap profiles (MemProf): what each call stack allocated, and the stacks.
--
-- In heap, sums have two columns: the low 64 bits, u64, and the bits above 2^64.

-- What the profile is, and its figures: one row.
CREATE TABLE heap(
  id               INTEGER PRIMARY KEY,
  format           TEXT NOT NULL,    -- as in file.format; empty for several
  version          INTEGER NOT NULL, -- raw 1 to 5, indexed 0 to 4; 0 for text
  schema           INTEGER NOT NULL, -- bit n: some context has the field with tag n
  symbolized       INTEGER NOT NULL, -- 1: frames have functions; 0: addresses, or names alone
  dumps            INTEGER NOT NULL, -- raw profiles that were added up
  recorded         INTEGER NOT NULL, -- contexts as recorded: some can be of one call stack
  sites            INTEGER NOT NULL, -- places that allocate
  mixed_sites      INTEGER NOT NULL, -- places with cold contexts and with others
  owners           INTEGER NOT NULL, -- functions that allocate
  call_sites       INTEGER NOT NULL, -- calls on the way to an allocation
  deepest          INTEGER NOT NULL, -- frames of the deepest stack
  longest          INTEGER NOT NULL, -- largest max_lifetime, ms
  cold             INTEGER NOT NULL, -- contexts of each class, by the compiler's defaults
  cold_bytes       INTEGER NOT NULL, -- bytes of these: low 64 bits, u64
  cold_bytes_high  INTEGER NOT NULL, -- and bits above 2^64
  not_cold         INTEGER NOT NULL,
  not_cold_bytes   INTEGER NOT NULL,
  not_cold_bytes_high INTEGER NOT NULL,
  hot              INTEGER NOT NULL,
  hot_bytes        INTEGER NOT NULL,
  hot_bytes_high   INTEGER NOT NULL,
  unknown          INTEGER NOT NULL,
  unknown_bytes    INTEGER NOT NULL,
  unknown_bytes_high INTEGER NOT NULL,
  contexts         INTEGER NOT NULL, -- distinct call stacks
  bytes            INTEGER NOT NULL, -- of all, u64, with the bits above 2^64 behind it, as the five sums below
  bytes_high       INTEGER NOT NULL,
  allocations      INTEGER NOT NULL,
  allocations_high INTEGER NOT NULL,
  accesses         INTEGER NOT NULL,
  accesses_high    INTEGER NOT NULL,
  lifetime         INTEGER NOT NULL, -- ms, of all objects
  lifetime_high    INTEGER NOT NULL,
  byte_ms          INTEGER NOT NULL, -- bytes times the milliseconds that they lived
  byte_ms_high     INTEGER NOT NULL,
  lifetime_density INTEGER NOT NULL, -- accesses per byte and second times 100, of all objects
  lifetime_density_high INTEGER NOT NULL,
  functions        INTEGER NOT NULL, -- rows of heap_function
  frames           INTEGER NOT NULL, -- rows of frame
  stacks           INTEGER NOT NULL, -- rows of call_stack
  modules          INTEGER NOT NULL, -- rows of module
  data_access      INTEGER NOT NULL, -- 1: there is a data access profile
  stored_stacks    INTEGER NOT NULL, -- call stacks of contexts and call sites, each once, as a file has them
  stored_frames    INTEGER NOT NULL, -- distinct frames of these
  frame_refs       INTEGER NOT NULL, -- frames of all these stacks added up, u64
  tree_nodes       INTEGER NOT NULL, -- of the tree that they make from the roots on
  tree_roots       INTEGER NOT NULL
);

-- The summary that an indexed file of version 4 has; at most one row.
CREATE TABLE heap_summary(
  id                  INTEGER PRIMARY KEY,
  contexts            INTEGER NOT NULL,
  cold_contexts       INTEGER NOT NULL,
  hot_contexts        INTEGER NOT NULL,
  max_cold_total_size INTEGER NOT NULL, -- bytes, u64
  max_warm_total_size INTEGER NOT NULL,
  max_hot_total_size  INTEGER NOT NULL
);

-- Executable segments that were mapped when a raw profile was written.
CREATE TABLE module(
  id       INTEGER PRIMARY KEY,   -- from 1, in the file's order
  start    INTEGER NOT NULL,      -- address in the process, u64
  end      INTEGER NOT NULL,      -- exclusive
  offset   INTEGER NOT NULL,      -- what was added to the addresses of its file; before raw version 3 the offset in it
  build_id BLOB,                  -- NULL where it is not known
  path     TEXT NOT NULL,         -- of its file where it ran; empty where it is not known
  file     TEXT NOT NULL,         -- the executable that was given for it; empty when none was
  frames   INTEGER NOT NULL,      -- that are addresses in it
  contexts INTEGER NOT NULL       -- that have such frames
);

-- The string table of the RFC: the parts of file paths, each once.
CREATE TABLE string(
  id   INTEGER PRIMARY KEY,       -- where it begins when all stand one after another with a NUL behind each; 0 is the empty one
  text                            -- TEXT when valid UTF-8, else BLOB; NULL for the empty one
);

-- The file path table of the RFC: a forest of reversed trees. A path is the
-- strings from a root to its node with '/' between them; an absolute one begins
-- with the empty string.
CREATE TABLE heap_path_node(
  id     INTEGER PRIMARY KEY,     -- from 0
  string INTEGER NOT NULL,        -- string.id
  parent INTEGER NOT NULL         -- heap_path_node.id, less than its own; -1 of a root
);

-- Functions, or what stands for one: a name alone, or an address.
CREATE TABLE heap_function(
  id      INTEGER PRIMARY KEY,    -- from 1
  fid     INTEGER NOT NULL,       -- its address in pages: the GUID, or a hash of what there is instead, u64
  guid    INTEGER,                -- first 8 MD5 bytes of the canonical linkage name, little-endian, u64; NULL where unknown
  name,                           -- linkage name, or demangled in a runtime's report: TEXT or BLOB; NULL where unknown
  module  INTEGER,                -- module.id of an address; NULL where none has it
  address INTEGER                 -- in the module's file, or in the process; NULL where the function is known
);

-- The stack entry table of the RFC: places in functions.
CREATE TABLE frame(
  id            INTEGER PRIMARY KEY, -- from 1
  function      INTEGER NOT NULL,    -- heap_function.id
  path_node     INTEGER,             -- heap_path_node.id of the source file; NULL where unknown
  line          INTEGER NOT NULL,    -- 0 where unknown
  line_offset   INTEGER NOT NULL,    -- lines below the function's first
  column        INTEGER NOT NULL,
  discriminator INTEGER NOT NULL,
  inline        INTEGER NOT NULL     -- 1: inlined into the caller
);

-- Call stacks as the tree of their calls. A stack is named by its leaf, the
-- frame that allocates; the callers lead to its root.
CREATE TABLE call_stack(
  id     INTEGER PRIMARY KEY,     -- from 1
  frame  INTEGER NOT NULL,        -- frame.id
  caller INTEGER NOT NULL,        -- call_stack.id, less than its own; 0 of a root
  depth  INTEGER NOT NULL         -- frames of the stack; 1 of a root
);

-- Memory info blocks: a row for each distinct call stack. In brackets the name
-- that the RFC of 2021 has for a field. A field is NULL where it is unknown.
-- Times are milliseconds, sizes bytes; densities are accesses per byte times
-- 100, lifetime densities that per second. u64 stands as int64 of the same bits.
CREATE TABLE mib(
  id                            INTEGER PRIMARY KEY, -- from 1, in the order in which each stack was first seen
  context                       INTEGER NOT NULL,    -- its address in pages: a hash of the stack, u64
  stack_id                      INTEGER NOT NULL,    -- number in a raw profile or a report, 0 elsewhere [StackID]
  call_stack                    INTEGER NOT NULL,    -- call_stack.id; 0 for a stack without frames
  owner                         INTEGER NOT NULL,    -- heap_function.id of the leaf; 0 without frames
  class                         TEXT NOT NULL,       -- cold, not cold, hot, unknown: by the compiler's defaults
  schema                        INTEGER NOT NULL,    -- bit n: the field with tag n is known
  alloc_count                   INTEGER, -- tag 1 [AllocCount]
  total_access_count            INTEGER, -- tag 2; by alloc_count [AveAccessCount]
  min_access_count              INTEGER, -- tag 3 [MinAccessCount]
  max_access_count              INTEGER, -- tag 4 [MaxAccessCount]
  total_size                    INTEGER, -- tag 5; by alloc_count [AveSize]
  min_size                      INTEGER, -- tag 6 [MinSize]
  max_size                      INTEGER, -- tag 7 [MaxSize]
  alloc_timestamp               INTEGER, -- tag 8, of the object merged last
  dealloc_timestamp             INTEGER, -- tag 9
  total_lifetime                INTEGER, -- tag 10; by alloc_count [AveLifetime]
  min_lifetime                  INTEGER, -- tag 11 [MinLifetime]
  max_lifetime                  INTEGER, -- tag 12 [MaxLifetime]
  alloc_cpu_id                  INTEGER, -- tag 13; 4294967295 is unknown
  dealloc_cpu_id                INTEGER, -- tag 14
  num_migrated_cpu              INTEGER, -- tag 15 [NumMigration]
  num_lifetime_overlaps         INTEGER, -- tag 16 [NumLifetimeOverlaps]
  num_same_alloc_cpu            INTEGER, -- tag 17 [NumSameAllocCPU]
  num_same_dealloc_cpu          INTEGER, -- tag 18 [NumSameDeallocCPU]
  data_type_id                  INTEGER, -- tag 19, unused by the runtime
  total_access_density          INTEGER, -- tag 20
  min_access_density            INTEGER, -- tag 21
  max_access_density            INTEGER, -- tag 22
  total_lifetime_access_density INTEGER, -- tag 23
  min_lifetime_access_density   INTEGER, -- tag 24
  max_lifetime_access_density   INTEGER, -- tag 25
  access_histogram_size         INTEGER, -- tag 26
  access_histogram              BLOB,    -- vector: accesses of each eight bytes; NULL without one. Tag 27, an address, is not kept
  truncated                     INTEGER NOT NULL -- 1: the stack has as many addresses as the runtime records: it is probably cut off at the root
);

-- Calls on the way to an allocation, by the function that they are recorded of.
CREATE TABLE heap_call_site(
  id         INTEGER PRIMARY KEY, -- from 1, in the file's order
  guid       INTEGER NOT NULL,    -- of the function, u64
  call_stack INTEGER NOT NULL,    -- call_stack.id of the frames that one address was inlined from
  callees    BLOB                 -- GUIDs of what an indirect call may call, eight bytes each, little-endian; NULL for none
);

-- Static data with the accesses to it, and data that is known to be cold.
CREATE TABLE data_access(
  id           INTEGER PRIMARY KEY, -- from 1, in the file's order
  cold         INTEGER NOT NULL,    -- 1: listed as untouched; then accesses is 0
  is_string    INTEGER NOT NULL,    -- 1: a string literal, which has a hash instead of a symbol
  symbol,                           -- TEXT or BLOB; NULL for a string literal
  hash         INTEGER,             -- of a string literal, u64
  access_count INTEGER NOT NULL     -- u64
);

-- Where static data is declared.
CREATE TABLE data_location(
  id          INTEGER PRIMARY KEY,
  data_access INTEGER NOT NULL,     -- data_access.id
  file,                             -- TEXT or BLOB; NULL for an empty name
  line        INTEGER NOT NULL
);

-- One row per source path.
CREATE VIEW heap_path_view AS
WITH RECURSIVE path(id, text) AS (
  SELECT n.id, coalesce(CAST(s.text AS TEXT), '') FROM heap_path_node n JOIN string s ON s.id = n.string WHERE n.parent < 0
  UNION ALL
  SELECT n.id, p.text || '/' || coalesce(CAST(s.text AS TEXT), '')
  FROM path p JOIN heap_path_node n ON n.parent = p.id JOIN string s ON s.id = n.string
)
SELECT id, text AS path FROM path;

-- One row per allocation context; function is its owner.
CREATE VIEW mib_view AS
SELECT m.id, printf('%016x', m.context) AS context, m.class, CAST(f.name AS TEXT) AS function,
  printf('%016x', f.fid) AS fid, printf('%u', m.total_size) AS bytes, m.alloc_count AS allocations,
  CASE WHEN m.alloc_count > 0 THEN CAST(printf('%u', m.total_size) AS REAL) / m.alloc_count END AS average_size,
  CASE WHEN m.alloc_count > 0 THEN CAST(printf('%u', m.total_lifetime) AS REAL) / m.alloc_count END AS average_lifetime_ms,
  printf('%u', m.total_access_count) AS accesses,
  CASE WHEN m.alloc_count > 0 THEN CAST(printf('%u', m.total_lifetime_access_density) AS REAL) / m.alloc_count / 100 END AS average_lifetime_density,
  s.depth
FROM mib m LEFT JOIN heap_function f ON f.id = m.owner LEFT JOIN call_stack s ON s.id = m.call_stack;
