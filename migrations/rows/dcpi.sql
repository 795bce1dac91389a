-- DCPI: counts as rows, and procedures with their totals.

-- One row per profile and address with samples, by rising address.
CREATE TABLE sample(
  profile INTEGER NOT NULL,       -- dcpi_profile.id
  address INTEGER NOT NULL,       -- u64
  count   INTEGER NOT NULL,
  symbol  INTEGER                 -- symbol.id of the procedure that covers it; NULL where none does
);

-- One row per profile and address with samples; procedure is empty if none covers the address.
CREATE VIEW sample_view AS
SELECT i.label AS image, p.event, p.epoch, p.platform, printf('0x%x', s.address) AS address, s.count, CAST(y.name AS TEXT) AS procedure
FROM sample s JOIN dcpi_profile p ON p.id = s.profile JOIN image i ON i.id = p.image LEFT JOIN symbol y ON y.id = s.symbol;

-- One row per event, image and procedure, which is empty for samples outside all; percent is of the
-- samples of the event.
CREATE VIEW procedure_view AS
SELECT p.event, i.label AS image, CAST(y.name AS TEXT) AS procedure, sum(s.count) AS samples,
  round(100.0 * sum(s.count) / (SELECT sum(samples) FROM dcpi_profile t WHERE t.event = p.event), 4) AS percent
FROM sample s JOIN dcpi_profile p ON p.id = s.profile JOIN image i ON i.id = p.image LEFT JOIN symbol y ON y.id = s.symbol
GROUP BY p.event, p.image, s.symbol
ORDER BY p.event, samples DESC, procedure;
