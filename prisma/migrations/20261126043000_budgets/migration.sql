-- Budgets: how many tokens, or how much money, a user, an access token or an organization may take in a day or a month. What was
-- taken is read from the sums of usage, so a budget costs nothing where there is none.

-- CreateTable
CREATE TABLE "budget" (
    "id" TEXT NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "scope" TEXT NOT NULL,
    "user_id" TEXT,
    "token_id" TEXT,
    "period" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "maximum" DOUBLE PRECISION NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budget_pkey" PRIMARY KEY ("id")
);

-- One for each subject, period and unit, so that setting it again replaces it.
CREATE UNIQUE INDEX budget_of_subject ON budget (organization_id, scope, user_id, token_id, period, unit) NULLS NOT DISTINCT;

-- CreateIndex
CREATE INDEX "budget_user_id_idx" ON "budget"("user_id");

-- CreateIndex
CREATE INDEX "budget_token_id_idx" ON "budget"("token_id");

-- AddForeignKey
ALTER TABLE "budget" ADD CONSTRAINT "budget_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget" ADD CONSTRAINT "budget_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget" ADD CONSTRAINT "budget_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "access_token"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE budget
  ADD CONSTRAINT budget_has_its_subject CHECK (CASE scope
    WHEN 'organization' THEN user_id IS NULL AND token_id IS NULL
    WHEN 'user' THEN token_id IS NULL
    WHEN 'token' THEN user_id IS NULL
    ELSE false END),
  ADD CONSTRAINT budget_is_known CHECK (period IN ('day', 'month') AND unit IN ('tokens', 'cost') AND maximum >= 0);

-- Whom the tokens of a response are charged to, until it ends: who asked for it, and the access token if it was not a browser. A
-- release without these columns leaves them empty, and the owner of the thread is charged.
ALTER TABLE response ADD COLUMN charged_user_id TEXT, ADD COLUMN charged_token_id TEXT;

-- What was asked for with an access token, or with one that was made with it. No reference: what is counted must not fail because
-- the token is being deleted. Budgets read at most a month; housekeeping removes what is older than two.

-- CreateTable
CREATE TABLE "token_usage_day" (
    "token_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,

    CONSTRAINT "token_usage_day_pkey" PRIMARY KEY ("token_id","day","model")
);

ALTER TABLE token_usage_day SET (fillfactor = 50);

-- CreateIndex
CREATE INDEX "token_usage_day_day_idx" ON "token_usage_day"("day");

-- The token that a person made, with which this one was made, perhaps by way of others: they share one budget, because a token
-- could otherwise make itself another one.
CREATE FUNCTION public.root_token(id text) RETURNS text LANGUAGE sql STABLE AS $$
  WITH RECURSIVE line AS (
    SELECT k.id, k.parent_id FROM public.access_token k WHERE k.id = root_token.id
    UNION ALL SELECT k.id, k.parent_id FROM public.access_token k JOIN line ON k.id = line.parent_id)
  SELECT line.id FROM line WHERE line.parent_id IS NULL
$$;

-- The rows are always written in this order, so that no two statements wait for each other.
CREATE FUNCTION public.count_usage(asker text, token text, thread text, at timestamptz, model text, responses int, input bigint, output bigint)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (at AT TIME ZONE 'UTC')::date;
BEGIN
  INSERT INTO public.usage_day AS u (organization_id, day, user_id, model, responses, input_tokens, output_tokens)
  SELECT t.organization_id, today, coalesce(asker, t.owner_id), count_usage.model, count_usage.responses, input, output
  FROM public.thread t WHERE t.id = thread
  ON CONFLICT ON CONSTRAINT usage_day_pkey DO UPDATE SET responses = u.responses + excluded.responses,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  IF token IS NOT NULL AND input + output > 0 THEN
    INSERT INTO public.token_usage_day AS u (token_id, day, model, input_tokens, output_tokens)
    SELECT root, today, count_usage.model, input, output FROM public.root_token(token) AS root WHERE root IS NOT NULL
    ON CONFLICT ON CONSTRAINT token_usage_day_pkey DO UPDATE SET
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION public.add_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.count_usage(OLD.charged_user_id, OLD.charged_token_id, NEW.thread_id, NEW.finished_at, NEW.model, 1,
    coalesce(NEW.input_tokens, 0)::bigint, coalesce(NEW.output_tokens, 0)::bigint);
  RETURN NULL;
END $$;

-- A budget concerns the user, the owner of the token, or the whole organization, whose id then is the subject. An entry names its
-- terms, because it outlives the budget. If the subject is being deleted, its budgets go without a word.
CREATE OR REPLACE FUNCTION public.audit_entry(act text, subject text, target text, usual text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  actor text := coalesce(nullif(current_setting('skein.actor', true), ''), usual);
  entry uuid;
  said jsonb;
BEGIN
  INSERT INTO public.audit_event AS e (organization_id, act, actor_kind, actor_id, subject_id, target_id)
  SELECT o.id, act,
    CASE WHEN actor IS NOT NULL THEN 'user'
      WHEN starts_with(current_setting('application_name'), 'skein node ') THEN 'service' ELSE 'command_line' END,
    actor, subject, target
  FROM (
    SELECT u.organization_id AS id FROM public.user_account u WHERE u.id = subject
    UNION ALL
    SELECT g.id FROM public.organization g WHERE g.id = CASE WHEN subject ~ '^[0-9]{1,9}$' THEN subject::int END) o
  RETURNING e.id, jsonb_build_object('act', e.act, 'actorKind', e.actor_kind, 'actorId', e.actor_id,
    'subjectId', e.subject_id, 'targetId', e.target_id, 'organization', e.organization_id) INTO entry, said;
  IF FOUND THEN
    RAISE INFO USING ERRCODE = 'SKAUD', MESSAGE = 'audit', DETAIL = said::text;
  END IF;
  RETURN entry;
END $$;

CREATE FUNCTION public.audit_budget() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed public.budget := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  owner text;
  of_what text := changed.scope;
BEGIN
  IF changed.token_id IS NOT NULL THEN
    SELECT k.user_id INTO owner FROM public.access_token k WHERE k.id = changed.token_id;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    of_what := changed.token_id;
  ELSIF changed.scope <> 'organization' AND changed.user_id IS NULL THEN
    of_what := 'each ' || changed.scope;
  END IF;
  PERFORM public.audit(CASE WHEN TG_OP = 'DELETE' THEN 'budget_removed' ELSE 'budget_set' END,
    coalesce(changed.user_id, owner, changed.organization_id::text),
    of_what || ': ' || changed.maximum || ' ' || changed.unit || ' a ' || changed.period, NULL);
  RETURN NULL;
END $$;

CREATE TRIGGER budget_is_audited AFTER INSERT OR UPDATE OR DELETE ON budget FOR EACH ROW EXECUTE FUNCTION public.audit_budget();
