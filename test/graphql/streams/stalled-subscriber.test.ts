/**
 * A subscriber who does not read what is sent. The kernel takes a few megabytes for such a connection; beyond that nothing
 * may be kept for it, nobody else may notice, and in the end it is closed.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { pino } from 'pino';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createMaskError } from '../../../src/graphql/errors/mask-error.js';
import { graphqlOverHttp } from '../../../src/graphql/http.js';
import { createGraphQL } from '../../../src/graphql/yoga.js';
import { defaultBodyRate } from '../../../src/http/read-body.js';
import { OpenAccess } from '../../../src/modules/identity/open-access.js';
import { ViewerCache } from '../../../src/modules/identity/viewer-cache.js';
import { noSlots } from '../../../src/modules/responses/protocol/claim-at-once.js';
import { Budgets } from '../../../src/modules/usage/budgets/budgets.js';
import { FairSemaphore } from '../../../src/platform/fairness/fair-semaphore.js';
import { ServiceMetrics } from '../../../src/platform/metrics/service-metrics.js';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { TestService } from '../../support/service.js';
import { unlimitedRates } from '../../support/unlimited-rates.js';
import { allEvents, textAfter } from '../responses/response-events.js';
import { charactersFromNow, connectTo, longAnswer, repeats } from './stalled.js';

const stallMs = 600;
const patience = { timeout: 10_000 };

const it = serviceTest().extend('impatient', { scope: 'file' }, async ({ service }, { onCleanup }) => {
  const impatient = await startImpatientServer(service);
  onCleanup(async () => {
    impatient.closeAllConnections();
    impatient.close();
  });
  return impatient;
});

/** The same graph and the same tokens as the service's, behind a server that waits for a stalled subscriber only shortly. */
async function startImpatientServer(service: TestService): Promise<Server> {
  const { database, tokenLog, threadChanges, presence } = service.service;
  const logger = pino({ level: 'silent' });
  const metrics = new ServiceMetrics();
  const services = {
    database,
    tokenLog,
    threadChanges,
    presence,
    openAccess: new OpenAccess(),
    viewers: new ViewerCache(),
    logger,
    metrics,
    tracing: null,
    slots: noSlots,
    publicUrl: 'https://skein.test',
    readSession: () => null,
    attachmentStorage: { perUser: null, perOrganization: null },
    transfers: new FairSemaphore({ total: 1, perOrganization: 1, perUser: 1, waitingPerUser: 1 }),
    answers: new FairSemaphore({ total: 2 ** 30, perOrganization: 2 ** 30, perUser: 2 ** 30, waitingPerUser: 1 }),
    passwordHashes: new FairSemaphore({ total: 1, perOrganization: 1, perUser: 1, waitingPerUser: 1 }),
    turns: new FairSemaphore({ total: 8, perOrganization: 8, perUser: 8, waitingPerUser: 8 }),
    lookups: new FairSemaphore({ total: 8, perOrganization: 8, perUser: 8, waitingPerUser: 8 }),
    bodyRate: defaultBodyRate,
    prices: new Map(),
    budgets: new Budgets({ database, prices: new Map(), limitsHit: metrics.limitsHit }),
    models: [],
    rates: unlimitedRates(logger),
  };
  const yoga = createGraphQL(services, createMaskError(logger));
  const app = new Koa().use(graphqlOverHttp(yoga, { stallMs, limitsHit: metrics.limitsHit }));
  app.silent = true;
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

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

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a subscriber who does not read', () => {
  it('takes little more than its connection holds, and disturbs nobody else', async ({ service, ada }) => {
    service.model.enqueue(longAnswer());
    const sent = await ada.rest.readyThread({ text: 'Tell me everything' });
    const [answers, characters] = [answersFromNow(), charactersFromNow()];
    const sockets = Array.from({ length: 8 }, () => connectTo(ada, service.url, sent).pause());
    const areFull = () => answers.map(({ writableNeedDrain }) => writableNeedDrain);
    await vi.waitFor(() => expect(areFull()).toEqual(Array(8).fill(true)), patience);
    const read = textAfter(await allEvents(ada.graphql, sent));
    expect(read).toHaveLength(900_000);
    expect(service.service.tokenLog.stats().readers).toBe(8);
    const taken = repeats * (characters() - read.length);
    const handedOver = sockets.map((_, n) => bytesHandedOver(answers[n])).reduce((sum, bytes) => sum + bytes);
    // Each would take 27 MB.
    expect(taken - handedOver).toBeLessThan(sockets.length * 2 * 2 ** 20);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
    expect((await service.client().get('/me')).status).toBe(401);
  });

  it('is disconnected after a timeout, and forgotten', async ({ service, ada, impatient }) => {
    service.model.enqueue(longAnswer());
    const sent = await ada.rest.readyThread({ text: 'Tell me everything' });
    const answers = answersFromNow();
    const socket = connectTo(ada, urlOf(impatient), sent).pause();
    await vi.waitFor(() => expect(answers.map(({ destroyed }) => destroyed)).toEqual([true]), patience);
    expect(answers[0]?.statusCode).toBe(200);
    await vi.waitFor(() => expect(service.service.tokenLog.stats().readers).toBe(0), patience);
    socket.destroy();
  });

  it('is told apart from one who reads a silent response', async ({ service, ada, impatient }) => {
    const active = await activeThread({ service, rest: ada.rest });
    const socket = connectTo(ada, urlOf(impatient), active);
    const pings = new Promise<void>((resolve, reject) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
        if (received.split('\n:\n\n').length > 4) resolve();
      });
      socket.once('close', () => reject(new Error(`The connection was closed after:\n${received}`)));
    });
    await pings;
    expect(service.service.tokenLog.stats().readers).toBe(1);
    socket.destroy();
    active.finish();
  });
});
