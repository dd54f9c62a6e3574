-- CreateTable
CREATE TABLE "thread_event" (
    "id" BIGSERIAL NOT NULL,
    "thread_id" TEXT NOT NULL,
    "message_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "what" TEXT NOT NULL,
    "attempt" INTEGER,
    "epoch" BIGINT NOT NULL,
    "worker_id" TEXT,
    "node" TEXT NOT NULL,
    "cause" TEXT,

    CONSTRAINT "thread_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "thread_event_thread_id_id_idx" ON "thread_event"("thread_id", "id");

-- AddForeignKey
ALTER TABLE "thread_event" ADD CONSTRAINT "thread_event_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Kept by triggers, so that no statement of the protocol can forget it; the newest 200 of a thread stay.
CREATE FUNCTION record_thread_event(thread text, message text, what text, attempt int, epoch bigint, worker text, cause text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO thread_event (thread_id, message_id, at, what, attempt, epoch, worker_id, node, cause)
  VALUES (thread, message, date_trunc('milliseconds', clock_timestamp()), what, attempt, epoch, worker,
    current_setting('application_name'), cause);
  DELETE FROM thread_event WHERE thread_id = thread AND id < (
    SELECT id FROM thread_event WHERE thread_id = thread ORDER BY id DESC OFFSET 199 LIMIT 1);
$$;

CREATE FUNCTION record_response_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE
    WHEN TG_OP = 'INSERT' THEN 'queued'
    WHEN NEW.status <> 'running' THEN NEW.status::text
    WHEN OLD.status = 'queued' THEN 'started'
    WHEN NEW.worker_id IS DISTINCT FROM OLD.worker_id THEN 'taken_over'
    ELSE 'restarted'
  END;
BEGIN
  PERFORM record_thread_event(NEW.thread_id, NEW.message_id, what, NEW.attempt, NEW.epoch, NEW.worker_id, NEW.error_code);
  RETURN NULL;
END $$;

CREATE TRIGGER response_queued AFTER INSERT ON response FOR EACH ROW EXECUTE FUNCTION record_response_event();
CREATE TRIGGER response_changed AFTER UPDATE OF status, attempt ON response FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.attempt IS DISTINCT FROM NEW.attempt)
  EXECUTE FUNCTION record_response_event();

CREATE FUNCTION record_resume() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_thread_event(NEW.id, NULL, 'resumed', NULL, NEW.epoch, NULL, NULL);
  RETURN NULL;
END $$;

CREATE TRIGGER thread_resumed AFTER UPDATE OF state ON thread FOR EACH ROW
  WHEN (OLD.state = 'interrupted' AND NEW.state = 'ready') EXECUTE FUNCTION record_resume();
