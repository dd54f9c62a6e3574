/** The attachments of all running responses together: they are sent in turns. That none is held meanwhile is looked at in `stress`. */
import { describe, expect, vi } from 'vitest';
import { createProcessor } from '../../../src/assistant/create-processor.js';
import type { AttachedFile } from '../../../src/assistant/files/attached-files.js';
import { limitGeneration } from '../../../src/modules/responses/generation/limits.js';
import type {
  ConversationMessage,
  GenerationEvent,
  TakeEvent,
} from '../../../src/modules/responses/generation/processor.js';
import { gate, hang } from '../../support/model/model-script.js';
import type { ModelServer } from '../../support/model/model-server.js';
import { it } from '../listening.js';

const size = 1_000_000;
const limits = { firstEventMs: 60_000, silenceMs: 30_000, totalMs: 600_000, maxTextBytes: 1000 };
const shown: ConversationMessage = {
  role: 'user',
  contents: [
    { type: 'text', text: 'Look' },
    { type: 'image', attachmentId: 'att' },
  ],
};

/** A model with room for one image at a time; pieces of the first are given when `open` is called. */
async function slowModel(server: ModelServer) {
  const { passed, open } = gate();
  let reads = 0;
  /** Of which response an image was begun, in that order. */
  const begun: string[] = [];
  const imageOf = (id: string): AttachedFile => {
    const read = async (start: number, length: number) => {
      reads += 1;
      if (start === 0) begun.push(id);
      await passed;
      return Buffer.alloc(length, 'x');
    };
    return { name: 'a.png', mediaType: 'image/png', size, read };
  };
  const processor = await createProcessor({
    model: 'compatible:test-model',
    baseUrl: server.url,
    systemPrompt: '',
    readAttachments: async (ids) => new Map(ids.map((id) => [id, imageOf(id)])),
    attachmentBytes: size,
  });
  const answer = async (signal = new AbortController().signal, name = 'Look'): Promise<GenerationEvent[]> => {
    const image = { type: 'image' as const, attachmentId: name };
    const conversation = [{ ...shown, contents: [{ type: 'text' as const, text: name }, image] }];
    const principal = async () => ({ organizationId: 1, userId: name.slice(0, 3) });
    const source = (inner: AbortSignal, take: TakeEvent) =>
      processor.generate({ conversation, principal, signal: inner }, take);
    const events: GenerationEvent[] = [];
    await limitGeneration(source, { limits, signal }, (event) => void events.push(event));
    return events;
  };
  return { answer, open, begun, reads: () => reads };
}

describe('the attachments of running responses', () => {
  it('are sent in turns, which end when the request is sent, not when it is answered', async ({ server }) => {
    const { answer, open, reads } = await slowModel(server);
    server.respond(() => [hang()]);
    const stop = new AbortController();
    const answers = Promise.allSettled([answer(stop.signal), answer(stop.signal), answer(stop.signal)]);
    await vi.waitFor(() => expect(reads()).toBe(1), { timeout: 20_000 });
    expect(server.requests).toHaveLength(0);
    open();
    await vi.waitFor(() => expect(server.requests).toHaveLength(3), { timeout: 10_000 });
    for (const { headers, body } of server.requests) {
      expect([headers['transfer-encoding'], headers['content-length']]).toEqual([undefined, expect.any(String)]);
      expect(JSON.stringify(body.messages)).toContain(Buffer.alloc(size, 'x').toString('base64'));
    }
    stop.abort(new Error('enough'));
    await answers;
  });

  it('are scheduled in turns by user: the second of one user waits for the first of everybody else', async ({
    server,
  }) => {
    const { answer, open, begun } = await slowModel(server);
    const stop = new AbortController();
    server.respond(() => [hang()]);
    const first = answer(stop.signal, 'ada 1');
    await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 20_000 });
    const others = ['ada 2', 'ada 3', 'ada 4', 'bob 1', 'eve 1'].map((name) => answer(stop.signal, name));
    const ended = Promise.allSettled([first, ...others]);
    await new Promise(setImmediate);
    open();
    await vi.waitFor(() => expect(begun).toHaveLength(6), { timeout: 10_000 });
    expect(begun).toEqual(['ada 1', 'ada 2', 'bob 1', 'eve 1', 'ada 3', 'ada 4']);
    stop.abort(new Error('enough'));
    await ended;
  });

  it('that wait for a turn do not count as a silent model, and leave the queue when stopped', async ({ server }) => {
    const { answer, open, reads } = await slowModel(server);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      // The image of another response, whose own clock is not looked at here.
      const first = answer().catch((error: unknown) => error);
      await vi.waitFor(() => expect(reads()).toBe(1), { timeout: 20_000 });
      const stop = new AbortController();
      const stopped = expect(answer(stop.signal)).rejects.toThrow('stopped');
      const waiting = answer();
      await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(limits.firstEventMs + 1);
      expect(await first).toMatchObject({ code: 'model_timeout' });
      stop.abort(new Error('stopped'));
      await stopped;
      open();
      expect((await waiting).some(({ type }) => type === 'text')).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
