-- A thread that has rested for months leaves a position of that age when it moves, and a walk that began before needs it. So a
-- position is kept by when it was written. Those that are stored already count as written now.
ALTER TABLE "thread_position" ADD COLUMN "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- DropIndex
DROP INDEX "thread_position_updated_at_idx";

-- CreateIndex
CREATE INDEX "thread_position_written_at_idx" ON "thread_position"("written_at");

CREATE OR REPLACE FUNCTION public.remember_thread_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.moved_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND OLD.moved_xid <> NEW.moved_xid THEN
    INSERT INTO public.thread_position (thread_id, updated_at, moved_xid) VALUES (OLD.id, OLD.updated_at, OLD.moved_xid)
    ON CONFLICT (thread_id, updated_at) DO UPDATE SET moved_xid = excluded.moved_xid, written_at = excluded.written_at;
  END IF;
  RETURN NEW;
END $$;

-- Housekeeping removes the oldest of what was not sent, whoever owns it.
CREATE INDEX attachment_unsent_by_age ON attachment (created_at) WHERE message_id IS NULL;
