-- Machine IR Profiles: blocks, and what each run says of each function, as rows.

-- One row per block but the entry, by function, in the file's order.
CREATE TABLE mip_block(
  function INTEGER NOT NULL,      -- mip_function.id
  idx      INTEGER NOT NULL,      -- from 0
  offset   INTEGER NOT NULL,      -- bytes from the function's start; 0 is a removed block
  covered  INTEGER NOT NULL       -- 1: executed in some run
);

-- One row per function and run in which it ran.
CREATE TABLE mip_run_function(
  function INTEGER NOT NULL,      -- mip_function.id
  run      INTEGER NOT NULL,      -- mip_run.id
  calls    INTEGER NOT NULL,      -- 0 where they were not counted
  first    INTEGER NOT NULL       -- place in which it first ran, from 1; 0 without timestamps
);
