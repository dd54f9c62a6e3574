-- A short name that the model made for a thread without one. Apart from the name, so that it never takes the place of one that
-- a person gave, and REST shows what callers stored and nothing else.
ALTER TABLE "thread" ADD COLUMN "generated_name" TEXT;
