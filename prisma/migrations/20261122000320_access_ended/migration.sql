-- Says at once, to every node, that somebody's access has ended: the payload is the id of a token, a session or a user, or of a
-- thread that became private, with its owner behind it. All of it is rare; expiry by time is found by the nodes themselves.
CREATE FUNCTION say_access_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_ended', CASE WHEN TG_TABLE_NAME = 'thread'
    THEN OLD.id || ' ' || (to_jsonb(OLD) ->> 'owner_id') ELSE OLD.id END);
  RETURN NULL;
END $$;

CREATE TRIGGER access_token_end_is_said AFTER UPDATE OF revoked_at, expires_at ON access_token FOR EACH ROW
  WHEN ((NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL) OR NEW.expires_at <= now()) EXECUTE FUNCTION say_access_ended();
CREATE TRIGGER access_token_removal_is_said AFTER DELETE ON access_token FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL) EXECUTE FUNCTION say_access_ended();
CREATE TRIGGER session_end_is_said AFTER DELETE ON session FOR EACH ROW
  WHEN (OLD.expires_at > now()) EXECUTE FUNCTION say_access_ended();
CREATE TRIGGER user_end_is_said AFTER UPDATE OF removed_at ON user_account FOR EACH ROW
  WHEN (NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL) EXECUTE FUNCTION say_access_ended();
CREATE TRIGGER thread_privacy_is_said AFTER UPDATE OF is_private ON thread FOR EACH ROW
  WHEN (NEW.is_private AND NOT OLD.is_private) EXECUTE FUNCTION say_access_ended();
