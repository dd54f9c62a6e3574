-- A user has at most one account with each issuer. Of two accounts of a provider that come with the same address in the same
-- moment, the second waits for the first and is refused. A unique index would fail on rows from before this rule.
CREATE FUNCTION refuse_second_account() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM user_account WHERE id = NEW.user_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM account WHERE user_id = NEW.user_id AND issuer = NEW.issuer) THEN
    RAISE EXCEPTION 'user % has an account with % already', NEW.user_id, NEW.issuer USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER account_is_the_only_one BEFORE INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION refuse_second_account();
