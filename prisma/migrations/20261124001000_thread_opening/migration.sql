-- The beginning of the first message, by which a thread is called until it has a name. Null for threads before this column, which
-- have a name or were named by the model, and for those that an earlier release creates meanwhile.
ALTER TABLE "thread" ADD COLUMN "opening" TEXT;
