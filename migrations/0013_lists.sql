-- +goose Up

-- How many profiles there are by what lists select them by, kept as they change: no page
-- counts profiles.
CREATE TABLE profile_count (
  visibility TEXT NOT NULL,
  state      TEXT NOT NULL,
  project    TEXT NOT NULL,
  kinds      TEXT NOT NULL,
  profiles   INTEGER NOT NULL
);
INSERT INTO profile_count (visibility, state, project, kinds, profiles)
  SELECT visibility, state, project, kinds, count(*) FROM profile GROUP BY visibility, state, project, kinds;

-- The same of the labels of listed profiles.
CREATE TABLE label_count (
  key      TEXT NOT NULL,
  value    TEXT NOT NULL,
  project  TEXT NOT NULL,
  ready    INTEGER NOT NULL,                   -- 1 for those of ready profiles
  profiles INTEGER NOT NULL
);
INSERT INTO label_count (key, value, project, ready, profiles)
  SELECT key, value, project, CASE WHEN state = 'ready' THEN 1 ELSE 0 END, count(*)
  FROM profile JOIN label ON profile_id = id WHERE visibility = 'listed' GROUP BY 1, 2, 3, 4;

-- When its profile was created, in microseconds since 1970, where that is listed, else 0; and
-- its project.
ALTER TABLE label ADD COLUMN listed_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE label ADD COLUMN of_project TEXT NOT NULL DEFAULT '';
DROP INDEX label_value;
UPDATE label SET listed_us = CASE visibility WHEN 'listed' THEN created_us ELSE 0 END, of_project = project
  FROM profile WHERE id = profile_id;
CREATE INDEX label_listed ON label (key, value, listed_us DESC, profile_id DESC) WHERE listed_us > 0;
CREATE INDEX label_branch ON label (of_project, value, listed_us DESC, profile_id DESC)
  WHERE key = 'branch' AND of_project <> '' AND listed_us > 0;

-- What words are looked for in, of every listed profile: its name, project, description,
-- labels and files, in lower case. The higher the number the newer the profile.
CREATE TABLE listing (
  doc        INTEGER PRIMARY KEY,              -- created_us, or the next that is free
  profile_id TEXT NOT NULL UNIQUE REFERENCES profile (id) ON DELETE CASCADE,
  words      TEXT NOT NULL
);

CREATE INDEX profile_kinds ON profile (kinds, created_us DESC, id DESC) WHERE visibility = 'listed';

-- What a start looks for: tables of an older schema, or of older decoders, or none. The state
-- stands last: no other query takes one of these for it.
CREATE INDEX profile_schema ON profile (schema_version, state);
CREATE INDEX profile_decoder ON profile (decoder_version, state);
CREATE INDEX profile_received ON profile (created_us) WHERE state = 'received';

-- Whether the profiles of a project have changed is answered from this index alone.
DROP INDEX profile_project;
CREATE INDEX profile_project ON profile (project, created_us DESC, id DESC, state, expires_us, visibility, updated_us)
  WHERE project <> '';

-- Version of the measures that were taken of the profile alone; 0: none.
ALTER TABLE profile ADD COLUMN measured_version INTEGER NOT NULL DEFAULT 0;
UPDATE profile SET measured_version = measured.version FROM measured WHERE profile_id = id AND base_id = '';
CREATE INDEX profile_measured ON profile (measured_version, created_us DESC, id DESC)
  WHERE visibility = 'listed' AND state = 'ready' AND project <> '';

-- Folders with files, by when they had changed last as the last process left them: a start looks
-- into others only. While processes are at work, or if one was killed, a row for each of these.
CREATE TABLE swept (
  folder     TEXT PRIMARY KEY,                 -- 'objects/ab', or 'process' and which
  changed_ns INTEGER NOT NULL                  -- nanoseconds since 1970, UTC; 0 for a process
) WITHOUT ROWID;
