-- AlterTable
ALTER TABLE "thread" ADD COLUMN "changed_xid" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "hidden_xid" BIGINT;

-- CreateIndex
CREATE INDEX "thread_organization_id_changed_xid_id_idx" ON "thread"("organization_id", "changed_xid", "id");

-- Few threads were ever hidden, so this one costs the others nothing.
CREATE INDEX thread_hidden ON thread (organization_id, hidden_xid, id) WHERE hidden_xid IS NOT NULL;

-- Each thread carries the transaction that last changed it, and the one that last took it from the others' sight. So "what
-- changed since this snapshot" is a question of two indexes, however long ago that was, and no log of changes grows. A trigger
-- does it, on every insert and update, so that no statement can forget to say what it did.
CREATE FUNCTION note_thread_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND NEW.is_private AND NOT OLD.is_private THEN
    NEW.hidden_xid := NEW.changed_xid;
  END IF;
  PERFORM pg_notify('thread_changed', NEW.organization_id || ' ' || NEW.id);
  RETURN NEW;
END $$;

CREATE TRIGGER thread_noted BEFORE INSERT OR UPDATE ON thread FOR EACH ROW EXECUTE FUNCTION note_thread_change();

-- Numbers of transactions compare within one history of one database. A cursor of another one (restored from a dump, or to
-- an earlier moment, which starts a new time line) must be refused, not misread. Where a provider forbids these functions,
-- any text will do that is changed by hand after each restore.
CREATE FUNCTION thread_change_history() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('.',
    (SELECT system_identifier FROM pg_control_system()),
    (SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT oid FROM pg_database WHERE datname = current_database()))
$$;
