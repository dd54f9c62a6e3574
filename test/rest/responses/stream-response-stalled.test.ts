import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, type ModelStep, text, wait } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { streamPath } from './raw-stream.js';

const patience = { timeout: 10_000 };
/** What the server holds of the answers to clients that asked in vain, as the process sees them. */
const stalled = new Set<ServerResponse>();

const it = serviceTest()
  /** It cuts off a viewer who does not read after a short time. */
  .extend('hasty', { scope: 'file' }, ({ startService }) =>
    startService({ settings: { sse: { pingMs: 100, stallMs: 800 } } }),
  );
beforeAll(() => {
  subscribe('http.server.request.start', keep);
});
beforeEach(() => {
  stalled.clear();
});
afterAll(() => {
  unsubscribe('http.server.request.start', keep);
});

function keep(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.headers['user-agent'] === 'stalled') stalled.add(response);
}

/** A client that asks for the stream and then reads nothing. */
async function stalledViewer(url: string, { token }: Person, sent: Sent): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  const headers = `Host: skein\r\nUser-Agent: stalled\r\nAuthorization: Bearer ${token}\r\n`;
  await new Promise<void>((resolve) => {
    socket.write(`GET /api/v1${streamPath(sent)} HTTP/1.1\r\n${headers}\r\n`, () => resolve());
  });
  return socket;
}

/** 1 MB of text, which takes six times as much in JSON: more than what the system keeps for a reader who does not read. */
const megabyte: ModelStep[] = Array.from({ length: 256 }, () => text('\u0001'.repeat(4000)));

describe('GET …/response/stream › viewers who do not read', () => {
  it('hold nobody up, and cost no memory', async ({ service }) => {
    const ada = await service.person();
    const begin = gate();
    service.model.enqueue([wait(begin.passed), ...megabyte]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => stalledViewer(service.url, ada, sent)));
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(20), patience);
    begin.open();
    const [message] = await ada.rest.answer(sent);
    expect(message?.contents).toEqual([{ type: 'text', text: '\u0001'.repeat(1_024_000) }]);
    expect(service.service.tokenLog.stats()).toMatchObject({ readers: 20, bytes: 1_024_000 });
    for (const response of stalled) expect(response.writableLength).toBeLessThan(256 * 1024);
    for (const socket of sockets) socket.destroy();
  });

  it('are cut off', async ({ hasty }) => {
    const ada = await hasty.person();
    const begin = gate();
    hasty.model.enqueue([wait(begin.passed), ...megabyte]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const socket = await stalledViewer(hasty.url, ada, sent);
    await vi.waitFor(() => expect(hasty.service.tokenLog.stats().readers).toBe(1), patience);
    begin.open();
    await vi.waitFor(() => expect(hasty.service.tokenLog.stats().readers).toBe(0), { timeout: 20_000 });
    expect([...stalled].map(({ destroyed }) => destroyed)).toEqual([true]);
    socket.destroy();
  });

  it('are told apart from those with nothing to read: pings keep a silent stream open', async ({ hasty }) => {
    const ada = await hasty.person();
    const begin = gate();
    hasty.model.enqueue([wait(begin.passed), text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const socket = await stalledViewer(hasty.url, ada, sent);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.resume();
    // Twice as many pings as fit into the time after which a silent connection would be cut.
    await vi.waitFor(() => expect(received.split(': ping').length).toBeGreaterThan(16), { timeout: 10_000 });
    begin.open();
    await vi.waitFor(() => expect(received).toContain('event: done'), patience);
    socket.end();
    await once(socket, 'close');
  });
});
