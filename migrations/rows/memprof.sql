-- Heap profiles: call stacks, access histograms and callees as rows.

-- One row per context and frame, leaf first.
CREATE TABLE mib_frame(
  mib   INTEGER NOT NULL,         -- mib.id
  idx   INTEGER NOT NULL,         -- from 0, the leaf
  frame INTEGER NOT NULL          -- frame.id
);

-- One row per context and eight bytes of its objects, where accesses were recorded so.
CREATE TABLE mib_histogram(
  mib   INTEGER NOT NULL,         -- mib.id
  idx   INTEGER NOT NULL,         -- from 0: bytes 8 * idx and the seven after
  count INTEGER NOT NULL          -- accesses, u64
);

-- One row per call site and function that it may call.
CREATE TABLE heap_callee(
  call_site INTEGER NOT NULL,     -- heap_call_site.id
  idx       INTEGER NOT NULL,     -- from 0
  guid      INTEGER NOT NULL      -- u64
);

-- One row per frame of a context.
CREATE VIEW mib_frame_view AS
SELECT s.mib, s.idx, CAST(f.name AS TEXT) AS function, printf('%016x', f.fid) AS fid, p.path AS file,
  r.line, r.line_offset, r.column, r.inline
FROM mib_frame s JOIN frame r ON r.id = s.frame JOIN heap_function f ON f.id = r.function LEFT JOIN heap_path_view p ON p.id = r.path_node;
