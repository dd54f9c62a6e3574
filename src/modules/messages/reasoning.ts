/**
 * Loads what the model thought before its answers. It may be longer than the answers themselves, so it is read only where it is
 * asked for, by one statement for all messages of an operation, and counts towards the limit of the response before it is loaded.
 */
import type { Context } from '../../builder.js';
import { loadWithRoom } from '../load-with-room.js';

type Source = Pick<Context, 'database' | 'answer'>;

interface Request {
  id: string;
  resolve: (text: string | null) => void;
  reject: (error: unknown) => void;
}

interface ReasoningRow {
  id: string;
  bytes: number;
  /** Null if all together exceed what may be loaded now; then none is loaded. */
  text: string | null;
}

/** What waits to be loaded, by response. */
const waiting = new WeakMap<object, Request[]>();

/** The reasoning before a message; null if none is stored. Throws `LIMIT_EXCEEDED` if the operation loads too much. */
export function loadReasoning(source: Source, id: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const requests = waiting.get(source.answer) ?? [];
    requests.push({ id, resolve, reject });
    if (requests.length > 1) return;
    waiting.set(source.answer, requests);
    setImmediate(() => {
      waiting.delete(source.answer);
      void answerAll(source, requests);
    });
  });
}

async function answerAll(source: Source, requests: readonly Request[]): Promise<void> {
  try {
    const ids = [...new Set(requests.map(({ id }) => id))];
    const texts = new Map((await readAll(source, ids)).map(({ id, text }) => [id, text]));
    for (const { id, resolve } of requests) resolve(texts.get(id) ?? null);
  } catch (error) {
    for (const { reject } of requests) reject(error);
  }
}

function readAll({ database, answer }: Source, ids: string[]): Promise<ReasoningRow[]> {
  const read = () => database.$queryRaw<ReasoningRow[]>`
    SELECT r.message_id AS id, sized.bytes, CASE WHEN sized.total <= ${answer.loadable} THEN r.text END AS text
    FROM (
      SELECT message_id, octet_length(text) AS bytes, sum(octet_length(text)) OVER () AS total
      FROM message_reasoning WHERE message_id = ANY(${ids}::text[])) sized
    JOIN message_reasoning r USING (message_id)`;
  return loadWithRoom(answer, { read, isLeft: ({ text }) => text === null });
}
