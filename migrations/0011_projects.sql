-- +goose Up

-- What was measured of a profile, alone or against another one: the points of trends.
-- It can be measured again, and is when the profile's tables are made anew.
CREATE TABLE measured (
  profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  base_id    TEXT NOT NULL,                    -- the profile that it was compared with; empty: none
  version    INTEGER NOT NULL,                 -- of the measures
  figures    TEXT NOT NULL,                    -- JSON: values by the names of measures
  PRIMARY KEY (profile_id, base_id)
) WITHOUT ROWID;
CREATE INDEX measured_base ON measured (base_id) WHERE base_id <> '';

-- The rules of a project's gate, as its repository has them.
CREATE TABLE project_rules (
  project    TEXT PRIMARY KEY,
  rules      TEXT NOT NULL,                    -- proflens.toml
  updated_us INTEGER NOT NULL                  -- microseconds since 1970, UTC
) WITHOUT ROWID;
