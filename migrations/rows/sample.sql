-- Sample profiles: what stands in vectors, as rows.

-- Frames of the calling contexts.
CREATE TABLE sample_context(
  function      INTEGER NOT NULL, -- sample_function.id
  depth         INTEGER NOT NULL, -- from 0, the outermost
  name          INTEGER NOT NULL, -- sample_name.id
  line          INTEGER NOT NULL, -- offset of the call, or number of its probe; 0 of the last
  discriminator INTEGER NOT NULL
);

-- One row per function and per callee that was inlined: node 0 is the function itself.
CREATE TABLE sample_inlined(
  function      INTEGER NOT NULL, -- sample_function.id
  node          INTEGER NOT NULL, -- in preorder
  parent        INTEGER NOT NULL, -- node that it was inlined into; -1 of the function itself
  line          INTEGER NOT NULL, -- where it was: offset, or number of the probe
  discriminator INTEGER NOT NULL,
  name          INTEGER NOT NULL, -- sample_name.id
  total         INTEGER NOT NULL, -- u64
  head          INTEGER NOT NULL, -- u64
  checksum      INTEGER NOT NULL  -- u64
);

-- One row per place with a count.
CREATE TABLE sample_line(
  function      INTEGER NOT NULL, -- sample_function.id
  node          INTEGER NOT NULL, -- sample_inlined.node
  line          INTEGER NOT NULL, -- lines below the function's first or, with probes, number of the probe
  discriminator INTEGER NOT NULL,
  count         INTEGER NOT NULL  -- u64
);

-- One row per place and function that was called from there without being inlined.
CREATE TABLE sample_target(
  function      INTEGER NOT NULL, -- sample_function.id
  node          INTEGER NOT NULL, -- sample_inlined.node
  line          INTEGER NOT NULL,
  discriminator INTEGER NOT NULL,
  callee        INTEGER NOT NULL, -- sample_name.id
  count         INTEGER NOT NULL  -- u64
);

-- One row per place and type of which a vtable was seen there.
CREATE TABLE sample_vtable(
  function      INTEGER NOT NULL, -- sample_function.id
  node          INTEGER NOT NULL, -- sample_inlined.node
  line          INTEGER NOT NULL,
  discriminator INTEGER NOT NULL,
  type          INTEGER NOT NULL, -- sample_name.id
  count         INTEGER NOT NULL  -- u64
);

-- One row per place with a count: inlined is the function that the place is in.
CREATE VIEW sample_line_view AS
SELECT f.id AS function, CAST(coalesce(n.name, n.given) AS TEXT) AS name, i.node, CAST(coalesce(m.name, m.given) AS TEXT) AS inlined,
  l.line, l.discriminator, printf('%u', l.count) AS count
FROM sample_line l JOIN sample_function f ON f.id = l.function JOIN sample_name n ON n.id = f.name
JOIN sample_inlined i ON i.function = l.function AND i.node = l.node JOIN sample_name m ON m.id = i.name;
