-- A statement may queue a response and claim it at once. Its thread passes through `waiting` all the same: the statement says so by
-- stating when it was queued, both steps are checked, and the history has both. Versions before this one do neither.

CREATE OR REPLACE FUNCTION public.check_thread_transition() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  passes_waiting boolean := NEW.state = 'active' AND NEW.queued_at IS NOT NULL AND OLD.queued_at IS NULL;
  step public.thread_state := CASE WHEN passes_waiting THEN 'waiting' ELSE NEW.state END;
BEGIN
  IF (OLD.state, step) NOT IN (
    ('ready', 'waiting'),
    ('waiting', 'active'), ('waiting', 'interrupted'), ('waiting', 'error'),
    ('active', 'ready'), ('active', 'error'), ('active', 'interrupted'),
    ('interrupted', 'ready'), ('interrupted', 'waiting')
  ) THEN
    RAISE EXCEPTION 'thread % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  IF passes_waiting THEN
    NEW.queued_at := NULL;
  END IF;
  RETURN NEW;
END $$;

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
    PERFORM public.record_thread_event(NEW.thread_id, NEW.message_id, 'queued', 0, 0, NULL, NULL);
  END IF;
  PERFORM public.record_thread_event(NEW.thread_id, NEW.message_id, what, NEW.attempt, NEW.epoch, NEW.worker_id, NEW.error_code);
  RETURN NULL;
END $$;

-- Of the responses that are inserted, only those of imported threads have ended.
DROP TRIGGER response_queued ON response;
CREATE TRIGGER response_queued AFTER INSERT ON response FOR EACH ROW WHEN (NEW.status IN ('queued', 'running'))
  EXECUTE FUNCTION record_response_event();
