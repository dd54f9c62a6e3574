-- Threads that were imported from another service: which of its conversations each one is, so that an import can be repeated. Null for
-- all others, and for those that an earlier release creates meanwhile.
ALTER TABLE "thread" ADD COLUMN "import_key" TEXT;

-- Few threads are imported, and these cost the others nothing.
CREATE UNIQUE INDEX thread_import ON thread (owner_id, import_key) WHERE import_key IS NOT NULL;

-- The responses of an imported thread ended elsewhere: nothing was queued here, and the history must not say so. An earlier release
-- inserts none but queued ones.
DROP TRIGGER response_queued ON response;
CREATE TRIGGER response_queued AFTER INSERT ON response FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION record_response_event();
