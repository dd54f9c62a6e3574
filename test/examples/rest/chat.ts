/** The REST interface with nothing but `fetch` and a parser for server-sent events. A browser's own `EventSource` sends no token. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Chat, Sent, Server } from '../chat.js';
import { RefusedError, resume } from '../resume.js';

interface Page {
  data: { id: string; name: string | null }[];
  last_id: string | null;
  has_more: boolean;
}

/** One frame of the stream. Its `id` is the cursor. */
interface Frame {
  cursor?: string;
  event: string;
  data: { token?: string; message?: string };
}

export function restChat(server: Server): Omit<Chat, 'changes' | 'close'> {
  return {
    async threadNames(limit) {
      const names: string[] = [];
      for (let after = ''; ; ) {
        const response = await call(server, `/threads?limit=${limit}${after && `&after=${after}`}`);
        const { data, has_more: hasMore, last_id: lastId }: Page = await response.json();
        for (const { name } of data) names.push(name ?? 'untitled');
        // Not by the number of threads: a search may end a page early, without any.
        if (!hasMore || lastId === null) return names;
        after = lastId;
      }
    },

    async send(threadId, text) {
      // The key makes it safe to send the same request again, where its answer was lost: it counts once.
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const init = { method: 'POST', headers, body: JSON.stringify({ text }) };
      try {
        const response = await call(server, `/threads/${threadId}/messages`, init);
        const { message_id: messageId }: { message_id: string } = await response.json();
        return { messageId };
      } catch (error) {
        return sentAfter(error);
      }
    },

    async *responseText({ threadId, messageId }) {
      const path = `/threads/${threadId}/messages/${messageId}/response/stream`;
      const isLast = ({ event }: Frame) => event === 'done' || event === 'nothing more';
      let text = '';
      for await (const { event, data, cursor } of resume({ open: (after) => frames(server, path, after), isLast })) {
        if (event === 'error' && cursor?.endsWith('-end'))
          throw new RefusedError('response_failed', data.message ?? '');
        // The attempt was lost, and the next one says everything anew. Without an id, what was received is still valid.
        if (event === 'error' && cursor) text = '';
        if (event !== 'token') continue;
        text += data.token ?? '';
        yield text;
      }
    },
  };
}

/** The answer of the service. Throws `RefusedError` where it says no for good. */
async function call({ origin, token }: Server, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(`${origin}/api/v1${path}`, { ...init, headers });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** The stream behind a cursor. 204 says that the cursor was that of the last event. */
async function* frames(server: Server, path: string, after: string | null): AsyncGenerator<Frame> {
  const response = await call(server, path, { headers: after === null ? {} : { 'last-event-id': after } });
  if (response.status === 204) return yield { event: 'nothing more', data: {} };
  const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()) ?? [];
  for await (const { id, event = '', data } of events) {
    yield { ...(id && { cursor: id }), event, data: JSON.parse(data) };
  }
}

interface Problem {
  code: string;
  detail: string;
  thread_state?: string;
}

/** Decide by `code`; the sentences are for people, and may change. */
async function problemOf(response: Response): Promise<Error> {
  const { code, detail, thread_state: state }: Problem = await response.json();
  const mayHelpToRetry = response.status >= 500 || response.status === 408 || response.status === 429;
  if (mayHelpToRetry) return new Error(detail);
  return new RefusedError(state === undefined ? code : `${code}:${state}`, detail);
}

function sentAfter(error: unknown): Sent {
  if (!(error instanceof RefusedError)) throw error;
  const { code, message } = error;
  if (code === 'thread_not_ready:waiting' || code === 'thread_not_ready:active') return { tryAgain: 'when ready' };
  return code === 'idempotency_key_in_use' ? { tryAgain: 'soon' } : { refused: message };
}
