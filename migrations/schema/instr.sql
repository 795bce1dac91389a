-- Instrumentation profiles: functions, their counters, value sites and traces.

-- LLVM's profile summary, as computed from the records and as the file says.
CREATE TABLE summary(
  id                 INTEGER PRIMARY KEY,
  origin             TEXT NOT NULL,    -- records: computed; file: stored in an indexed file, advisory
  cs                 INTEGER NOT NULL, -- 1: of the context-sensitive records, 0: of the others
  num_functions      INTEGER NOT NULL, -- records
  num_counts         INTEGER NOT NULL, -- counters
  max_function_count INTEGER NOT NULL, -- largest counter 0, u64
  max_count          INTEGER NOT NULL, -- largest counter, u64
  max_internal_count INTEGER NOT NULL, -- largest counter but the first of each record, u64
  total_count        INTEGER NOT NULL  -- sum of all counters modulo 2^64, u64
);
CREATE TABLE summary_entry(
  id         INTEGER PRIMARY KEY,
  summary    INTEGER NOT NULL,    -- summary.id
  cutoff     INTEGER NOT NULL,    -- parts per million of the total
  min_count  INTEGER NOT NULL,    -- the counters that hold that share are at least this, u64
  num_counts INTEGER NOT NULL     -- how many they are
);

-- One row per function record: the counters of one FuncHash of one name.
-- id is the rank in the default order: total descending, then name bytes, then
-- FuncHash. A preview has the first thousand rows only.
CREATE TABLE function(
  id             INTEGER PRIMARY KEY, -- rank, from 1
  ordinal        INTEGER NOT NULL,    -- place in the file's own order, from 0
  name_ref       INTEGER NOT NULL,    -- first 8 MD5 bytes of the PGO name, little-endian, u64
  func_hash      INTEGER NOT NULL,    -- FuncHash, u64
  cs             INTEGER NOT NULL,    -- 1: context-sensitive
  pseudo         INTEGER NOT NULL,    -- 1: a pseudo count instead of counters; all figures but num_counters are 0
  total          INTEGER NOT NULL,    -- sum of the counters, its low 64 bits, u64
  total_high     INTEGER NOT NULL,    -- its bits above 2^64: 0 but in extreme profiles
  max            INTEGER NOT NULL,    -- largest counter, u64
  max_index      INTEGER NOT NULL,    -- where it stands first, from 0
  entry          INTEGER NOT NULL,    -- counter 0, u64; an entry count only where meta.has_entry is 1
  num_counters   INTEGER NOT NULL,
  num_zero       INTEGER NOT NULL,    -- counters that are 0
  indirect_calls INTEGER NOT NULL,    -- value sites of kind IPVK_IndirectCallTarget
  memops         INTEGER NOT NULL,    -- value sites of kind IPVK_MemOPSize
  vtables        INTEGER NOT NULL,    -- value sites of kind IPVK_VTableTarget
  first_site     INTEGER NOT NULL,    -- value_site.id of the first of them, the others follow; 0 for none
  repeats        INTEGER NOT NULL,    -- records of the same name and FuncHash that stood behind it in the only file and were added to it
  file           INTEGER NOT NULL,    -- function_file.id where it is declared, by the debug info or the coverage mapping of a program; 0 where that is not known
  line           INTEGER NOT NULL,    -- in that file; 0 where not known
  name,                               -- PGO name: TEXT when valid UTF-8, else BLOB; NULL when the file has none
  counters       BLOB NOT NULL,       -- vector: the counters in order
  bitmap         BLOB                 -- MC/DC bitmap bytes as in the file
);

-- The source files that functions are declared in, by name.
CREATE TABLE function_file(
  id   INTEGER PRIMARY KEY,       -- from 1
  name NOT NULL                   -- as recorded: TEXT or BLOB
);

-- One row per value site: by function, kind, and order in the function.
CREATE TABLE value_site(
  id        INTEGER PRIMARY KEY,
  function  INTEGER NOT NULL,     -- function.id
  kind      INTEGER NOT NULL,     -- 0 indirect call target, 1 memop size, 2 vtable target
  site      INTEGER NOT NULL,     -- from 0, in its kind
  targets   BLOB NOT NULL         -- vector: value, count, value, count, …; values are NameRefs (kinds 0, 2) or sizes in bytes
);

-- Every NameRef that the profile can name or has records of.
CREATE TABLE name(
  name_ref INTEGER PRIMARY KEY,   -- u64
  function INTEGER,               -- function.id of its first record; NULL for vtables and functions without a record
  others   BLOB,                  -- vector: function.id of its other records, rising; NULL for none
  name                            -- the name when it has no record: TEXT or BLOB; NULL when function.name has it
);

-- Stored orders of the function table, beside the default one.
CREATE TABLE permutation(
  id    INTEGER PRIMARY KEY,      -- place in the order of the first id in the row, from 0
  ranks BLOB NOT NULL             -- by name bytes, then id: function.id as little-endian 32-bit numbers, bit 31 set
                                  -- where the name equals the one before
);

-- Running total in the default order, at every 256th function.
CREATE TABLE running_total(
  id         INTEGER PRIMARY KEY, -- function.id
  total      INTEGER NOT NULL,    -- sum of the totals of functions 1 to id, low 64 bits, u64
  total_high INTEGER NOT NULL     -- bits above 2^64
);

-- Temporal traces: functions in the order in which they first ran.
CREATE TABLE trace(
  id        INTEGER PRIMARY KEY,  -- from 1, in the file's order
  weight    INTEGER NOT NULL,     -- u64
  length    INTEGER NOT NULL,     -- functions
  name_refs BLOB NOT NULL         -- NameRefs as little-endian 64-bit numbers
);

