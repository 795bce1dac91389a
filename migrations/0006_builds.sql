-- +goose Up

-- Build IDs of the programs that a ready profile was recorded from: profiles of one
-- build find each other by them.
CREATE TABLE build (
  profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  build_id   BLOB NOT NULL,
  PRIMARY KEY (profile_id, build_id)
) WITHOUT ROWID;
CREATE INDEX build_profile ON build (build_id);

CREATE INDEX profile_project ON profile (project) WHERE project <> '';
CREATE INDEX profile_name ON profile (name) WHERE name <> '';
