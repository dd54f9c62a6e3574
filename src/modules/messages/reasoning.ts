/**
 * Loads what the model thought before its answers. It may be longer than the answers themselves, so it is read only where it is
 * asked for, by one statement for all messages of an operation, and counts towards the limit of the response before it is loaded.
 */
import { Batches, type LoadContext } from '../batches.js';
import { loadWithRoom } from '../load-with-room.js';

interface ReasoningRow {
  id: string;
  bytes: number;
  /** Null if all together exceed what may be loaded now; then none is loaded. */
  text: string | null;
}

const batches = new Batches<string, string | null>(async (context, ids) => {
  const texts = new Map((await readAll(context, [...new Set(ids)])).map(({ id, text }) => [id, text]));
  return ids.map((id) => texts.get(id) ?? null);
});

/** The reasoning before a message; null if none is stored. Throws `LIMIT_EXCEEDED` if the operation loads too much. */
export function loadReasoning(context: LoadContext, id: string): Promise<string | null> {
  return batches.load(context, id);
}

function readAll({ database, answer }: LoadContext, ids: string[]): Promise<ReasoningRow[]> {
  const read = () => database.$queryRaw<ReasoningRow[]>`
    SELECT r.message_id AS id, sized.bytes, CASE WHEN sized.total <= ${answer.loadable} THEN r.text END AS text
    FROM (
      SELECT message_id, octet_length(text) AS bytes, sum(octet_length(text)) OVER () AS total
      FROM message_reasoning WHERE message_id = ANY(${ids}::text[])) sized
    JOIN message_reasoning r USING (message_id)`;
  return loadWithRoom(answer, { read, isLeft: ({ text }) => text === null });
}
