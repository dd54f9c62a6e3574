/** Every byte that a model's provider sends is counted as it comes, whatever it belongs to. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect } from 'vitest';
import { limitedFetch } from '../../src/assistant/model-fetch.js';
import { finish, hang, httpError, type ModelStep, openStream, text, toolCall } from '../support/model/model-script.js';
import { limited, listen, processorAt } from './listening.js';
import { it } from './model-fixture.js';

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
