-- Who let whom in, and what was made or ended with which access can be had. Triggers write it, so that it is in the same
-- transaction as the act, whoever acts: the service, the library for signing in, a command, or an older version that still runs.

-- CreateTable
CREATE TABLE "audit_event" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "act" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "subject_id" TEXT NOT NULL,
    "target_id" TEXT,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_event_organization_id_at_id_idx" ON "audit_event"("organization_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_event_at_idx" ON "audit_event"("at");

-- AddForeignKey
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- `skein.actor` is the user on whose behalf the transaction acts; `usual` is who acts if it is not set, null for the operator. A
-- user who is being deleted with the organization has no row any more, and their events go with it.
CREATE FUNCTION public.audit(act text, subject text, target text, usual text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  actor text := coalesce(nullif(current_setting('skein.actor', true), ''), usual);
BEGIN
  INSERT INTO public.audit_event (organization_id, act, actor_kind, actor_id, subject_id, target_id)
  SELECT u.organization_id, act,
    CASE WHEN actor IS NOT NULL THEN 'user'
      WHEN starts_with(current_setting('application_name'), 'skein node ') THEN 'service' ELSE 'command_line' END,
    actor, subject, target
  FROM public.user_account u WHERE u.id = subject;
END $$;

CREATE FUNCTION public.audit_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.audit('signed_in', NEW.user_id, NEW.id, NEW.user_id);
  ELSE
    PERFORM public.audit('signed_out', OLD.user_id, OLD.id, OLD.user_id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER session_begun_is_audited AFTER INSERT ON session FOR EACH ROW EXECUTE FUNCTION public.audit_session();
CREATE TRIGGER session_ended_is_audited AFTER DELETE ON session
  FOR EACH ROW WHEN (OLD.expires_at > now()) EXECUTE FUNCTION public.audit_session();

CREATE FUNCTION public.audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.audit(TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1], to_jsonb(NEW) ->> TG_ARGV[2], NULL);
  RETURN NULL;
END $$;

CREATE TRIGGER token_created_is_audited AFTER INSERT ON access_token
  FOR EACH ROW EXECUTE FUNCTION public.audit_row('token_created', 'user_id', 'id');
CREATE TRIGGER token_revoked_is_audited AFTER UPDATE OF revoked_at ON access_token
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION public.audit_row('token_revoked', 'user_id', 'id');
CREATE TRIGGER link_created_is_audited AFTER INSERT OR UPDATE OF digest ON sign_in_link
  FOR EACH ROW EXECUTE FUNCTION public.audit_row('sign_in_link_created', 'user_id');
CREATE TRIGGER member_added_is_audited AFTER INSERT ON user_account
  FOR EACH ROW EXECUTE FUNCTION public.audit_row('member_added', 'id');
CREATE TRIGGER member_added_again_is_audited AFTER UPDATE OF removed_at ON user_account
  FOR EACH ROW WHEN (OLD.removed_at IS NOT NULL AND NEW.removed_at IS NULL)
  EXECUTE FUNCTION public.audit_row('member_added', 'id');
CREATE TRIGGER member_removed_is_audited AFTER UPDATE OF removed_at ON user_account
  FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
  EXECUTE FUNCTION public.audit_row('member_removed', 'id');
CREATE TRIGGER role_changed_is_audited AFTER UPDATE OF role ON user_account
  FOR EACH ROW WHEN (OLD.role <> NEW.role) EXECUTE FUNCTION public.audit_row('role_changed', 'id', 'role');
