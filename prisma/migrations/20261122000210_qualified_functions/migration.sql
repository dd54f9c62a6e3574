-- A trigger may fire where the search_path is empty (pg_restore of data alone, some poolers, a subscriber that is written to), so each table
-- and function that one names is named with its schema. Nothing else in them is changed.

CREATE OR REPLACE FUNCTION public.remember_thread_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.moved_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND OLD.moved_xid <> NEW.moved_xid THEN
    INSERT INTO public.thread_position (thread_id, updated_at, moved_xid) VALUES (OLD.id, OLD.updated_at, OLD.moved_xid)
    ON CONFLICT (thread_id, updated_at) DO UPDATE SET moved_xid = excluded.moved_xid;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION public.record_thread_event(thread text, message text, what text, attempt int, epoch bigint, worker text, cause text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.thread_event (thread_id, message_id, at, what, attempt, epoch, worker_id, node, cause)
  VALUES (thread, message, date_trunc('milliseconds', clock_timestamp()), what, attempt, epoch, worker,
    current_setting('application_name'), cause);
  DELETE FROM public.thread_event WHERE thread_id = thread AND id < (
    SELECT id FROM public.thread_event WHERE thread_id = thread ORDER BY id DESC OFFSET 199 LIMIT 1);
$$;

CREATE OR REPLACE FUNCTION public.record_response_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE
    WHEN TG_OP = 'INSERT' THEN 'queued'
    WHEN NEW.status <> 'running' THEN NEW.status::text
    WHEN OLD.status = 'queued' THEN 'started'
    WHEN NEW.worker_id IS DISTINCT FROM OLD.worker_id THEN 'taken_over'
    ELSE 'restarted'
  END;
BEGIN
  PERFORM public.record_thread_event(NEW.thread_id, NEW.message_id, what, NEW.attempt, NEW.epoch, NEW.worker_id, NEW.error_code);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION public.record_resume() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.record_thread_event(NEW.id, NULL, 'resumed', NULL, NEW.epoch, NULL, NULL);
  RETURN NULL;
END $$;
