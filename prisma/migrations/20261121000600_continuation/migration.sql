-- The thread that this one goes on from, with a summary of it as its first message.
ALTER TABLE "thread" ADD COLUMN "continued_from_id" TEXT;

-- CreateIndex
CREATE INDEX "thread_continued_from_id_idx" ON "thread"("continued_from_id");

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_continued_from_id_fkey" FOREIGN KEY ("continued_from_id") REFERENCES "thread"("id") ON DELETE SET NULL ON UPDATE CASCADE;
