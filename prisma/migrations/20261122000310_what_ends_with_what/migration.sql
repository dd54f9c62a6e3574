-- AlterTable
ALTER TABLE "access_token" ADD COLUMN     "parent_id" TEXT;

-- CreateIndex
CREATE INDEX "access_token_parent_id_idx" ON "access_token"("parent_id");

-- AddForeignKey
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "access_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whatever lets a user in is made for a user who is present. The row of the user is locked, so that of making something and
-- removing the user, one sees the other.
CREATE FUNCTION require_present_user() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM user_account WHERE id = NEW.user_id AND removed_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'user % was removed', NEW.user_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER access_token_user_is_present BEFORE INSERT ON access_token FOR EACH ROW EXECUTE FUNCTION require_present_user();
CREATE TRIGGER session_user_is_present BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION require_present_user();
CREATE TRIGGER account_user_is_present BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION require_present_user();
CREATE TRIGGER sign_in_link_user_is_present BEFORE INSERT ON sign_in_link FOR EACH ROW EXECUTE FUNCTION require_present_user();

-- Removing a user ends all of it. A trigger, because its statements see what was committed while the removal waited for the
-- user's row; the statement that removes would not.
CREATE FUNCTION end_all_of_user() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE access_token SET revoked_at = now() WHERE user_id = NEW.id AND revoked_at IS NULL;
  DELETE FROM session WHERE user_id = NEW.id;
  DELETE FROM account WHERE user_id = NEW.id;
  DELETE FROM sign_in_link WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER user_removed AFTER UPDATE OF removed_at ON user_account
  FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION end_all_of_user();

-- A token that was made with another one belongs to the same user, can do no more, and ends no later. The row of the parent is
-- locked, so that of making a token and revoking its parent, one sees the other.
CREATE FUNCTION check_token_parent() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM access_token p
  WHERE p.id = NEW.parent_id AND p.user_id = NEW.user_id AND NEW.scopes <@ p.scopes AND p.revoked_at IS NULL
    AND (p.expires_at IS NULL OR (p.expires_at > now() AND NEW.expires_at <= p.expires_at))
  FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'token % cannot make such a token', NEW.parent_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER access_token_fits_parent BEFORE INSERT ON access_token
  FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION check_token_parent();

-- What a token made ends with it. The trigger fires for the children too, and so for theirs.
CREATE FUNCTION end_child_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE access_token c
  SET revoked_at = coalesce(c.revoked_at, NEW.revoked_at), expires_at = least(c.expires_at, NEW.expires_at)
  WHERE c.parent_id = NEW.id
    AND ((c.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) OR coalesce(c.expires_at, 'infinity') > NEW.expires_at);
  RETURN NULL;
END $$;

CREATE TRIGGER access_token_ended AFTER UPDATE OF revoked_at, expires_at ON access_token
  FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL OR NEW.expires_at IS NOT NULL) EXECUTE FUNCTION end_child_tokens();
