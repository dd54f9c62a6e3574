import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createId } from '../../../src/ids.js';
import { settle } from '../../../src/modules/responses/protocol/settle.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { breakConnection, gate, text, wait } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';
import { collectEvents } from '../viewing/collect-events.js';
import { rowOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

const patience = { timeout: 10_000 };

/** What a takeover by another process does; its lease is long, so that nobody takes the response over again. */
async function takeElsewhere(service: TestService, { threadId, messageId }: Sent): Promise<void> {
  await service.database.$queryRaw`
    WITH taken AS (UPDATE thread SET epoch = epoch + 1 WHERE id = ${threadId} RETURNING epoch)
    UPDATE response SET epoch = taken.epoch, attempt = attempt + 1, worker_id = 'elsewhere',
      lease_until = clock_timestamp() + interval '1 hour'
    FROM taken WHERE message_id = ${messageId} RETURNING pg_notify('response_changed', message_id)::text`;
}

/** The other process ends the response. */
async function finishElsewhere({ service }: TestService, sent: Sent): Promise<boolean> {
  const { isStored } = await settle(service.database, {
    run: {
      ...sent,
      epoch: 2,
      attempt: 2,
      deadlineMs: Number.POSITIVE_INFINITY,
      isStopRequested: false,
      acceptedMs: 0,
      traceparent: null,
      chosenModel: null,
      callsBefore: 0,
      payer: { organizationId: 1, userId: 'usr_1', tokenId: null, hasBudgets: false },
    },
    outcome: { status: 'succeeded' },
    answer: { id: createId('msg'), contents: [{ type: 'text', text: 'From elsewhere' }] },
    usage: { model: 'x', inputTokens: null, outputTokens: null },
  });
  return isStored;
}

/** A response with the text "Hel", whose model sends "lo" when told to. */
async function begun(service: TestService, { rest }: Person) {
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo')]);
  const sent = await rest.createThread({ text: 'Hi' });
  const viewer = await rest.stream(sent);
  await viewer.next();
  return { sent, viewer, finish: released.open };
}

describe('worker › a run that another worker has reclaimed', () => {
  let service: TestService;
  let ada: Person;
  beforeAll(async () => {
    service = await startTestService();
    ada = await service.person();
  });
  afterAll(() => service.stop());

  it('is abandoned within a heartbeat, and disconnected from the model', async () => {
    const { sent, viewer } = await begun(service, ada);
    await takeElsewhere(service, sent);
    await service.model.lastRequest.closed;
    await vi.waitFor(
      () => expect(service.log.some((line) => line.includes('response abandoned'))).toBe(true),
      patience,
    );
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'running', attempt: 2, epoch: 2 });
    expect(await finishElsewhere(service, sent)).toBe(true);
    expect(shown(await collectEvents(viewer))).toEqual([['error', expect.stringContaining('starts over')]]);
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'From elsewhere'], ['done']]);
    expect(service.service.tokenLog.stats()).toMatchObject({ running: 0, readers: 0 });
  });
});

describe('worker › a zombie, which has not noticed that its run is lost', () => {
  let service: TestService;
  let ada: Person;
  beforeAll(async () => {
    const lease = { leaseMs: 3_600_000, heartbeatMs: 1_800_000, pollMs: 200, maxAttempts: 3, deadlineMs: 7_200_000 };
    service = await startTestService({ settings: { lease } });
    ada = await service.person();
  });
  afterAll(() => service.stop());

  // Nor overwrite an outcome that was stored meanwhile: `settle` in `test/modules/protocol/protocol.test.ts`.
  it('cannot end the response: its text is dropped', async () => {
    const { sent, finish } = await begun(service, ada);
    await takeElsewhere(service, sent);
    finish();
    await vi.waitFor(() => expect(service.log.some((line) => line.includes('"outcome":"lost"'))).toBe(true), patience);
    expect(await stateOf(ada.rest, sent)).toBe('active');
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi']);
    expect(await finishElsewhere(service, sent)).toBe(true);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: From elsewhere']);
  });

  it('has not heard of a request to stop either: its broken response is stopped, not failed and not tried again', async () => {
    const released = gate();
    service.model.enqueue([text('Hel'), wait(released.passed), breakConnection()]);
    const requests = service.model.requests.length;
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewer = await ada.rest.stream(sent);
    await viewer.next();
    await service.database.response.update({
      where: { messageId: sent.messageId },
      data: { stopReason: 'Ada stopped it.' },
    });
    released.open();
    expect(shown(await collectEvents(viewer))).toEqual([['error', 'Ada stopped it.']]);
    expect(await stateOf(ada.rest, sent)).toBe('interrupted');
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hel']);
    expect(service.model.requests.length - requests).toBe(1);
  });
});
