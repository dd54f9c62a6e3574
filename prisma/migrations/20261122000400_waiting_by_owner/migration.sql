-- A claim asks for whoever has something waiting, and then for the oldest of each: one look a user, however much one of them has.
CREATE INDEX thread_waiting_by_owner ON thread (owner_id, queued_at) WHERE state = 'waiting';
