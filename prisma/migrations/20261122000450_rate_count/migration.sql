-- What nodes have counted in the windows that are open. Nothing is lost with it, so it is kept out of the write-ahead log.
CREATE UNLOGGED TABLE "rate_count" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_count_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "rate_count_expire_idx" ON "rate_count"("expire");
