-- +goose Up

-- What a profile was merged from outlives those profiles: JSON with their ids,
-- names, digests and weights, and what merging had to say. Empty for a profile
-- that was uploaded.
ALTER TABLE profile ADD COLUMN merged TEXT NOT NULL DEFAULT '';
