-- Instrumentation profiles: the vectors of functions, value sites and traces as
-- rows. Only exported files have them; what a profile's own file keeps packed is
-- a third of the size.

-- One row per counter, in the order of function.id and of the counters.
CREATE TABLE counter(
  function INTEGER NOT NULL,      -- function.id
  idx      INTEGER NOT NULL,      -- from 0
  count    INTEGER NOT NULL       -- u64; of a function with pseudo = 1 no count but a mark
);

-- One row per value that a value site recorded, in the file's order.
CREATE TABLE value(
  site  INTEGER NOT NULL,         -- value_site.id
  idx   INTEGER NOT NULL,         -- from 0
  value INTEGER NOT NULL,         -- a NameRef, or a size in bytes where value_site.kind is 1; u64
  count INTEGER NOT NULL          -- how often it was seen, u64
);

-- One row per function of a temporal trace, in the order in which they first ran.
CREATE TABLE trace_function(
  trace    INTEGER NOT NULL,      -- trace.id
  position INTEGER NOT NULL,      -- from 0
  name_ref INTEGER NOT NULL       -- u64
);

-- One row per counter; rank is the function's.
CREATE VIEW counter_view AS
SELECT c.function AS rank, CAST(f.name AS TEXT) AS name, printf('%016x', f.func_hash) AS func_hash,
  c.idx, printf('%u', c.count) AS count
FROM counter c JOIN function f ON f.id = c.function;

-- One row per value at a value site; rank and name are the function's.
-- target is the function or vtable of a value, NULL where the profile cannot name it; value is in hex
-- where it is a NameRef, and in bytes where it is a size.
CREATE VIEW value_view AS
SELECT s.function AS rank, CAST(f.name AS TEXT) AS name,
  CASE s.kind WHEN 0 THEN 'IPVK_IndirectCallTarget' WHEN 1 THEN 'IPVK_MemOPSize' ELSE 'IPVK_VTableTarget' END AS kind,
  s.site, v.idx, CASE s.kind WHEN 1 THEN printf('%u', v.value) ELSE printf('%016x', v.value) END AS value,
  CASE s.kind WHEN 1 THEN NULL ELSE (
    SELECT CAST(coalesce(t.name, n.name) AS TEXT) FROM name n LEFT JOIN function t ON t.id = n.function WHERE n.name_ref = v.value
  ) END AS target,
  printf('%u', v.count) AS count
FROM value v JOIN value_site s ON s.id = v.site JOIN function f ON f.id = s.function;

-- One row per function in a temporal trace, with its place by total as its rank.
CREATE VIEW trace_view AS
SELECT t.trace, printf('%u', r.weight) AS weight, t.position, printf('%016x', t.name_ref) AS name_ref,
  CAST(coalesce(f.name, n.name) AS TEXT) AS name, n.function AS rank
FROM trace_function t JOIN trace r ON r.id = t.trace
LEFT JOIN name n ON n.name_ref = t.name_ref LEFT JOIN function f ON f.id = n.function;

-- One row per vtable that the profile names, places or saw, and one with name_ref
-- 0 for the addresses in none. address and size are of the first of its ranges; sites and functions
-- saw it calls times.
CREATE VIEW vtable_view AS
WITH seen AS (
  SELECT v.value AS name_ref, count(DISTINCT v.site) AS sites, count(DISTINCT s.function) AS functions, sum(v.count) AS calls
  FROM value v JOIN value_site s ON s.id = v.site WHERE s.kind = 2 GROUP BY v.value
), every AS (
  SELECT name_ref FROM vtable UNION SELECT name_ref FROM vtable_range UNION SELECT name_ref FROM seen
)
SELECT printf('%016x', e.name_ref) AS name_ref,
  (SELECT CAST(coalesce(f.name, n.name) AS TEXT) FROM name n LEFT JOIN function f ON f.id = n.function WHERE n.name_ref = e.name_ref) AS name,
  (SELECT count(*) FROM vtable_range r WHERE r.name_ref = e.name_ref) AS ranges,
  (SELECT printf('0x%x', r.address) FROM vtable_range r WHERE r.name_ref = e.name_ref ORDER BY r.id LIMIT 1) AS address,
  (SELECT r.size FROM vtable_range r WHERE r.name_ref = e.name_ref ORDER BY r.id LIMIT 1) AS size,
  coalesce(seen.sites, 0) AS sites, coalesce(seen.functions, 0) AS functions, printf('%u', coalesce(seen.calls, 0)) AS calls
FROM every e LEFT JOIN seen ON seen.name_ref = e.name_ref;
