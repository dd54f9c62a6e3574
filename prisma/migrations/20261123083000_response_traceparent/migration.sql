-- The span of the request that asked for the response, so that its worker, which may be another process, continues the trace.
ALTER TABLE "response" ADD COLUMN "traceparent" TEXT;
