-- CreateTable
CREATE TABLE "deleted_thread" (
    "id" TEXT NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "is_private" BOOLEAN NOT NULL,
    "owner_id" TEXT,
    "changed_xid" BIGINT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "deleted_thread_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deleted_thread_organization_id_changed_xid_id_idx" ON "deleted_thread"("organization_id", "changed_xid", "id");

-- CreateIndex
CREATE INDEX "deleted_thread_owner_id_idx" ON "deleted_thread"("owner_id");

-- AddForeignKey
ALTER TABLE "deleted_thread" ADD CONSTRAINT "deleted_thread_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "organization" ADD COLUMN "retention_days" INTEGER CHECK ("retention_days" BETWEEN 1 AND 36500);

-- Few organizations state one, and housekeeping looks for them.
CREATE INDEX organization_retention ON organization (id) WHERE retention_days IS NOT NULL;

-- What remains of a thread, so that the feeds of those who could see it tell of its end, however late they ask. A trigger does
-- it, so that no statement can forget to. A thread that is not private needs no owner: whoever is in the organization saw it.
CREATE FUNCTION public.note_thread_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.deleted_thread (id, organization_id, is_private, owner_id, changed_xid)
  VALUES (OLD.id, OLD.organization_id, OLD.is_private, CASE WHEN OLD.is_private THEN OLD.owner_id END,
    pg_current_xact_id()::text::bigint);
  PERFORM public.audit('thread_deleted', OLD.owner_id, OLD.id, NULL);
  PERFORM public.wake('thread_changed', OLD.organization_id || ' ' || OLD.id);
  -- Without an owner behind it, this ends what everybody has open of the thread.
  PERFORM pg_notify('access_ended', OLD.id);
  RETURN NULL;
END $$;

CREATE TRIGGER thread_deletion_is_noted AFTER DELETE ON thread FOR EACH ROW EXECUTE FUNCTION public.note_thread_deletion();

-- Before, because the audit log finds the organization by the user.
CREATE FUNCTION public.audit_member_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.audit('member_deleted', OLD.id, NULL, NULL);
  RETURN OLD;
END $$;

CREATE TRIGGER member_deleted_is_audited BEFORE DELETE ON user_account FOR EACH ROW EXECUTE FUNCTION public.audit_member_deletion();
