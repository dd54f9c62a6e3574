/** The sender of a message sees its answer begin without reading a row, while nothing else can have changed it. */
import { describe, expect, it } from 'vitest';
import type { TokenLog } from '../../../../src/modules/tokens/log/token-log.js';
import { createLog, id } from './token-log-reading.js';

const message = { threadId: 'thr_1', senderId: 'usr_1', acceptedMs: 0 };
const beginning = { threadId: 'thr_1', epoch: 1 };

function begun() {
  const created = createLog();
  created.log.open(id, 1, message);
  return created;
}

describe('token log, an answer that begins', () => {
  it('is known to the sender of its message for a second', () => {
    const { log, clock } = begun();
    clock.advance(999);
    expect(log.beginningFor('usr_1', id)).toEqual(beginning);
    clock.advance(1);
    expect(log.beginningFor('usr_1', id)).toBeNull();
  });

  it('is not known to others, nor where another process generates it', () => {
    const { log } = begun();
    log.open('msg_2', 1);
    expect(log.beginningFor('usr_2', id)).toBeNull();
    expect(log.beginningFor('usr_1', 'msg_2')).toBeNull();
    expect(log.beginningFor('usr_1', 'msg_3')).toBeNull();
  });

  it.each<[string, (log: TokenLog) => void]>([
    ['its row has changed', (log) => log.invalidate(id)],
    ['changes may have been missed', (log) => log.invalidateAll()],
    ['its outcome is being stored', (log) => log.settling(id, 1)],
    ['it has ended', (log) => log.end(id, 1, true)],
    ['its thread was deleted or hidden', (log) => log.endAccess('thr_1')],
  ])('is no longer known once %s', (_what, change) => {
    const { log } = begun();
    change(log);
    expect(log.beginningFor('usr_1', id)).toBeNull();
  });

  it('stays known where another thread was deleted or hidden', () => {
    const { log } = begun();
    log.endAccess('thr_2');
    expect(log.beginningFor('usr_1', id)).toEqual(beginning);
  });
});
