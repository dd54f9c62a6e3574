import { describe, expect, it } from 'vitest';
import { running, ScriptedResponse, settled, watching } from './scripted-response.js';

describe('followResponse', () => {
  it('shows the status at once, then the tokens as they come, then done', async () => {
    const response = new ScriptedResponse();
    const viewer = response.watch();
    await settled();
    expect(viewer.seen).toEqual([{ type: 'status', cursor: '0-0', status: 'queued' }]);
    await settled(() => response.claim());
    await settled(() => response.say('Hello '));
    await settled(() => response.say('you'));
    await settled(() => response.settle('succeeded'));
    expect(viewer.told.slice(1)).toEqual(['status 1-0 running', 'token 1-6 Hello ', 'token 1-9 you', 'done 1-end']);
    expect(viewer.state).toBe('ended');
  });

  it('sends done only when the row has succeeded', async () => {
    const { response, viewer } = await watching('text');
    await settled(() => response.log.end(response.id, 1));
    await settled(() => response.clock.advance(10_000));
    expect(viewer.types).toEqual(['status', 'token']);
    response.settle('succeeded', { silently: true });
    await settled(() => response.log.invalidate(response.id));
    expect(viewer.types).toEqual(['status', 'token', 'done']);
  });

  it('notices the end within the recheck interval without a notification', async () => {
    const { response, viewer } = await watching('text');
    response.settle('succeeded', { silently: true });
    await settled(() => response.clock.advance(1999));
    expect(viewer.state).toBe('open');
    await settled(() => response.clock.advance(1));
    expect(viewer.seen.at(-1)).toEqual({ type: 'done', cursor: '1-end' });
  });

  it('misses no change while the viewer is busy with an event', async () => {
    const response = new ScriptedResponse();
    const { events } = response.follow();
    await events.next();
    response.claim();
    expect((await events.next()).value).toMatchObject({ type: 'status', status: 'running' });
    response.settle('succeeded', { text: 'stored', silently: true });
    response.log.invalidate(response.id);
    expect((await events.next()).value).toMatchObject({ type: 'token', text: 'stored' });
  });

  it('does not load the stored text when the log had all of it, and loads it once otherwise', async () => {
    const response = running('text');
    const live = response.watch();
    await settled();
    expect(response.reads).toEqual({ status: 0, text: 1 });
    await settled(() => response.settle('succeeded'));
    expect(live.text).toBe('text');
    expect(response.reads).toEqual({ status: 1, text: 1 });
  });

  it('ends although the log had more than was stored, which only a defect can cause', async () => {
    const { response, viewer } = await watching('more than was stored');
    response.settle('succeeded', { text: 'more' });
    await settled(() => response.clock.advance(60_000));
    expect(viewer).toMatchObject({ state: 'ended', text: 'more than was stored' });
  });

  it('gives thinking to those who want it, in order, and keeps it out of the cursors of others', async () => {
    const response = running();
    const [withThinking, without] = [response.watch({ thinking: true }), response.watch()];
    response.say('hm', 'thinking');
    response.say('A');
    await settled(() => response.say('so', 'thinking'));
    await settled(() => response.settle('succeeded'));
    expect(withThinking.told.slice(1)).toEqual([
      'thinking 1-0-2 hm',
      'token 1-1-2 A',
      'thinking 1-1-4 so',
      'done 1-end',
    ]);
    expect(without.told.slice(1)).toEqual(['token 1-1 A', 'done 1-end']);
    const resumed = response.watch({ thinking: true, after: '1-1-2' });
    const plain = response.watch({ after: '1-0-2' });
    await settled();
    expect(plain.seen.map(({ cursor }) => cursor)).toEqual(['1-0', '1-1', '1-end']);
    expect(resumed.seen[0]?.cursor).toBe('1-1-2');
    expect(resumed.types).toEqual(['status', 'thinking', 'done']);
  });
});
