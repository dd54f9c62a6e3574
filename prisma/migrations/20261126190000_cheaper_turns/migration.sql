-- What a turn costs PostgreSQL. The functions do what they did. A function in SQL is read from the catalog, planned and set up anew for
-- each statement that has it in a generated column or calls it; one in PL/pgSQL is kept, with its plans, for as long as the session lasts.

CREATE OR REPLACE FUNCTION public.search_vector(value text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF value IS NULL THEN
    RETURN '''Folded'''::tsvector;
  END IF;
  RETURN to_tsvector('pg_catalog.simple'::regconfig, public.searched_words(value)) || '''Folded'''::tsvector;
END $$;

-- Most messages are one block, whose text takes no query of its own.
CREATE OR REPLACE FUNCTION public.message_search_vector(contents jsonb) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF jsonb_array_length(contents) = 1 THEN
    RETURN public.search_vector(left(coalesce(contents -> 0 ->> 'text', contents -> 0 ->> 'question'), 100000));
  END IF;
  RETURN public.search_vector((
    SELECT left(string_agg(coalesce(block ->> 'text', block ->> 'question'), ' ' ORDER BY place), 100000)
    FROM jsonb_array_elements(contents) WITH ORDINALITY AS blocks (block, place)));
END $$;

CREATE OR REPLACE FUNCTION public.record_thread_event(thread text, message text, what text, attempt int, epoch bigint, worker text, cause text)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  oldest bigint;
BEGIN
  INSERT INTO public.thread_event (thread_id, message_id, at, what, attempt, epoch, worker_id, node, cause)
  VALUES (thread, message, date_trunc('milliseconds', clock_timestamp()), what, attempt, epoch, worker, current_setting('application_name'), cause);
  -- Nearly always there is none to remove.
  SELECT e.id INTO oldest FROM public.thread_event e WHERE e.thread_id = thread ORDER BY e.id DESC OFFSET 199 LIMIT 1;
  IF FOUND THEN
    DELETE FROM public.thread_event e WHERE e.thread_id = thread AND e.id < oldest;
  END IF;
END $$;

-- The event before the last needs no removal of its own.
CREATE OR REPLACE FUNCTION public.record_response_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE
    WHEN TG_OP = 'INSERT' AND NEW.status <> 'running' THEN 'queued'
    WHEN NEW.status <> 'running' THEN NEW.status::text
    WHEN TG_OP = 'INSERT' OR OLD.status = 'queued' THEN 'started'
    WHEN NEW.worker_id IS DISTINCT FROM OLD.worker_id THEN 'taken_over'
    ELSE 'restarted'
  END;
BEGIN
  IF TG_OP = 'INSERT' AND what = 'started' THEN
    INSERT INTO public.thread_event (thread_id, message_id, at, what, attempt, epoch, node)
    VALUES (NEW.thread_id, NEW.message_id, date_trunc('milliseconds', clock_timestamp()), 'queued', 0, 0, current_setting('application_name'));
  END IF;
  PERFORM public.record_thread_event(NEW.thread_id, NEW.message_id, what, NEW.attempt, NEW.epoch, NEW.worker_id, NEW.error_code);
  RETURN NULL;
END $$;