-- PGO names of vtables.
CREATE TABLE vtable(
  id       INTEGER PRIMARY KEY,   -- in the file's order
  name_ref INTEGER NOT NULL,      -- u64
  name                            -- TEXT or BLOB
);

-- Where vtables stood in the memory of the profiled programs, as raw profiles
-- have it. One vtable can stand at several addresses: in several libraries, or in
-- several runs.
CREATE TABLE vtable_range(
  id       INTEGER PRIMARY KEY,   -- in the file's order; by address where files were merged
  name_ref INTEGER NOT NULL,      -- of the vtable, u64
  address  INTEGER NOT NULL,      -- of its first byte, u64
  size     INTEGER NOT NULL       -- bytes
);

-- The tree of the file paths in function names. Ids are in preorder, siblings
-- by name: the descendants of a node are id+1 to last.
CREATE TABLE path_node(
  id         INTEGER PRIMARY KEY, -- 0 is the root
  parent     INTEGER NOT NULL,    -- path_node.id; -1 of the root
  last       INTEGER NOT NULL,    -- largest id below the node, or its own
  depth      INTEGER NOT NULL,    -- 0 of the root
  name,                           -- one part of the path: TEXT or BLOB; NULL where there is none
  no_path    INTEGER NOT NULL,    -- 1: the node of the records whose name has no path
  functions  INTEGER NOT NULL,    -- records at or below the node
  executed   INTEGER NOT NULL,    -- of those, with a counter above 0
  counters   INTEGER NOT NULL,
  zero       INTEGER NOT NULL,    -- of those, 0
  total      INTEGER NOT NULL,    -- sum of all their counters, low 64 bits, u64
  total_high INTEGER NOT NULL     -- bits above 2^64
);

-- How many counters have which magnitude.
CREATE TABLE histogram(
  id       INTEGER PRIMARY KEY,   -- 0: counters that are 0; i: those in 2^(i-1) .. 2^i - 1
  counters INTEGER NOT NULL
);

-- Share of the total that the first functions of the default order hold.
CREATE TABLE curve(
  functions INTEGER PRIMARY KEY,
  share     REAL NOT NULL         -- 0 to 1
);

-- Readable forms.

-- One row per kind of records: cs is 0 for plain ones, 1 for context-sensitive ones. hot and cold
-- are counts, u64.
CREATE VIEW threshold AS
SELECT s.cs,
  (SELECT min_count FROM summary_entry e WHERE e.summary = s.id AND cutoff >= 990000 ORDER BY cutoff LIMIT 1) AS hot,
  (SELECT min_count FROM summary_entry e WHERE e.summary = s.id AND cutoff >= 999999 ORDER BY cutoff LIMIT 1) AS cold
FROM summary s WHERE s.origin = 'records';

-- One row per function record, hottest first. class is hot, warm, cold or never, as the compiler
-- would have it; empty for records without one. share is of the profile's total. entry is an entry
-- count only if has_entry in meta is 1.
CREATE VIEW function_view AS
SELECT f.id AS rank, CAST(f.name AS TEXT) AS name,
  printf('%016x', f.name_ref) AS name_ref, printf('%016x', f.func_hash) AS func_hash,
  CASE
    WHEN f.pseudo THEN '' WHEN f.max = 0 THEN 'never' WHEN t.hot IS NULL OR t.hot = 0 THEN ''
    -- turning the top bit round, (a | m) - (a & m), makes the signed order the unsigned one
    WHEN (f.max | 0x8000000000000000) - (f.max & 0x8000000000000000) >= (t.hot | 0x8000000000000000) - (t.hot & 0x8000000000000000) THEN 'hot'
    WHEN (f.max | 0x8000000000000000) - (f.max & 0x8000000000000000) <= (t.cold | 0x8000000000000000) - (t.cold & 0x8000000000000000) THEN 'cold'
    ELSE 'warm' END AS class,
  CASE f.total_high WHEN 0 THEN printf('%u', f.total) ELSE printf('%u * 2^64 + %u', f.total_high, f.total) END AS total,
  CASE WHEN m.total > 0 THEN (CAST(printf('%u', f.total) AS REAL) + 18446744073709551616.0 * f.total_high) / m.total ELSE 0.0 END AS share,
  printf('%u', f.max) AS max, f.max_index, printf('%u', f.entry) AS entry,
  f.num_counters, f.num_zero, f.indirect_calls, f.memops, f.vtables, f.cs, f.pseudo, f.ordinal,
  CAST(d.name AS TEXT) AS file, nullif(f.line, 0) AS line
FROM function f
LEFT JOIN function_file d ON d.id = f.file
LEFT JOIN threshold t ON t.cs = f.cs
CROSS JOIN (SELECT CAST(value AS REAL) AS total FROM meta WHERE key = 'total') m;

-- One row per value site; targets is the stored vector.
CREATE VIEW value_site_view AS
SELECT v.function, CAST(f.name AS TEXT) AS name,
  CASE v.kind WHEN 0 THEN 'IPVK_IndirectCallTarget' WHEN 1 THEN 'IPVK_MemOPSize' ELSE 'IPVK_VTableTarget' END AS kind,
  v.site, v.targets
FROM value_site v JOIN function f ON f.id = v.function;

-- One row per NameRef that the profile knows.
CREATE VIEW name_view AS
SELECT printf('%016x', n.name_ref) AS name_ref, CAST(coalesce(f.name, n.name) AS TEXT) AS name, n.function
FROM name n LEFT JOIN function f ON f.id = n.function;
