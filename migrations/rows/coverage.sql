-- Source coverage: what functions are made of, as rows.

-- One row per region of a function, in the mapping's order.
CREATE TABLE coverage_region(
  function   INTEGER NOT NULL,    -- coverage_function.id
  kind       TEXT NOT NULL,       -- code, expansion, skipped, gap, branch, mcdc_branch
  file       INTEGER NOT NULL,    -- coverage_file.id
  line       INTEGER NOT NULL,
  column     INTEGER NOT NULL,
  end_line   INTEGER NOT NULL,
  end_column INTEGER NOT NULL,    -- the first behind it
  count      INTEGER NOT NULL,    -- u64; of a branch how often it was true
  count_false INTEGER,            -- u64; NULL but of branches
  folded     INTEGER NOT NULL     -- sides of a branch that the compiler knows: 1 true, 2 false, 3 both
);

-- One row per condition of a decision of MC/DC.
CREATE TABLE coverage_condition(
  decision INTEGER NOT NULL,      -- coverage_decision.id
  idx      INTEGER NOT NULL,      -- in the order of the source, from 0
  line     INTEGER NOT NULL,
  column   INTEGER NOT NULL,
  folded   INTEGER NOT NULL,      -- 1: the compiler knows it
  covered  INTEGER NOT NULL       -- 1: it was shown to matter
);
