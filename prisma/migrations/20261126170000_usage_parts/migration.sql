-- The sums of a day are one row for each user and model, and a transaction that adds to a row holds it until it is committed: the
-- responses of one user ended one after the other, each waiting for the disk. Who finds another transaction adding for the same user
-- adds to a row of its own, which is told from the others by its part. Readers add up the rows, as they did before.

-- AlterTable
ALTER TABLE "usage_day" DROP CONSTRAINT "usage_day_pkey",
ADD COLUMN "part" SMALLINT NOT NULL DEFAULT 0,
ADD CONSTRAINT "usage_day_pkey" PRIMARY KEY ("organization_id", "day", "user_id", "model", "part");

-- AlterTable
ALTER TABLE "token_usage_day" DROP CONSTRAINT "token_usage_day_pkey",
ADD COLUMN "part" SMALLINT NOT NULL DEFAULT 0,
ADD CONSTRAINT "token_usage_day_pkey" PRIMARY KEY ("token_id", "day", "model", "part");

-- At most 16 parts, by the process of PostgreSQL, which runs one transaction at a time. The rows are always written in this order, so
-- that no two statements wait for each other.
CREATE OR REPLACE FUNCTION public.count_usage(asker text, token text, thread text, at timestamptz, model text, responses int, input bigint,
  output bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (at AT TIME ZONE 'UTC')::date;
  payer_organization int;
  payer text;
  free_part int := 0;
BEGIN
  SELECT t.organization_id, coalesce(asker, t.owner_id) INTO payer_organization, payer FROM public.thread t WHERE t.id = thread;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF NOT pg_try_advisory_xact_lock(hashtext('usage_day'), hashtext(payer)) THEN
    free_part := 1 + pg_backend_pid() % 15;
  END IF;
  INSERT INTO public.usage_day AS u (organization_id, day, user_id, model, part, responses, input_tokens, output_tokens)
  VALUES (payer_organization, today, payer, count_usage.model, free_part, count_usage.responses, input, output)
  ON CONFLICT ON CONSTRAINT usage_day_pkey DO UPDATE SET responses = u.responses + excluded.responses,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  IF token IS NOT NULL AND input + output > 0 THEN
    INSERT INTO public.token_usage_day AS u (token_id, day, model, part, input_tokens, output_tokens)
    SELECT root, today, count_usage.model, free_part, input, output FROM public.root_token(token) AS root WHERE root IS NOT NULL
    ON CONFLICT ON CONSTRAINT token_usage_day_pkey DO UPDATE SET
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  END IF;
END $$;
