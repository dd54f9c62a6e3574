import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import { cutOff, observerName } from '../../support/database/cut-off.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { gate, type ModelStep, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { collectEvents } from '../viewing/collect-events.js';
import { rowOf, shown, textsOf } from '../viewing/response-facts.js';

// It looks for lost runs far more often than it renews its leases, so it would find its own if it took them over too soon.
const lease = { leaseMs: 2000, heartbeatMs: 300, pollMs: 20, maxAttempts: 3, deadlineMs: 60_000 };
const it = serviceTest({ settings: { lease } })
  /** A session that survives the outage. */
  .extend('observer', { scope: 'file' }, ({ service }, { onCleanup }) => {
    const observer = new pg.Client({ connectionString: service.storage.url, application_name: observerName });
    onCleanup(() => observer.end());
    return observer;
  });
it.beforeAll(async ({ observer }) => {
  await observer.connect();
});

/** Waits until the lease of a response is over, or has been renewed. */
function untilLease(observer: pg.Client, state: 'over' | 'renewed', { messageId }: Sent): Promise<void> {
  const query = 'SELECT lease_until < clock_timestamp() AS over FROM response WHERE message_id = $1';
  const look = async () => {
    const { rows } = await observer.query(query, [messageId]);
    expect(rows).toEqual([{ over: state === 'over' }]);
  };
  return vi.waitFor(look, { timeout: 15_000 });
}

interface Cut {
  service: TestService;
  ada: Person;
  observer: pg.Client;
}

/** A response with the text "Hel" when the database goes away, whose model sends "lo" when told to, and then the rest. */
async function cutInTheMiddle({ service, ada, observer }: Cut, ...rest: ModelStep[]) {
  const released = gate();
  service.model.enqueue([text('Hel'), wait(released.passed), text('lo'), ...rest]);
  service.model.requests.length = 0;
  service.log.length = 0;
  const sent = await ada.rest.createThread({ text: 'Hi' });
  const viewer = await ada.rest.stream(sent);
  await viewer.next();
  const bringBack = await cutOff(service.storage.url);
  await untilLease(observer, 'over', sent);
  return { sent, viewer, bringBack, finish: released.open };
}

async function expectUntouched(service: TestService, ada: Person, sent: Sent): Promise<void> {
  expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hello']);
  expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 1, epoch: 1 });
  expect(service.model.requests).toHaveLength(1);
}

/** What the log says of failures that are tried again, with the time at which it says so. */
function saidOfFailures({ log }: TestService): { msg: string; time: number }[] {
  const lines = log.map((line): { time: number; msg: string } => JSON.parse(line));
  return lines.filter(({ msg }) => /try again|retrying soon|could not be established/.test(msg));
}

describe('worker › a database that is away for longer than a lease', () => {
  it('is logged every ten seconds by each part that meets it, and not each time', async ({
    service,
    ada,
    observer,
  }) => {
    const { viewer, bringBack, finish } = await cutInTheMiddle({ service, ada, observer });
    await bringBack();
    finish();
    await collectEvents(viewer);
    const said = saidOfFailures(service);
    const known = said.map(({ msg }) => msg);
    expect(known).toContain('the worker could not claim; it will try again');
    expect(known).toContain('the worker could not renew leases; it will try again');
    expect(known).toContain('the access of open streams could not be checked; retrying soon');
    expect(known).toContain('the notification connection could not be established');
    const tooSoon = said.filter(({ msg, time }, at) => {
      return said.slice(0, at).some((before) => before.msg === msg && time - before.time < 9_900);
    });
    expect(tooSoon).toEqual([]);
  });

  it('leaves a response running, whose text is shown once its lease holds', async ({ service, ada, observer }) => {
    const ended = gate();
    const { sent, viewer, bringBack, finish } = await cutInTheMiddle({ service, ada, observer }, wait(ended.passed));
    finish();
    await bringBack();
    expect((await viewer.next()).value).toMatchObject({ event: 'token', data: { token: 'lo' } });
    ended.open();
    expect(shown(await collectEvents(viewer))).toEqual([['done']]);
    await expectUntouched(service, ada, sent);
  });

  it('leaves a response that completes meanwhile, which is stored afterwards', async ({ service, ada, observer }) => {
    const { sent, viewer, bringBack, finish } = await cutInTheMiddle({ service, ada, observer });
    const shownBytes = service.service.tokenLog.stats().bytes;
    finish();
    await expect.poll(() => service.log.some((line) => line.includes('did not answer; retrying'))).toBe(true);
    // All text was generated by now, and none of it shown: another worker might have reclaimed the response.
    expect(service.service.tokenLog.stats().bytes).toBe(shownBytes);
    await bringBack();
    expect(shown(await collectEvents(viewer))).toEqual([['token', 'lo'], ['done']]);
    await expectUntouched(service, ada, sent);
  });
});

describe('worker › a database that is away again and again, each time for less than half a lease', () => {
  it('does not keep a lost response waiting', { timeout: 120_000 }, async ({ service, ada, observer }) => {
    service.model.enqueue([text('Hel'), wait(new Promise(() => undefined))], [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => rowOf(service, sent)).toMatchObject({ status: 'running' });
    await vi.waitFor(
      async () => {
        const bringBack = await cutOff(service.storage.url);
        await observer.query(
          `UPDATE response SET worker_id = 'lost', lease_until = clock_timestamp() - interval '1 s'
           WHERE message_id = $1 AND attempt = 1`,
          [sent.messageId],
        );
        await bringBack();
        expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 2 });
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hello']);
  });
});
