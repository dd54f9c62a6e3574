-- A thread that was restored from a backup, or copied by replication, carries a number of a transaction of another server. Where
-- this one has not come that far, no walk would see the position that the thread leaves; so it is kept as one that all see.
CREATE OR REPLACE FUNCTION public.remember_thread_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.moved_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND OLD.moved_xid <> NEW.moved_xid THEN
    INSERT INTO public.thread_position (thread_id, updated_at, moved_xid)
    VALUES (OLD.id, OLD.updated_at,
      CASE WHEN OLD.moved_xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN OLD.moved_xid ELSE 0 END)
    ON CONFLICT (thread_id, updated_at) DO UPDATE SET moved_xid = excluded.moved_xid, written_at = excluded.written_at;
  END IF;
  RETURN NEW;
END $$;
