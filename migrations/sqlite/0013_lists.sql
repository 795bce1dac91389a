CREATE UNIQUE INDEX profile_counted ON profile_count (visibility, state, project, kinds);
CREATE UNIQUE INDEX label_counted ON label_count (key, value, project, ready);
CREATE INDEX label_counted_project ON label_count (project, key, value, ready, profiles);

CREATE TRIGGER profile_added AFTER INSERT ON profile BEGIN
  INSERT INTO profile_count VALUES (NEW.visibility, NEW.state, NEW.project, NEW.kinds, 1)
    ON CONFLICT DO UPDATE SET profiles = profiles + 1;
END;

CREATE TRIGGER profile_removed BEFORE DELETE ON profile BEGIN
  DELETE FROM label WHERE profile_id = OLD.id; -- while it is known what they count for
  UPDATE profile_count SET profiles = profiles - 1
    WHERE (visibility, state, project, kinds) = (OLD.visibility, OLD.state, OLD.project, OLD.kinds);
  DELETE FROM profile_count WHERE profiles = 0
    AND (visibility, state, project, kinds) = (OLD.visibility, OLD.state, OLD.project, OLD.kinds);
END;

CREATE TRIGGER profile_changed AFTER UPDATE OF visibility, state, project, kinds ON profile
WHEN (OLD.visibility, OLD.state, OLD.project, OLD.kinds) <> (NEW.visibility, NEW.state, NEW.project, NEW.kinds) BEGIN
  INSERT INTO profile_count VALUES (NEW.visibility, NEW.state, NEW.project, NEW.kinds, 1)
    ON CONFLICT DO UPDATE SET profiles = profiles + 1;
  UPDATE profile_count SET profiles = profiles - 1
    WHERE (visibility, state, project, kinds) = (OLD.visibility, OLD.state, OLD.project, OLD.kinds);
  DELETE FROM profile_count WHERE profiles = 0
    AND (visibility, state, project, kinds) = (OLD.visibility, OLD.state, OLD.project, OLD.kinds);
END;

CREATE TRIGGER profile_labels_changed AFTER UPDATE OF state, project ON profile
WHEN NEW.visibility = 'listed' AND (OLD.project, OLD.state = 'ready') <> (NEW.project, NEW.state = 'ready') BEGIN
  INSERT INTO label_count SELECT key, value, NEW.project, NEW.state = 'ready', 1 FROM label WHERE profile_id = NEW.id
    ON CONFLICT DO UPDATE SET profiles = profiles + 1;
  INSERT INTO label_count SELECT key, value, OLD.project, OLD.state = 'ready', -1 FROM label WHERE profile_id = NEW.id
    ON CONFLICT DO UPDATE SET profiles = profiles - 1;
  DELETE FROM label_count
    WHERE (key, value) IN (SELECT key, value FROM label WHERE profile_id = NEW.id) AND profiles = 0;
END;

CREATE TRIGGER label_added AFTER INSERT ON label BEGIN
  INSERT INTO label_count SELECT NEW.key, NEW.value, project, state = 'ready', 1 FROM profile
    WHERE id = NEW.profile_id AND visibility = 'listed'
    ON CONFLICT DO UPDATE SET profiles = profiles + 1;
END;

CREATE TRIGGER label_removed AFTER DELETE ON label BEGIN
  UPDATE label_count SET profiles = profiles - 1 WHERE key = OLD.key AND value = OLD.value AND (project, ready) =
    (SELECT project, state = 'ready' FROM profile WHERE id = OLD.profile_id AND visibility = 'listed');
  DELETE FROM label_count WHERE key = OLD.key AND value = OLD.value AND profiles = 0;
END;

-- Finds listings by three letters each. It has no text of its own.
CREATE VIRTUAL TABLE found USING fts5 (words, content = 'listing', content_rowid = 'doc',
  tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0);

CREATE TRIGGER listing_added AFTER INSERT ON listing BEGIN
  INSERT INTO found (rowid, words) VALUES (NEW.doc, NEW.words);
END;

CREATE TRIGGER listing_removed AFTER DELETE ON listing BEGIN
  INSERT INTO found (found, rowid, words) VALUES ('delete', OLD.doc, OLD.words);
END;

CREATE TRIGGER listing_changed AFTER UPDATE OF words ON listing BEGIN
  INSERT INTO found (found, rowid, words) VALUES ('delete', OLD.doc, OLD.words);
  INSERT INTO found (rowid, words) VALUES (NEW.doc, NEW.words);
END;
