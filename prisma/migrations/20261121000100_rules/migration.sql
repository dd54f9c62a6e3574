-- What Prisma's schema language cannot say: the state machine, the queue's indexes, positions of moving threads, search.

-- ── States ───────────────────────────────────────────────────────────────────────────────────────────────────────────
-- A programming error becomes a failed statement here, never a corrupt thread. The pairs are those of `state.ts`.
CREATE FUNCTION check_thread_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (
    ('ready', 'waiting'),
    ('waiting', 'active'), ('waiting', 'interrupted'), ('waiting', 'error'),
    ('active', 'ready'), ('active', 'error'), ('active', 'interrupted'),
    ('interrupted', 'ready'), ('interrupted', 'waiting')
  ) THEN
    RAISE EXCEPTION 'thread % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER thread_transition BEFORE UPDATE OF state ON thread
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_thread_transition();

CREATE FUNCTION check_response_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (
    ('queued', 'running'), ('queued', 'failed'), ('queued', 'interrupted'),
    ('running', 'succeeded'), ('running', 'failed'), ('running', 'interrupted')
  ) THEN
    RAISE EXCEPTION 'response % cannot go from % to %', OLD.message_id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER response_transition BEFORE UPDATE OF status ON response
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION check_response_transition();

ALTER TABLE thread
  ADD CONSTRAINT thread_queued_at_iff_waiting CHECK ((state = 'waiting') = (queued_at IS NOT NULL)),
  ADD CONSTRAINT thread_epoch_not_negative CHECK (epoch >= 0);
ALTER TABLE response
  ADD CONSTRAINT response_leased_iff_running CHECK ((status = 'running') = (lease_until IS NOT NULL)),
  ADD CONSTRAINT response_finished_iff_final CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL));
ALTER TABLE message
  ADD CONSTRAINT message_sequence_positive CHECK (sequence > 0),
  ADD CONSTRAINT message_contents_are_a_list CHECK (jsonb_typeof(contents) = 'array'),
  ADD CONSTRAINT message_answer_has_a_position CHECK ((reply_to_id IS NULL) = (position IS NULL));

-- The database itself refuses two live responses for one thread.
CREATE UNIQUE INDEX response_one_live_per_thread ON response (thread_id) WHERE status IN ('queued', 'running');
CREATE INDEX thread_waiting ON thread (queued_at) WHERE state = 'waiting';
CREATE INDEX response_running ON response (message_id) WHERE status = 'running';

-- Room for heap-only updates: heartbeats rewrite a response several times and touch no indexed column.
ALTER TABLE response SET (fillfactor = 70);
ALTER TABLE thread SET (fillfactor = 80);

-- ── Positions of moving threads ──────────────────────────────────────────────────────────────────────────────────────
-- A walk over the list serves each thread where it stood when the walk began. So every earlier position of a thread is
-- kept, with the transaction that made it; whether a walk's first page could see one is a question for its snapshot, not
-- its clock. What one transaction made and changed again was never seen by anybody.
CREATE FUNCTION remember_thread_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.moved_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND OLD.moved_xid <> NEW.moved_xid THEN
    INSERT INTO thread_position (thread_id, updated_at, moved_xid) VALUES (OLD.id, OLD.updated_at, OLD.moved_xid)
    ON CONFLICT (thread_id, updated_at) DO UPDATE SET moved_xid = excluded.moved_xid;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER thread_created BEFORE INSERT ON thread FOR EACH ROW EXECUTE FUNCTION remember_thread_position();
CREATE TRIGGER thread_moved BEFORE UPDATE OF updated_at ON thread
  FOR EACH ROW WHEN (OLD.updated_at IS DISTINCT FROM NEW.updated_at) EXECUTE FUNCTION remember_thread_position();

-- ── Search ───────────────────────────────────────────────────────────────────────────────────────────────────────────
-- One folding for texts and queries: compatibility forms and accents go, punctuation separates words, and scripts that
-- are written without spaces are cut into characters, so that a search finds words in any language without a dictionary.
CREATE FUNCTION fold_words(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT regexp_replace(
    normalize(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
$$;

-- PostgreSQL limits a search vector to 1 MiB, so the first 100,000 characters of a text are searched.
CREATE FUNCTION search_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('pg_catalog.simple'::regconfig,
    left(regexp_replace(fold_words(left(coalesce(value, ''), 100000)), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'), 100000))
$$;

CREATE FUNCTION message_search_vector(contents jsonb) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_vector((
    SELECT string_agg(coalesce(block ->> 'text', block ->> 'question'), ' ' ORDER BY place)
    FROM jsonb_array_elements(contents) WITH ORDINALITY AS blocks (block, place)))
$$;

-- Web-search syntax ("quoted phrase", or, -not) that never fails; the last word also matches as a prefix unless it is
-- quoted or negated. Null where nothing searchable is left.
CREATE FUNCTION search_query(value text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text := regexp_replace(fold_words(value), '[\u0001-\u0021\u0023-\u002c\u002e\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g');
  parsed tsquery;
BEGIN
  -- A dash negates only what it touches: neither inside of a word ("red-wine") nor alone ("red - wine") does it.
  words := regexp_replace(words, '([^[:space:]"])-', '\1 ', 'g');
  words := regexp_replace(words, '-(?=[[:space:]]|$)', ' ', 'g');
  parsed := websearch_to_tsquery('pg_catalog.simple'::regconfig, words);
  IF numnode(parsed) = 0 THEN RETURN NULL; END IF;
  IF words ~ '"[[:space:]]*$'                                     -- the last word is quoted,
    OR length(regexp_replace(words, '[^"]', '', 'g')) % 2 = 1     -- or inside a phrase still being typed,
    OR words ~ '(^|[[:space:]])-[[:space:]]*[^[:space:]]*[[:space:]]*$' -- or negated,
    OR parsed::text ~ '\)$'                                      -- or a group: then nothing is a prefix
  THEN RETURN parsed; END IF;
  RETURN (parsed::text || ':*')::tsquery;
END $$;

ALTER TABLE thread ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(name)) STORED;
ALTER TABLE message ADD COLUMN search tsvector GENERATED ALWAYS AS (message_search_vector(contents)) STORED;
CREATE INDEX thread_search ON thread USING gin (search);
CREATE INDEX message_search ON message USING gin (search) WHERE active;
