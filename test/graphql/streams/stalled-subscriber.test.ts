/**
 * A viewer who does not read what is sent. The kernel takes a few megabytes for such a connection; beyond that nothing
 * may be kept for it, nobody else may notice, and in the end it is closed.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { joinTokens } from '../../support/clients/sse.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { charactersFromNow, connectTo, longAnswer, longLength, streams } from './stalled.js';

const patience = { timeout: 10_000 };

/** A node that waits for a stalled viewer only shortly. */
const it = serviceTest().extend('impatient', { scope: 'file' }, ({ service }) =>
  service.addNode({}, { sse: { pingMs: 100, stallMs: 600 }, graphql: { stallMs: 600 } }),
);

/** The answers to requests that come from now on, as this process sees them. */
function answersFromNow(): ServerResponse[] {
  const answers: ServerResponse[] = [];
  const keep = (message: unknown) => void answers.push((message as { response: ServerResponse }).response);
  subscribe('http.server.request.start', keep);
  onTestFinished(() => {
    unsubscribe('http.server.request.start', keep);
  });
  return answers;
}

/** How much of an answer the system has taken. */
function bytesHandedOver(answer: ServerResponse | undefined): number {
  const { bytesWritten = 0, writableLength = 0 } = answer?.socket ?? {};
  return bytesWritten - writableLength;
}

describe.for(['REST', 'GraphQL'] as const)('a viewer who does not read (%s)', (transport) => {
  it('takes little more than the connection holds, and disturbs nobody else', async ({ service, ada }) => {
    service.model.enqueue(longAnswer());
    const sent = await ada.rest.readyThread({ text: 'Tell me everything' });
    const [answers, characters] = [answersFromNow(), charactersFromNow()];
    const sockets = Array.from({ length: 8 }, () => connectTo(ada, service.url, sent, transport).pause());
    const areFull = () => answers.map(({ writableNeedDrain }) => writableNeedDrain);
    await vi.waitFor(() => expect(areFull()).toEqual(Array(8).fill(true)), patience);
    const read = joinTokens(await ada.rest.streamToEnd(sent));
    expect(read).toHaveLength(longLength);
    expect(service.service.tokenLog.stats().readers).toBe(8);
    const { bytesPerCharacter, ahead } = streams[transport];
    const taken = bytesPerCharacter * (characters() - read.length);
    const handedOver = sockets.map((_, n) => bytesHandedOver(answers[n])).reduce((sum, bytes) => sum + bytes);
    // Each would take 6 MB at least.
    expect(taken - handedOver).toBeLessThan(sockets.length * ahead);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
    expect((await service.client().get('/me')).status).toBe(401);
  });

  it('is disconnected after a timeout, and forgotten', async ({ service, ada, impatient }) => {
    service.model.enqueue(longAnswer());
    const sent = await ada.rest.readyThread({ text: 'Tell me everything' });
    const answers = answersFromNow();
    const socket = connectTo(ada, impatient.url, sent, transport).pause();
    await vi.waitFor(() => expect(answers.map(({ destroyed }) => destroyed)).toEqual([true]), patience);
    expect(answers[0]?.statusCode).toBe(200);
    await vi.waitFor(() => expect(impatient.tokenLog.stats().readers).toBe(0), patience);
    socket.destroy();
  });

  it('is told apart from one who reads a silent response', async ({ service, ada, impatient }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const socket = connectTo(ada, impatient.url, active, transport);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    // More pings than fit into the time after which a silent connection would be cut.
    const pings = () => received.split(/^:(?: ping)?\n\n/m).length;
    await vi.waitFor(() => expect(pings()).toBeGreaterThan(transport === 'REST' ? 12 : 4), patience);
    expect(impatient.tokenLog.stats().readers).toBe(1);
    socket.destroy();
    active.finish();
  });
});
