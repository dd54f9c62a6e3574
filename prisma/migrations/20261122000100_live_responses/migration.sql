-- The state of a thread and its live response are two rows that say one thing: `waiting` goes with one queued response,
-- `active` with one running response of the same epoch, and any other state with none. From here on the database refuses a
-- transaction that would leave another pair behind. Pairs that earlier versions left behind are repaired first.

-- Finds threads that are active without a running response.
CREATE INDEX thread_active ON thread (id) WHERE state = 'active';

-- Threads whose state and live response contradict each other. Each part is led by a partial index.
CREATE VIEW impossible_pair AS
  SELECT t.id AS thread_id, t.state, t.epoch AS thread_epoch, r.message_id, r.status, r.epoch AS response_epoch
  FROM thread t LEFT JOIN response r ON r.thread_id = t.id AND r.status IN ('queued', 'running')
  WHERE t.state = 'waiting' AND r.status IS DISTINCT FROM 'queued'
UNION ALL
  SELECT t.id, t.state, t.epoch, r.message_id, r.status, r.epoch
  FROM thread t LEFT JOIN response r ON r.thread_id = t.id AND r.status IN ('queued', 'running')
  WHERE t.state = 'active' AND (r.status IS DISTINCT FROM 'running' OR r.epoch <> t.epoch)
UNION ALL
  SELECT t.id, t.state, t.epoch, r.message_id, r.status, r.epoch
  FROM response r JOIN thread t ON t.id = r.thread_id
  WHERE r.status IN ('queued', 'running') AND t.state NOT IN ('waiting', 'active');

-- Repairs up to 1,000 threads, so that every message is answered where it still can be, and says what it found and made of
-- each. Both rows are locked, and judged again under the locks. A thread that somebody else has locked is left for later.
CREATE FUNCTION repair_impossible_pairs() RETURNS TABLE (thread_id text, message_id text, before text, after text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  candidate text;
  t record;
  r record;
  reason CONSTANT text := 'The response was lost by a fault of the service.';
BEGIN
  FOR candidate IN SELECT DISTINCT pair.thread_id FROM public.impossible_pair pair LIMIT 1000 LOOP
    SELECT id, state, epoch INTO t FROM public.thread WHERE id = candidate FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    SELECT response.message_id, status, epoch, created_at INTO r FROM public.response
    WHERE response.thread_id = candidate AND status IN ('queued', 'running') FOR UPDATE;
    CONTINUE WHEN NOT EXISTS (SELECT FROM public.impossible_pair pair WHERE pair.thread_id = candidate);

    IF r.message_id IS NULL THEN
      after := 'interrupted';
      UPDATE public.thread SET state = 'interrupted', queued_at = NULL, interrupt_reason = reason, epoch = t.epoch + 1,
        updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at)
      WHERE id = candidate;
    ELSIF t.state IN ('waiting', 'active') THEN
      -- A run whose lease has passed: the next takeover starts it.
      after := 'active / running';
      t.epoch := greatest(t.epoch, r.epoch) + 1;
      UPDATE public.thread SET state = 'active', queued_at = NULL, epoch = t.epoch WHERE id = candidate;
      UPDATE public.response SET status = 'running', epoch = t.epoch, lease_until = clock_timestamp(),
        started_at = coalesce(started_at, clock_timestamp()), deadline_at = clock_timestamp() + interval '10 minutes'
      WHERE response.message_id = r.message_id;
    ELSIF t.state IN ('ready', 'interrupted') AND r.status = 'queued' THEN
      after := 'waiting / queued';
      UPDATE public.thread SET state = 'waiting', queued_at = r.created_at, interrupt_reason = NULL WHERE id = candidate;
      PERFORM pg_notify('response_queued', '');
    ELSE
      after := t.state || ' / ' || CASE t.state WHEN 'error' THEN 'failed' ELSE 'interrupted' END;
      UPDATE public.response SET status = CASE t.state WHEN 'error' THEN 'failed' ELSE 'interrupted' END::public.response_status,
        lease_until = NULL, finished_at = clock_timestamp(), error_message = reason,
        error_code = CASE t.state WHEN 'error' THEN 'internal_error' ELSE 'response_interrupted' END
      WHERE response.message_id = r.message_id;
    END IF;
    PERFORM pg_notify('response_changed', r.message_id) WHERE r.message_id IS NOT NULL;
    thread_id := candidate;
    message_id := r.message_id;
    before := t.state || ' / ' || coalesce(r.status::text, 'none');
    RETURN NEXT;
  END LOOP;
END $$;

DO $$
BEGIN
  FOR batch IN 1 .. 10000 LOOP
    PERFORM public.repair_impossible_pairs();
    EXIT WHEN NOT FOUND;
  END LOOP;
END $$;

-- Whoever changes which of these pairs a thread is must change both rows, so of two such transactions the second waits for
-- the first; the check reads the rows after that, as they are when the transaction commits.
CREATE FUNCTION check_live_response() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  id_of_thread text;
  t record;
  r record;
BEGIN
  IF TG_TABLE_NAME = 'thread' THEN id_of_thread := NEW.id;
  ELSIF TG_OP = 'DELETE' THEN id_of_thread := OLD.thread_id;
  ELSE id_of_thread := NEW.thread_id; END IF;
  SELECT state, epoch INTO t FROM public.thread WHERE id = id_of_thread;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT status, epoch INTO r FROM public.response WHERE thread_id = id_of_thread AND status IN ('queued', 'running');
  IF t.state = 'waiting' AND r.status = 'queued' OR t.state = 'active' AND r.status = 'running' AND r.epoch = t.epoch
    OR t.state NOT IN ('waiting', 'active') AND r.status IS NULL
  THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'thread % cannot be % in epoch % with a live response that is % in epoch %',
    id_of_thread, t.state, t.epoch, coalesce(r.status::text, 'none'), r.epoch USING ERRCODE = 'check_violation';
END $$;

-- Deferred, so that a transaction may change one row after the other. The triggers are those of ordinary sessions: a
-- restored dump has its rows before it has triggers, `pg_restore --disable-triggers` and the subscriber of a logical
-- replication load table by table without them, and the workers repair what any of these leaves behind.
CREATE CONSTRAINT TRIGGER thread_queued AFTER INSERT ON thread DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.state IN ('waiting', 'active')) EXECUTE FUNCTION check_live_response();
CREATE CONSTRAINT TRIGGER thread_paired AFTER UPDATE OF state, epoch ON thread DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state OR OLD.epoch IS DISTINCT FROM NEW.epoch)
  EXECUTE FUNCTION check_live_response();
CREATE CONSTRAINT TRIGGER response_live AFTER INSERT ON response DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status IN ('queued', 'running')) EXECUTE FUNCTION check_live_response();
CREATE CONSTRAINT TRIGGER response_paired AFTER UPDATE OF status, epoch ON response DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.epoch IS DISTINCT FROM NEW.epoch)
  EXECUTE FUNCTION check_live_response();
CREATE CONSTRAINT TRIGGER response_removed AFTER DELETE ON response DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status IN ('queued', 'running')) EXECUTE FUNCTION check_live_response();
