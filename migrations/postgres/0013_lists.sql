-- A change of a count is a row of its own, so that nobody waits for another who counts;
-- now and then they are added up.
ALTER TABLE profile_count RENAME TO profile_counted;
ALTER TABLE profile_counted ADD PRIMARY KEY (visibility, state, project, kinds);
CREATE INDEX profile_counted_none ON profile_counted (profiles) WHERE profiles = 0;
CREATE TABLE profile_change (LIKE profile_counted);
CREATE VIEW profile_count AS SELECT * FROM profile_counted UNION ALL SELECT * FROM profile_change;

ALTER TABLE label_count RENAME TO label_counted;
ALTER TABLE label_counted ADD PRIMARY KEY (key, value, project, ready);
CREATE INDEX label_counted_project ON label_counted (project, key);
CREATE INDEX label_counted_none ON label_counted (profiles) WHERE profiles = 0;
CREATE TABLE label_change (LIKE label_counted);
CREATE INDEX label_change_value ON label_change (key, value);
CREATE INDEX label_change_project ON label_change (project, key);
CREATE VIEW label_count AS SELECT * FROM label_counted UNION ALL SELECT * FROM label_change;

CREATE FUNCTION count_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO profile_change VALUES (OLD.visibility, OLD.state, OLD.project, OLD.kinds, -1);
  END IF;
  IF TG_OP = 'DELETE' THEN
    DELETE FROM label WHERE profile_id = OLD.id; -- while it is known what they count for
    RETURN OLD;
  END IF;
  INSERT INTO profile_change VALUES (NEW.visibility, NEW.state, NEW.project, NEW.kinds, 1);
  IF TG_OP = 'UPDATE' AND NEW.visibility = 'listed' AND
    (OLD.project, OLD.state = 'ready') <> (NEW.project, NEW.state = 'ready') THEN
    INSERT INTO label_change
      SELECT key, value, OLD.project, (OLD.state = 'ready')::int, -1 FROM label WHERE profile_id = NEW.id
      UNION ALL SELECT key, value, NEW.project, (NEW.state = 'ready')::int, 1 FROM label WHERE profile_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER profile_added AFTER INSERT ON profile FOR EACH ROW EXECUTE FUNCTION count_profile();
CREATE TRIGGER profile_removed BEFORE DELETE ON profile FOR EACH ROW EXECUTE FUNCTION count_profile();
CREATE TRIGGER profile_changed AFTER UPDATE OF visibility, state, project, kinds ON profile FOR EACH ROW
  WHEN ((OLD.visibility, OLD.state, OLD.project, OLD.kinds) <> (NEW.visibility, NEW.state, NEW.project, NEW.kinds))
  EXECUTE FUNCTION count_profile();

CREATE FUNCTION count_label() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO label_change SELECT NEW.key, NEW.value, project, (state = 'ready')::int, 1 FROM profile
      WHERE id = NEW.profile_id AND visibility = 'listed';
  ELSE
    INSERT INTO label_change SELECT OLD.key, OLD.value, project, (state = 'ready')::int, -1 FROM profile
      WHERE id = OLD.profile_id AND visibility = 'listed';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER label_counts AFTER INSERT OR DELETE ON label FOR EACH ROW EXECUTE FUNCTION count_label();

-- An older process, of those that share the catalog, does not know that it is to say so.
CREATE FUNCTION date_label() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT CASE visibility WHEN 'listed' THEN created_us ELSE 0 END, project INTO NEW.listed_us, NEW.of_project
    FROM profile WHERE id = NEW.profile_id;
  RETURN NEW;
END $$;

CREATE TRIGGER label_dated BEFORE INSERT ON label FOR EACH ROW WHEN (NEW.listed_us = 0) EXECUTE FUNCTION date_label();
