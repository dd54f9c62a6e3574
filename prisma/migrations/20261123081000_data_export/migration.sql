-- An export reads each list of a person by the key after which it goes on. The indexes of three lists get that key as their last
-- column; threads have one more.

-- CreateIndex
CREATE INDEX "thread_owner_id_id_idx" ON "thread"("owner_id", "id");

-- DropIndex
DROP INDEX "attachment_owner_id_idx";
-- CreateIndex
CREATE INDEX "attachment_owner_id_id_idx" ON "attachment"("owner_id", "id");

-- DropIndex
DROP INDEX "feedback_user_id_idx";
-- CreateIndex
CREATE INDEX "feedback_user_id_message_id_idx" ON "feedback"("user_id", "message_id");

-- DropIndex
DROP INDEX "session_user_id_idx";
-- CreateIndex
CREATE INDEX "session_user_id_id_idx" ON "session"("user_id", "id");

-- An entry of the audit log as before, but with its id, by which an export proves that it is recorded. Null for a user who is
-- being deleted with the organization.
CREATE FUNCTION public.audit_entry(act text, subject text, target text, usual text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  actor text := coalesce(nullif(current_setting('skein.actor', true), ''), usual);
  entry uuid;
  said jsonb;
BEGIN
  INSERT INTO public.audit_event AS e (organization_id, act, actor_kind, actor_id, subject_id, target_id)
  SELECT u.organization_id, act,
    CASE WHEN actor IS NOT NULL THEN 'user'
      WHEN starts_with(current_setting('application_name'), 'skein node ') THEN 'service' ELSE 'command_line' END,
    actor, subject, target
  FROM public.user_account u WHERE u.id = subject
  RETURNING e.id, jsonb_build_object('act', e.act, 'actorKind', e.actor_kind, 'actorId', e.actor_id,
    'subjectId', e.subject_id, 'targetId', e.target_id, 'organization', e.organization_id) INTO entry, said;
  IF FOUND THEN
    RAISE INFO USING ERRCODE = 'SKAUD', MESSAGE = 'audit', DETAIL = said::text;
  END IF;
  RETURN entry;
END $$;

CREATE OR REPLACE FUNCTION public.audit(act text, subject text, target text, usual text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.audit_entry(act, subject, target, usual);
END $$;
