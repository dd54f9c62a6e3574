-- Answers that the model ended because they reached its maximum length.
ALTER TABLE response ADD COLUMN is_truncated BOOLEAN NOT NULL DEFAULT false;
