-- Each entry is also told to the connection that wrote it, as a message of severity INFO, for the log of its process
-- (`src/database/committed-messages.ts`). A program of an earlier version drops it.
CREATE OR REPLACE FUNCTION public.audit(act text, subject text, target text, usual text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  actor text := coalesce(nullif(current_setting('skein.actor', true), ''), usual);
  said jsonb;
BEGIN
  INSERT INTO public.audit_event AS e (organization_id, act, actor_kind, actor_id, subject_id, target_id)
  SELECT u.organization_id, act,
    CASE WHEN actor IS NOT NULL THEN 'user'
      WHEN starts_with(current_setting('application_name'), 'skein node ') THEN 'service' ELSE 'command_line' END,
    actor, subject, target
  FROM public.user_account u WHERE u.id = subject
  RETURNING jsonb_build_object('act', e.act, 'actorKind', e.actor_kind, 'actorId', e.actor_id, 'subjectId', e.subject_id,
    'targetId', e.target_id, 'organization', e.organization_id) INTO said;
  IF FOUND THEN
    RAISE INFO USING ERRCODE = 'SKAUD', MESSAGE = 'audit', DETAIL = said::text;
  END IF;
END $$;

-- In a node, passwords are chosen by whom they let in. Anybody else is the operator.
CREATE FUNCTION public.audit_password() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.audit('password_changed', NEW.user_id, NULL,
    CASE WHEN starts_with(current_setting('application_name'), 'skein node ') THEN NEW.user_id END);
  RETURN NULL;
END $$;

CREATE TRIGGER password_chosen_is_audited AFTER INSERT ON account
  FOR EACH ROW WHEN (NEW.password IS NOT NULL) EXECUTE FUNCTION public.audit_password();
CREATE TRIGGER password_changed_is_audited AFTER UPDATE OF password ON account
  FOR EACH ROW WHEN (NEW.password IS DISTINCT FROM OLD.password) EXECUTE FUNCTION public.audit_password();
