-- What the owner of a thread wants the model to heed in it, after the instructions of the operator.
ALTER TABLE "thread" ADD COLUMN "instructions" TEXT;
