-- What the model took and gave, added up by day, user and model. A trigger adds to it when a response ends, so it does not
-- depend on which statement ends it, and it stays when the thread is deleted: it holds no text. At most a row for each user, day
-- and model.

-- CreateTable
CREATE TABLE "usage_day" (
    "organization_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "user_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "responses" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("organization_id","day","user_id","model")
);

-- Each day's row is updated many times: with room in its page that touches no index.
ALTER TABLE usage_day SET (fillfactor = 50);

-- AddForeignKey
ALTER TABLE "usage_day" ADD CONSTRAINT "usage_day_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION public.add_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.usage_day AS u (organization_id, day, user_id, model, responses, input_tokens, output_tokens)
  SELECT t.organization_id, (NEW.finished_at AT TIME ZONE 'UTC')::date, t.owner_id, NEW.model, 1,
    coalesce(NEW.input_tokens, 0), coalesce(NEW.output_tokens, 0)
  FROM public.thread t WHERE t.id = NEW.thread_id
  ON CONFLICT (organization_id, day, user_id, model) DO UPDATE SET responses = u.responses + 1,
    input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens;
  RETURN NULL;
END $$;

CREATE TRIGGER response_usage_is_added AFTER UPDATE OF finished_at ON response FOR EACH ROW
  WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL AND NEW.model IS NOT NULL) EXECUTE FUNCTION public.add_usage();
