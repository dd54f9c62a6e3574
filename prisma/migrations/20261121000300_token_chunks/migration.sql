-- Unlogged: never written to the write-ahead log, and empty after a crash of the server, which is all that it needs to be.
CREATE UNLOGGED TABLE "token_chunk" (
    "response_id" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "token_chunk_pkey" PRIMARY KEY ("response_id","epoch","seq")
);

CREATE INDEX "token_chunk_created_at_idx" ON "token_chunk"("created_at");
