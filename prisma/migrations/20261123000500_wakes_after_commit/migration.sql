-- PostgreSQL takes one lock for the whole cluster from the beginning of a notifying commit to the end of its flush, so commits
-- that notify never share a flush. A node of the service therefore gets its wakes back as messages of severity INFO, which every
-- client receives whatever its settings, and passes them on after the commit (`src/database/wakes.ts`). It is recognized by
-- its application name. Any other session still notifies: psql, a command, a node of an earlier version, or a node behind a
-- pooler that does not pass the name on.
CREATE FUNCTION public.wake(channel text, payload text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF starts_with(current_setting('application_name'), 'skein node ') THEN
    RAISE INFO USING ERRCODE = 'SKWKE', MESSAGE = channel, DETAIL = payload;
  ELSE
    PERFORM pg_notify(channel, payload);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION public.note_thread_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND NEW.is_private AND NOT OLD.is_private THEN
    NEW.hidden_xid := NEW.changed_xid;
  END IF;
  PERFORM public.wake('thread_changed', NEW.organization_id || ' ' || NEW.id);
  RETURN NEW;
END $$;
