/**
 * One response with its row, its token log and its viewers, driven step by step by a test. `said` is the model: the plain
 * list of the texts of each attempt. A read of the row returns its state at that moment, like one of the database; it is
 * delivered later while `holdReads` is on, and fails while `failReads` is on.
 */

import { followResponse } from '../../../src/modules/responses/viewing/follow-response.js';
import type {
  ResponseEvent,
  ResponseSnapshot,
  ResponseStatus,
} from '../../../src/modules/responses/viewing/response-event.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import { parsePosition } from '../../../src/modules/tokens/log/position.js';
import { TokenLog, type TokenLogOptions } from '../../../src/modules/tokens/log/token-log.js';
import { onAbort } from '../../../src/platform/async/cancellable-stream.js';
import { ManualClock } from '../manual-clock.js';
import { textIn } from '../tokens/token-entries.js';

/** Does something, and lets everything run that is not waiting for the clock or for a held read. */
export function settled(act: () => unknown = () => undefined): Promise<void> {
  act();
  return new Promise((resolve) => setImmediate(resolve));
}

interface Following {
  after?: string | null;
  thinking?: boolean;
  controller?: AbortController;
}

export class ScriptedResponse {
  readonly id = 'msg_1';
  readonly clock = new ManualClock();
  readonly log: TokenLog;
  readonly said = new Map<number, TokenEntry[]>();
  row: ResponseSnapshot | null = { status: 'queued', epoch: 0, text: '', error: null, retry: null };
  reads = { status: 0, text: 0 };
  failReads = false;
  #held: (() => void)[] | null = null;

  constructor(options: Partial<TokenLogOptions> = {}) {
    this.log = new TokenLog({ clock: this.clock, ...options });
  }

  get epoch(): number {
    return this.row?.epoch ?? 0;
  }

  /** A worker takes the response: the row first, then the log, which a worker of another process does not have. */
  claim({ elsewhere = false } = {}): void {
    this.row = { status: 'running', epoch: this.epoch + 1, text: '', error: null, retry: null };
    this.said.set(this.epoch, []);
    if (!elsewhere) this.log.open(this.id, this.epoch);
  }

  /** The model is called once more. */
  retry(call: number, { wasSeen = false } = {}): void {
    const note = { call, maxCalls: 9, wasSeen, code: 'model_unavailable', message: 'The AI model is unavailable.' };
    if (this.row) this.row = { ...this.row, retry: note };
    this.log.invalidate(this.id);
  }

  say(text: string, kind: TokenEntry['kind'] = 'text', epoch = this.epoch): void {
    this.said.get(epoch)?.push({ kind, text });
    this.log.append(this.id, epoch, { kind, text });
  }

  textOf(epoch: number): string {
    return textIn(this.said.get(epoch) ?? []);
  }

  /**
   * The outcome is committed; the worker tells the log unless it is gone or somewhere else. `published`: it is one of this process,
   * which says what comes before the commit, of which readers are notified first, and its outcome after it.
   */
  settle(status: ResponseStatus, { text = this.textOf(this.epoch), silently = false, published = false } = {}): void {
    const error = status === 'failed' ? { code: 'model_failed', message: 'It broke.' } : null;
    if (published) this.log.settling(this.id, this.epoch);
    this.row = { status, epoch: this.epoch, text, error, retry: null };
    if (published) this.log.invalidate(this.id);
    if (!silently) this.log.end(this.id, this.epoch, published && status === 'succeeded');
  }

  holdReads(): void {
    this.#held ??= [];
  }

  releaseReads(): void {
    for (const release of this.#held ?? []) release();
    this.#held = null;
  }

  readonly read = async ({ withText }: { withText: boolean }): Promise<ResponseSnapshot | null> => {
    this.reads[withText ? 'text' : 'status'] += 1;
    const row = this.row && { ...this.row, text: withText ? this.row.text : '' };
    const { failReads } = this;
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
    if (failReads) throw new Error('the database is away');
    return row;
  };

  follow({ after = null, thinking = false, controller = new AbortController() }: Following = {}) {
    const { id, log, clock, read } = this;
    const options = { responseId: id, log, clock, read, thinking, after: parsePosition(after) };
    return { events: followResponse({ ...options, endings: [onAbort(controller.signal)] }), controller };
  }

  /** A viewer who takes every event as soon as it is there. */
  watch(options: Following = {}): Viewing {
    return new Viewing(this.follow(options));
  }
}

export class Viewing {
  readonly seen: ResponseEvent[] = [];
  readonly controller: AbortController;
  state: 'open' | 'ended' | 'threw' = 'open';
  error: unknown;
  #stalled: Promise<void> | undefined;
  #goOn: (() => void) | undefined;

  constructor({ events, controller }: ReturnType<ScriptedResponse['follow']>) {
    this.controller = controller;
    this.#run(events).then(
      () => {
        this.state = 'ended';
      },
      (error: unknown) => {
        this.state = 'threw';
        this.error = error;
      },
    );
  }

  async #run(events: AsyncIterable<ResponseEvent>): Promise<void> {
    for await (const event of events) {
      this.seen.push(event);
      await this.#stalled;
    }
  }

  /** Takes at most one more event until `goOn`. */
  stall(): void {
    this.#stalled ??= new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  goOn(): void {
    this.#goOn?.();
    this.#stalled = undefined;
  }

  /** Each event in a line: its type, its cursor, and what it says. */
  get told(): string[] {
    return this.seen.map((event) => Object.values(event).join(' '));
  }

  get types(): string[] {
    return this.seen.map(({ type }) => type);
  }

  get text(): string {
    return this.seen.map((event) => (event.type === 'token' ? event.text : '')).join('');
  }
}

/** A running response with this text so far. */
export function running(...texts: string[]): ScriptedResponse {
  const response = new ScriptedResponse();
  response.claim();
  for (const text of texts) response.say(text);
  return response;
}

/** A running response, and a viewer who has seen what there is of it. */
export async function watching(...texts: string[]): Promise<{ response: ScriptedResponse; viewer: Viewing }> {
  const response = running(...texts);
  const viewer = response.watch();
  await settled();
  return { response, viewer };
}
