import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gate, type ModelStep, text, wait } from '../support/model-script.js';
import type { Sent } from '../support/rest-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { streamPath } from './raw-stream.js';

let service: TestService;
let ada: Person;
/** What the server holds of the answers to clients that asked in vain, as the process sees them. */
const stalled = new Set<ServerResponse>();

beforeAll(async () => {
  service = await startTestService({ settings: { sse: { pingMs: 100, stallMs: 800 } } });
  ada = await service.person();
  subscribe('http.server.request.start', keep);
});
afterAll(() => {
  unsubscribe('http.server.request.start', keep);
  return service.stop();
});

function keep(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.headers['user-agent'] === 'stalled') stalled.add(response);
}

/** A client that asks for the stream and then reads nothing. */
async function stalledViewer(sent: Sent): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  const headers = `Host: skein\r\nUser-Agent: stalled\r\nAuthorization: Bearer ${ada.token}\r\n`;
  await new Promise<void>((resolve) => {
    socket.write(`GET /api/v1${streamPath(sent)} HTTP/1.1\r\n${headers}\r\n`, () => resolve());
  });
  return socket;
}

/** 1 MB of text, which takes six times as much in JSON: more than what the system keeps for a reader who does not read. */
const megabyte: ModelStep[] = Array.from({ length: 256 }, () => text('\u0001'.repeat(4000)));

describe('GET …/response/stream › viewers who do not read', () => {
  it('hold nobody up, cost no memory, and are cut off', async () => {
    const begin = gate();
    service.model.enqueue([wait(begin.passed), ...megabyte]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => stalledViewer(sent)));
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(20));
    begin.open();
    const [message] = await ada.rest.answer(sent);
    expect(message?.contents).toEqual([{ type: 'text', text: '\u0001'.repeat(1_024_000) }]);
    expect(service.service.tokenLog.stats()).toMatchObject({ readers: 20, bytes: 1_024_000 });
    for (const response of stalled) expect(response.writableLength).toBeLessThan(256 * 1024);
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), { timeout: 10_000 });
    expect([...stalled].every(({ destroyed }) => destroyed)).toBe(true);
    for (const socket of sockets) socket.destroy();
  });

  it('are not those who have nothing to read: a silent stream lives on by its pings', async () => {
    const begin = gate();
    service.model.enqueue([wait(begin.passed), text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    stalled.clear();
    const socket = await stalledViewer(sent);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.resume();
    // Twice as many pings as fit into the time after which a silent connection would be cut.
    await vi.waitFor(() => expect(received.split(': ping').length).toBeGreaterThan(16), { timeout: 10_000 });
    begin.open();
    await vi.waitFor(() => expect(received).toContain('event: done'));
    socket.end();
    await once(socket, 'close');
  });
});
