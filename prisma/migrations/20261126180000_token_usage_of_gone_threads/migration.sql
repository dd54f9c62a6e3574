-- As it was, but what a summary or a name took is counted for the access token even if its thread was deleted meanwhile. The user's
-- sums are by organization, which only the thread tells.
CREATE OR REPLACE FUNCTION public.count_usage(asker text, token text, thread text, at timestamptz, model text, responses int, input bigint,
  output bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (at AT TIME ZONE 'UTC')::date;
  payer_organization int;
  payer text;
  free_part int := 0;
BEGIN
  SELECT t.organization_id, coalesce(asker, t.owner_id) INTO payer_organization, payer FROM public.thread t WHERE t.id = thread;
  IF NOT pg_try_advisory_xact_lock(hashtext('usage_day'), hashtext(coalesce(payer, asker, token, ''))) THEN
    free_part := 1 + pg_backend_pid() % 15;
  END IF;
  IF payer IS NOT NULL THEN
    INSERT INTO public.usage_day AS u (organization_id, day, user_id, model, part, responses, input_tokens, output_tokens)
    VALUES (payer_organization, today, payer, count_usage.model, free_part, count_usage.responses, input, output)
    ON CONFLICT ON CONSTRAINT usage_day_pkey DO UPDATE SET responses = u.responses + excluded.responses,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  END IF;
  IF token IS NOT NULL AND input + output > 0 THEN
    INSERT INTO public.token_usage_day AS u (token_id, day, model, part, input_tokens, output_tokens)
    SELECT root, today, count_usage.model, free_part, input, output FROM public.root_token(token) AS root WHERE root IS NOT NULL
    ON CONFLICT ON CONSTRAINT token_usage_day_pkey DO UPDATE SET
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  END IF;
END $$;
