-- Administrators read the ratings of their organization, newest first. A trigger sets the organization, which is that of the
-- thread, because an older release that still runs does not.
ALTER TABLE "feedback" ADD COLUMN "organization_id" INTEGER;

CREATE FUNCTION public.set_feedback_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT t.organization_id INTO NEW.organization_id
  FROM public.message m JOIN public.thread t ON t.id = m.thread_id WHERE m.id = NEW.message_id;
  RETURN NEW;
END $$;

CREATE TRIGGER feedback_has_organization BEFORE INSERT ON feedback
  FOR EACH ROW EXECUTE FUNCTION public.set_feedback_organization();

UPDATE feedback f SET organization_id = t.organization_id
FROM message m JOIN thread t ON t.id = m.thread_id WHERE m.id = f.message_id;

CREATE INDEX "feedback_organization_id_updated_at_message_id_user_id_idx"
  ON "feedback"("organization_id", "updated_at", "message_id", "user_id");
