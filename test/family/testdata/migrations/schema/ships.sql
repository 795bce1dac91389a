-- Lists of ships.

-- What they come to: one row.
CREATE TABLE ship_total(
  id          INTEGER PRIMARY KEY,
  ships       INTEGER NOT NULL,
  weight      INTEGER NOT NULL, -- tons of all ships: low 64 bits, u64
  weight_high INTEGER NOT NULL  -- bits above 2^64
);

-- One row per ship, in the order of the file.
CREATE TABLE ship(
  id     INTEGER PRIMARY KEY, -- from 1
  name,                       -- as in the file: TEXT when valid UTF-8, else BLOB
  weight INTEGER NOT NULL     -- tons, u64
);
