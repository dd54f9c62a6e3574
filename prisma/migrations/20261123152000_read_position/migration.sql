-- How far a person has read a thread.
CREATE TABLE "read_position" (
    "user_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "read_position_pkey" PRIMARY KEY ("user_id","thread_id")
);

CREATE INDEX "read_position_thread_id_idx" ON "read_position"("thread_id");

ALTER TABLE "read_position" ADD CONSTRAINT "read_position_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "read_position" ADD CONSTRAINT "read_position_thread_id_fkey"
  FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;
