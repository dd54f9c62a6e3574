/** What the example for REST makes of the three kinds of `error` that docs/streaming.md describes, told apart by their ids. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type SseEvent, SseStream } from '../../src/rest/sse.js';
import { restChat } from './rest/chat.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Answers one request after the other with one of these streams, and keeps the positions that were presented. */
async function serve(...streams: SseEvent[][]): Promise<{ texts: AsyncGenerator<string>; presented: unknown[] }> {
  const presented: unknown[] = [];
  const started = createServer((request, response) => {
    presented.push(request.headers['last-event-id']);
    const events = streams.shift();
    response.writeHead(events ? 200 : 204, { 'content-type': 'text/event-stream' });
    if (events)
      new SseStream(iterate(events), (event) => event, { pingMs: 15_000, onFailure: () => null }).pipe(response);
    else response.end();
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  const chat = restChat({ origin: `http://127.0.0.1:${port}`, token: 'skn_pat_any' });
  return { texts: chat.responseText({ threadId: 'thr_1', messageId: 'msg_1' }), presented };
}

async function* iterate(events: readonly SseEvent[]): AsyncGenerator<SseEvent, undefined> {
  yield* events;
  return undefined;
}

async function collect(texts: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  return all;
}

const token = (text: string, id: string): SseEvent => ({ event: 'token', data: { token: text }, id });
const error = (message: string, id: string): SseEvent => ({ event: 'error', data: { message }, id });
const done = (id: string): SseEvent => ({ event: 'done', data: {}, id });

describe('the example for REST, at an `error`', () => {
  it('without an id keeps the text and continues after it', async () => {
    const { texts, presented } = await serve(
      [token('Hel', '1-3'), error('Not now.', '')],
      [token('lo', '1-5'), done('1-end')],
    );
    expect(await collect(texts)).toEqual(['Hel', 'Hello']);
    expect(presented).toEqual([undefined, '1-3']);
  });

  it('with the id of a new attempt replaces the text by that of the attempt', async () => {
    const { texts, presented } = await serve(
      [token('Hel', '1-3'), error('It starts over.', '2-0')],
      [token('Good', '2-4'), done('2-end')],
    );
    expect(await collect(texts)).toEqual(['Hel', 'Good']);
    expect(presented).toEqual([undefined, '2-0']);
  });

  it('with the id of an end reports that the response failed, and does not reconnect', async () => {
    const { texts, presented } = await serve([token('Hel', '1-3'), error('It failed.', '1-end')]);
    expect((await texts.next()).value).toBe('Hel');
    await expect(texts.next()).rejects.toMatchObject({ name: 'RefusedError', message: 'It failed.' });
    expect(presented).toEqual([undefined]);
  });
});
