-- Processes remember for a second whom a token belongs to. This tells them at once that a user is not what they were: the id stands
-- twice, which ends nothing that is open (a notification with a second id ends the access of all others to it).
CREATE FUNCTION public.say_user_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_ended', NEW.id || ' ' || NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER user_change_is_said AFTER UPDATE OF role, name, email, organization_id ON user_account FOR EACH ROW
  WHEN ((NEW.role, NEW.name, NEW.email, NEW.organization_id) IS DISTINCT FROM (OLD.role, OLD.name, OLD.email, OLD.organization_id))
  EXECUTE FUNCTION public.say_user_changed();
