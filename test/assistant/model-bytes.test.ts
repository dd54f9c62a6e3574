/** Every byte that a model's provider sends is counted as it comes, whatever it belongs to. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect } from 'vitest';
import { EventFrames } from '../../src/assistant/compatible/event-frames.js';
import { limitedFetch } from '../../src/assistant/model-fetch.js';
import { finish, hang, httpError, type ModelStep, openStream, text, toolCall } from '../support/model/model-script.js';
import { it, limited, listen, processorAt } from './listening.js';

const mebibyte = 2 ** 20;
const tooLarge = {
  code: 'model_output_too_large',
  retryable: false,
  message: 'The response of the AI model is too large.',
};

const raw = (words: string): ModelStep => ({ do: 'raw', text: words });
const question = (id: string) =>
  toolCall({ id, name: 'user_get_choice', arguments: { question: 'Q', choices: ['A', 'B'] } });

describe('an answer of a model', () => {
  it('that is one endless line is abandoned, and its connection is closed', async ({ server }) => {
    server.enqueue([openStream(), raw(`data: ${'x'.repeat(5 * mebibyte)}`), hang()]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject(tooLarge);
    await server.lastRequest.closed;
  });

  it('that is one event of too many lines is abandoned', async ({ server }) => {
    server.enqueue([openStream(), raw(`data: ${'x'.repeat(1000)}\n`.repeat(5000)), hang()]);
    expect((await listen(processorAt(server), 'Hi')).error).toMatchObject(tooLarge);
  });

  it('counts the input of a tool call as it arrives', async ({ server }) => {
    const [begin, ...fragments] = toolCall({ id: 'c', name: 'user_get_choice', arguments: 'x' });
    const [fragment] = fragments;
    if (!begin || fragment?.do !== 'frame') throw new Error('A tool call has frames.');
    const long = JSON.parse(JSON.stringify(fragment).replace('"x"', JSON.stringify('x'.repeat(100_000)))) as ModelStep;
    server.enqueue([begin, ...Array<ModelStep>(12).fill(long), hang()]);
    expect((await listen(limited(processorAt(server)), 'Hi')).error).toMatchObject(tooLarge);
    await server.lastRequest.closed;
  });

  it('counts the id of a tool call', async ({ server }) => {
    server.enqueue([...question('i'.repeat(3 * mebibyte)), finish('tool_calls')]);
    expect((await listen(limited(processorAt(server)), 'Hi')).error).toMatchObject(tooLarge);
  });

  it('has ids of at most 255 characters', async ({ server }) => {
    server.enqueue([...question('i'.repeat(100_000)), finish('tool_calls')]);
    const { events } = await listen(limited(processorAt(server)), 'Hi');
    expect(events.flatMap((event) => (event.type === 'choice' ? [event.toolUseId.length] : []))).toEqual([255]);
  });

  it('has at most ten questions', async ({ server }) => {
    const questions = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        toolCall({
          id: `c${index}`,
          name: 'user_get_choice',
          arguments: { question: 'Q', choices: ['A', 'B'] },
          index,
        }),
      ).flat();
    server.enqueue([...questions(11), finish('tool_calls')], [...questions(10), finish('tool_calls')]);
    for (let times = 0; times < 2; times += 1) {
      const { events } = await listen(processorAt(server), 'Hi');
      expect(events.filter(({ type }) => type === 'choice')).toHaveLength(10);
    }
  });

  it('may be as long as the limit of its text, in events of any size', async ({ server }) => {
    server.enqueue([
      ...Array<ModelStep>(10).fill(text('x'.repeat(100_000))),
      raw(': comment\r\n\r\n'.repeat(1000)),
      finish(),
    ]);
    const { text: said, error } = await listen(limited(processorAt(server)), 'Hi');
    expect([said.length, error]).toEqual([1_000_000, undefined]);
  });

  it('that is an error keeps its classification and the beginning of its message', async ({ server }) => {
    const headers = { 'retry-after': '7' };
    server.enqueue([httpError(429, { body: `{"error":{"message":"${'x'.repeat(20 * mebibyte)}"}}`, headers })]);
    const { error } = await listen(processorAt(server), 'Hi');
    expect(error).toMatchObject({ code: 'model_rate_limited', retryable: true, retryAfterMs: 7000 });
    expect(error?.cause).toMatchObject({ responseBody: expect.stringMatching(/^.{16384}$/) });
  });
});

describe('the HTTP client for models', () => {
  const limits = { eventBytes: 1000, totalBytes: 3000, errorBytes: 100 };
  const get = limitedFetch(undefined, limits);
  let http: Server;

  async function answering(listener: RequestListener): Promise<string> {
    http = createServer(listener);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }
  afterEach(() => {
    http.closeAllConnections();
    http.close();
  });

  it.each([
    ['of 1,001 bytes in one event', 'x'.repeat(1001), true],
    ['of 1,000 bytes in one event', 'x'.repeat(1000), false],
    ['of 2,700 bytes in three events', `${'x'.repeat(898)}\n\n`.repeat(3), false],
    ['of 2,706 bytes in three events with the line ends of HTTP', `${'x'.repeat(898)}\r\n\r\n`.repeat(3), false],
    ['of 1,800 bytes whose lines end once', `${'x'.repeat(899)}\n`.repeat(2), true],
    ['of more than 3,000 bytes', `${'x'.repeat(898)}\n\n`.repeat(4), true],
  ])('judges an answer %s', async (_what, body, isTooLarge) => {
    const url = await answering((_request, response) => response.end(body));
    const read = (await get(url)).text();
    if (isTooLarge) await expect(read).rejects.toMatchObject(tooLarge);
    else expect(await read).toBe(body);
  });

  it('counts a compressed body by its decompressed size', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * mebibyte, 'x'));
    const url = await answering((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect((await get(url)).text()).rejects.toMatchObject(tooLarge);
    expect(bomb.length).toBeLessThan(mebibyte);
  });

  it('truncates the body of an error and closes its connection', async () => {
    let closed = Promise.resolve();
    const url = await answering((_request, response) => {
      closed = new Promise((resolve) => response.once('close', () => resolve()));
      response.writeHead(500).write('x'.repeat(1000));
    });
    const response = await get(url);
    expect([response.status, (await response.text()).length]).toEqual([500, 100]);
    await closed;
  });
});

/** Lines as servers send them; the last one is whole. */
const line = fc.oneof(
  fc.constantFrom('', ': ping', 'data: [DONE]', 'event: error', 'data: {', 'data: }', 'data:', '{"a":1}'),
  fc.json().map((json) => `data: ${json.replaceAll(/[\r\n]/g, '')}`),
);

function framesOf(pieces: readonly Uint8Array[]) {
  const frames = new EventFrames();
  return [...pieces.flatMap((piece) => frames.push(piece)), ...frames.end()];
}

it('frames › are the same in whatever pieces the bytes come, and with any line end', () => {
  const input = fc.record({
    lines: fc.array(line, { maxLength: 20 }),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    cuts: fc.array(fc.nat(400), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(input, ({ lines, end, cuts }) => {
      const bytes = Buffer.from(lines.map((text) => text + end).join(''));
      const places = [0, ...cuts.filter((place) => place < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      expect(framesOf(pieces)).toEqual(framesOf([Buffer.from(lines.map((text) => `${text}\n`).join(''))]));
    }),
  );
});
