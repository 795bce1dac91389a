-- +goose Up

-- The figure that lists show of a profile first, such as lines covered of all with code; 0 of 0
-- where it has none.
ALTER TABLE profile ADD COLUMN head_part INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profile ADD COLUMN head_whole INTEGER NOT NULL DEFAULT 0;

-- Steps of a project's trends that somebody dismissed: pages mark them no more.
CREATE TABLE dismissed_step (
  project    TEXT NOT NULL,
  branch     TEXT NOT NULL,
  workload   TEXT NOT NULL,
  measure    TEXT NOT NULL,
  build      TEXT NOT NULL,                    -- the commit with which the level moved, or the profile
  updated_us INTEGER NOT NULL,                 -- microseconds since 1970, UTC
  PRIMARY KEY (project, branch, workload, measure, build)
) WITHOUT ROWID;
