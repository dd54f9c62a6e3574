-- Asks the worker to stop; it answers by ending the response as interrupted, with what was said so far.
ALTER TABLE "response" ADD COLUMN "stop_reason" TEXT;
