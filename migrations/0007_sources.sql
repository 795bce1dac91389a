-- +goose Up

-- 1 for an archive with the text of sources, which is shown beside a profile's lines
-- and never decoded.
ALTER TABLE file ADD COLUMN sources INTEGER NOT NULL DEFAULT 0;
