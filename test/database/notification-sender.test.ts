/** What is sent to other nodes, and when nothing is. */
import { describe, expect, it, vi } from 'vitest';
import { knownMs, NotificationSender } from '../../src/database/notification-sender.js';
import { ManualClock } from '../modules/manual-clock.js';

interface Sent {
  payloads: string[];
  peersListen: boolean;
}

/** A sender whose statements are answered as `answers` says, the last answer from then on. */
function stage(...answers: (boolean | Error)[]) {
  const clock = new ManualClock();
  const sent: Sent[] = [];
  const failures: unknown[] = [];
  const sender = new NotificationSender({
    clock,
    onError: (error) => failures.push(error),
    send: async (notifications, peersListen) => {
      sent.push({ payloads: notifications.map(({ payload }) => payload), peersListen });
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const notify = (...payloads: string[]) => {
    for (const payload of payloads) sender.add({ channel: 'work', payload });
  };
  /** Waits until the number of statements has been sent and answered, and lets the time pass until the next may be. */
  const settled = async (statements: number) => {
    await vi.waitFor(() => expect([sent.length, clock.pendingTimers]).toEqual([statements, 1]), { timeout: 20_000 });
    clock.advance(10);
  };
  return { clock, sent, failures, sender, notify, settled };
}

describe('the sender of notifications', () => {
  it('sends those of one turn in one statement, each once', async () => {
    const { sent, notify, settled } = stage(true);
    notify('one', 'two', 'one');
    await settled(1);
    expect(sent).toEqual([{ payloads: ['one', 'two'], peersListen: false }]);
  });

  it('collects what comes during a statement for the next one', async () => {
    const { sent, notify, settled } = stage(true);
    notify('one');
    await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 20_000 });
    notify('two', 'three', 'one');
    await settled(1);
    await settled(2);
    expect(sent[1]?.payloads).toEqual(['two', 'three', 'one']);
  });

  it('sends nothing for a second after nobody else was found to listen', async () => {
    const { clock, sent, notify, settled } = stage(false);
    notify('one');
    await settled(1);
    clock.advance(knownMs - 11);
    notify('two');
    clock.advance(1);
    notify('three');
    await settled(2);
    expect(sent.map(({ payloads }) => payloads)).toEqual([['one'], ['three']]);
  });

  it('does not check for listeners for a second after one was found', async () => {
    const { clock, sent, notify, settled } = stage(true);
    notify('one');
    await settled(1);
    notify('two');
    await settled(2);
    clock.advance(knownMs);
    notify('three');
    await settled(3);
    expect(sent.map(({ peersListen }) => peersListen)).toEqual([false, true, false]);
  });

  it('sends at once when another node has begun to listen', async () => {
    const { sent, sender, notify, settled } = stage(false, true);
    notify('one');
    await settled(1);
    sender.forget();
    notify('two');
    await settled(2);
    expect(sent[1]).toEqual({ payloads: ['two'], peersListen: false });
  });

  it('sends again what could not be sent, a second later', async () => {
    const { clock, sent, failures, notify, settled } = stage(new Error('no connection'), true);
    notify('one');
    await settled(1);
    notify('two');
    clock.advance(989);
    expect(sent).toHaveLength(1);
    clock.advance(1);
    await settled(2);
    expect([sent[1]?.payloads, failures]).toEqual([['one', 'two'], [new Error('no connection')]]);
  });
});
