/** The row of a response is read once when a stream is asked for and once for its outcome, and nothing in between is missed. */
import { describe, expect, it } from 'vitest';
import { type FirstRead, followResponse } from '../../../src/modules/responses/viewing/follow-response.js';
import { running, ScriptedResponse, settled, watching } from './scripted-response.js';

/** What was read when the stream was asked for. */
function readFirst({ id, log, row }: ScriptedResponse): FirstRead {
  const reader = log.attach(id);
  if (!row) throw new Error('There is no row.');
  return { reader, revision: reader.revision, row };
}

function follow(response: ScriptedResponse, first: FirstRead) {
  const { id: responseId, log, clock, read } = response;
  return followResponse({ responseId, log, clock, read, first, thinking: false, after: null, endings: [] });
}

describe('followResponse, the row that was read when the stream was asked for', () => {
  it('counts, so that it is not read again', async () => {
    const response = running('text');
    const events = follow(response, readFirst(response));
    expect((await events.next()).value).toMatchObject({ type: 'status', status: 'running' });
    expect((await events.next()).value).toMatchObject({ type: 'token', text: 'text' });
    expect(response.reads).toEqual({ status: 0, text: 0 });
    await events.return?.();
  });

  it('is read again if it has changed since', async () => {
    const response = new ScriptedResponse();
    const first = readFirst(response);
    response.claim();
    const events = follow(response, first);
    expect((await events.next()).value).toMatchObject({ type: 'status', status: 'running' });
    expect(response.reads).toEqual({ status: 0, text: 1 });
    await events.return?.();
  });

  it('is replayed from its text if the response is complete', async () => {
    const response = running('text');
    response.settle('succeeded');
    const seen = [];
    for await (const event of follow(response, readFirst(response))) seen.push(event.type);
    expect(seen).toEqual(['status', 'token', 'done']);
    expect(response.reads).toEqual({ status: 0, text: 0 });
  });

  it('leaves nothing behind where nobody takes an event', async () => {
    const response = running('text');
    const events = follow(response, readFirst(response));
    expect(response.log.stats().readers).toBe(1);
    await events.return?.();
    expect(response.log.stats()).toMatchObject({ watched: 0, readers: 0, waiting: 0 });
  });
});

describe('followResponse, an outcome', () => {
  it('is read once, though the log ends after it', async () => {
    const { response, viewer } = await watching('text');
    response.settle('succeeded', { silently: true });
    response.holdReads();
    await settled(() => response.log.invalidate(response.id));
    response.log.end(response.id, response.epoch);
    await settled(() => response.releaseReads());
    expect(viewer.types).toEqual(['status', 'token', 'done']);
    expect(response.reads).toEqual({ status: 1, text: 1 });
  });

  it('that the worker of this process has stored is known without reading the row', async () => {
    const response = running('text');
    const [early, late] = [response.watch(), response.watch()];
    await settled();
    const { reads } = response;
    const before = { ...reads };
    late.stall();
    await settled(() => response.say(' and more'));
    await settled(() => response.settle('succeeded', { published: true }));
    expect(early.types).toEqual(['status', 'token', 'token', 'done']);
    await settled(() => late.goOn());
    expect(late.types.at(-1)).toBe('done');
    expect(late.text).toBe('text and more');
    expect(reads).toEqual(before);
  });

  it('that is not stored for long is looked for in the row, as when nothing happens', async () => {
    const { response, viewer } = await watching('text');
    response.log.settling(response.id, response.epoch);
    response.row = { status: 'interrupted', epoch: response.epoch, text: 'text', error: null, retry: null };
    await settled(() => response.log.invalidate(response.id));
    expect(viewer.types).toEqual(['status', 'token']);
    await settled(() => response.clock.advance(2000));
    expect(viewer.types).toEqual(['status', 'token', 'error']);
  });
});
