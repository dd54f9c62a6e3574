-- That the model is called once more, for viewers on every node: the call, of how many, and why. Valid for its epoch only.
ALTER TABLE "response" ADD COLUMN "retry" JSONB;
