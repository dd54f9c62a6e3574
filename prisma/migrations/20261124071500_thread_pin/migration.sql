-- The threads that a person keeps at the top of their list.
CREATE TABLE "thread_pin" (
    "user_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "pinned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "thread_pin_pkey" PRIMARY KEY ("user_id","thread_id")
);

CREATE INDEX "thread_pin_thread_id_idx" ON "thread_pin"("thread_id");

ALTER TABLE "thread_pin" ADD CONSTRAINT "thread_pin_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "thread_pin" ADD CONSTRAINT "thread_pin_thread_id_fkey"
  FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;
