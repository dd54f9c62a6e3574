-- When the model first said something, in the last run of the response. Null for responses before this column, and for those of
-- which nothing came.
ALTER TABLE "response" ADD COLUMN "first_token_at" TIMESTAMPTZ(3);
