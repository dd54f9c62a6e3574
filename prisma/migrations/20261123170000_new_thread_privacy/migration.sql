-- What a person wants their new threads to be. Front ends read it; a request that names no privacy is not changed by it.
ALTER TABLE "user_account" ADD COLUMN "new_threads_private" BOOLEAN NOT NULL DEFAULT false;
