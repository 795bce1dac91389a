-- +goose Up

-- A row while the catalog is arriving from another database, and from the time that it
-- was moved to one: no server opens it then.
CREATE TABLE moved (
  way   TEXT PRIMARY KEY CHECK (way IN ('from', 'to')),
  place TEXT NOT NULL                          -- the other, as messages name it
) WITHOUT ROWID;
