-- Why a session has ended, for the browser that still has its cookie. It is known by the digest of its secret alone and names
-- nobody, so it may outlive the user.
CREATE TABLE "ended_session" (
    "token" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "ended_session_pkey" PRIMARY KEY ("token")
);

CREATE INDEX "ended_session_ended_at_idx" ON "ended_session"("ended_at");

-- Whoever ends it: the service, the library for signing in, a command, or an older version that still runs.
CREATE FUNCTION public.remember_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.ended_session (token, reason)
  VALUES (OLD.token, CASE
    WHEN NOT EXISTS (SELECT FROM public.user_account u WHERE u.id = OLD.user_id AND u.removed_at IS NULL) THEN 'member_removed'
    WHEN OLD.expires_at <= now() THEN 'expired'
    ELSE 'signed_out' END)
  ON CONFLICT (token) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER session_end_is_remembered AFTER DELETE ON session
  FOR EACH ROW EXECUTE FUNCTION public.remember_session_end();
