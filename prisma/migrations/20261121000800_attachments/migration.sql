-- CreateTable
CREATE TABLE "attachment" (
    "id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "content" BYTEA,
    "digest" BYTEA,
    "message_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "uploaded_at" TIMESTAMPTZ(3),

    CONSTRAINT "attachment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "attachment_message_id_idx" ON "attachment"("message_id");

-- CreateIndex
CREATE INDEX "attachment_owner_id_idx" ON "attachment"("owner_id");

-- AddForeignKey
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few rows at any time: what is sent leaves this index.
CREATE INDEX attachment_unsent ON attachment (owner_id, created_at) WHERE message_id IS NULL;

-- Images are compressed already; and the size of what is stored as it is can be told without reading it.
ALTER TABLE attachment ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE attachment
  ADD CONSTRAINT attachment_size_bounded CHECK (size BETWEEN 1 AND 10485760),
  ADD CONSTRAINT attachment_content_as_announced CHECK (octet_length(content) = size),
  ADD CONSTRAINT attachment_uploaded_as_a_whole CHECK (
    (content IS NULL) = (uploaded_at IS NULL) AND (content IS NULL) = (digest IS NULL)),
  ADD CONSTRAINT attachment_sent_once_uploaded CHECK (message_id IS NULL OR content IS NOT NULL);
