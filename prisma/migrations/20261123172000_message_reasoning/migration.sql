-- What the model thought before an answer. Apart from the message, so that lists of messages never read it.
CREATE TABLE "message_reasoning" (
    "message_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "message_reasoning_pkey" PRIMARY KEY ("message_id")
);

ALTER TABLE "message_reasoning" ADD CONSTRAINT "message_reasoning_message_id_fkey"
  FOREIGN KEY ("message_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;
