-- +goose Up

-- Lists count what they select, and show the newest: both from an index alone, so that
-- thousands of profiles are listed as quickly as ten.
DROP INDEX profile_listed;
CREATE INDEX profile_listed ON profile (created_us DESC, id DESC, state, expires_us) WHERE visibility = 'listed';
DROP INDEX profile_project;
CREATE INDEX profile_project ON profile (project, created_us DESC, id DESC, state, expires_us, visibility) WHERE project <> '';
DROP INDEX profile_name;
CREATE INDEX profile_name ON profile (name, created_us DESC, id DESC, state, expires_us, visibility) WHERE name <> '';
