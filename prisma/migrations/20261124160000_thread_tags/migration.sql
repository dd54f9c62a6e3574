-- What the owner of a thread files it under, as it was written, and what that is found by: the organization and the folded tag, so
-- that PostgreSQL's statistics know how frequent a tag is where it is looked for.
ALTER TABLE "thread" ADD COLUMN "tags" TEXT[] NOT NULL DEFAULT '{}',
ADD COLUMN "tag_keys" TEXT[] NOT NULL DEFAULT '{}';

-- Few threads have a tag, so these cost the others nothing. The first finds a rare tag; the second, which has the order of the
-- list, finds a frequent one, and the tags in use.
CREATE INDEX thread_tagged ON thread USING gin (tag_keys) WHERE tag_keys <> '{}';
CREATE INDEX thread_tagged_by_activity ON thread (organization_id, (coalesce(active_at, updated_at)), id) WHERE tag_keys <> '{}';
