-- Who sent a message. Null for the assistant, for what was sent before this was recorded or by a release that does not record
-- it, and for a person who was deleted: their words in the threads of others stay, without a name.
ALTER TABLE "message" ADD COLUMN "author_id" TEXT;

-- NOT VALID and then VALIDATE would scan the table as well, and every value is null yet.
ALTER TABLE "message" ADD CONSTRAINT "message_author_id_fkey"
  FOREIGN KEY ("author_id") REFERENCES "user_account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- For the export and the deletion of a person, by whom few messages in the threads of others are.
CREATE INDEX message_author ON message (author_id, id) WHERE author_id IS NOT NULL;
