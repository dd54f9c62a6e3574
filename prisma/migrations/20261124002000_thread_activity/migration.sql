-- When something last happened in the conversation, for a list that a change of name, of privacy or of the archive does not
-- reorder. Null where that is the time of the last update, which is nearly always, so that no row must be rewritten here. The
-- trigger keeps it for earlier releases too, which know nothing of it.
ALTER TABLE "thread" ADD COLUMN "active_at" TIMESTAMPTZ(3);

CREATE FUNCTION public.keep_thread_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IS DISTINCT FROM NEW.state OR OLD.last_sequence IS DISTINCT FROM NEW.last_sequence THEN
    NEW.active_at := NULL;
  ELSE
    NEW.active_at := coalesce(OLD.active_at, OLD.updated_at);
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER thread_activity BEFORE UPDATE OF updated_at ON thread
  FOR EACH ROW WHEN (OLD.updated_at IS DISTINCT FROM NEW.updated_at) EXECUTE FUNCTION public.keep_thread_activity();

-- The same indexes as for the order by update.
CREATE INDEX thread_by_activity ON thread (organization_id, (coalesce(active_at, updated_at)), id);
CREATE INDEX thread_of_owner_by_activity ON thread (owner_id, (coalesce(active_at, updated_at)), id);
CREATE INDEX thread_archived_by_activity ON thread (organization_id, (coalesce(active_at, updated_at)), id) WHERE archived;
