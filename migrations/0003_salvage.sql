-- +goose Up

-- A file may end too soon. Its readable beginning is decoded only when somebody
-- asked for that, and every decoding after is to do the same.
ALTER TABLE file ADD COLUMN salvage INTEGER NOT NULL DEFAULT 0;

-- What of such a file was read, as JSON; empty for a whole file.
ALTER TABLE file ADD COLUMN partial TEXT NOT NULL DEFAULT '';
