-- Branches of a conversation: a user message that is edited or sent again gets another variant, and the branch of the earlier
-- one is put aside. Messages that were put aside are not `active`, so a release that knows nothing of branches shows none of them.
ALTER TABLE "message" ADD COLUMN "turn_id" TEXT,
ADD COLUMN "hidden_with_id" TEXT;

ALTER TABLE "thread" ADD COLUMN "branch_version" INTEGER NOT NULL DEFAULT 0;

-- NOT VALID and then VALIDATE would scan the table as well, and every value is null yet.
ALTER TABLE "message" ADD CONSTRAINT "message_turn_id_fkey"
  FOREIGN KEY ("turn_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "message" ADD CONSTRAINT "message_hidden_with_id_fkey"
  FOREIGN KEY ("hidden_with_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few messages have variants or are put aside, so these cost the others nothing.
CREATE INDEX message_turn ON message (turn_id, sequence) WHERE turn_id IS NOT NULL;
CREATE INDEX message_hidden ON message (hidden_with_id) WHERE hidden_with_id IS NOT NULL;
