/** What ends a stream together with the access to it. The tests of open-access.test.ts show the same over HTTP. */
import { describe, expect, it, vi } from 'vitest';
import { OpenAccess } from '../../../src/modules/identity/open-access.js';

const viewer = { tokenId: 'tok_1', userId: 'usr_1' };

describe('a stream that depends on the access of its viewer', () => {
  it.each(['tok_1', 'usr_1', 'thr_1 usr_2'])('ends at once when a notification names %s', (payload) => {
    const open = new OpenAccess();
    const end = vi.fn();
    open.endOf({ viewer, threadId: 'thr_1' })(end);
    open.receive(payload);
    expect(end).toHaveBeenCalledOnce();
  });

  it('does not end when the thread is hidden by its viewer, or after it has ended by itself', () => {
    const open = new OpenAccess();
    const end = vi.fn();
    const leave = open.endOf({ viewer, threadId: 'thr_1' })(end);
    open.receive('thr_1 usr_1');
    leave();
    open.receive('tok_1');
    expect(end).not.toHaveBeenCalled();
    expect(open.size).toBe(0);
  });
});
