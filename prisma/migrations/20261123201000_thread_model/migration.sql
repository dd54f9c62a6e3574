-- The model that was chosen for a thread, and the one that each response is generated with: what the thread had when its message
-- was sent, so that whichever worker takes the response uses exactly that. Null: the default of the configuration. `response.model`
-- is what generated it in the end.
ALTER TABLE "thread" ADD COLUMN "model" TEXT;
ALTER TABLE "response" ADD COLUMN "chosen_model" TEXT;
