/**
 * Shows one response to one viewer, from any position, live or from the database: the tokens of one attempt add up to
 * the stored text, without gap or repeat. The token log is only the fast source of text in progress; the row of the
 * response decides which attempt is current and when it has ended, so `done` never comes before the row has succeeded.
 *
 * A position that this response cannot have issued is ignored: one of a newer attempt, the end of an attempt that has not
 * ended, or one beyond the text of a succeeded response (detected at its end). Its viewer starts from the beginning.
 * A position inside a surrogate pair is moved before the pair.
 */
import { CancellableStream, type Ending } from '../../../platform/async/cancellable-stream.js';
import { type Clock, systemClock } from '../../../platform/async/clock.js';
import { Revalidator } from '../../../platform/async/revalidator.js';
import type { TokenChunk } from '../../tokens/log/attempt-text.js';
import type { LogReader, ReadPosition } from '../../tokens/log/log-reader.js';
import { formatPosition, type Position } from '../../tokens/log/position.js';
import type { TokenLog } from '../../tokens/log/token-log.js';
import { StoredText } from '../stored-text.js';
import { isEndOf, isOver, outcomeOf, type ResponseEvent, type ResponseSnapshot } from './response-event.js';

/** The row as it was read while `reader` was attached already, at this revision. */
export interface FirstRead {
  reader: LogReader;
  revision: number;
  row: ResponseSnapshot;
}

export interface FollowOptions {
  responseId: string;
  log: TokenLog;
  /** The row with its text, if it was read when the stream was asked for. It counts unless the row has changed since. */
  first?: FirstRead;
  /**
   * Reads the row; null if the viewer may not see it (any more), which ends the stream without a further event. The
   * text is requested by the first read, and at the end if the log did not have it. A failing read is repeated for a
   * minute, except for the first.
   */
  read: (options: { withText: boolean }) => Promise<ResponseSnapshot | null>;
  /** How much of the response the viewer already has. */
  after: Position | null;
  thinking: boolean;
  /** What ends the stream at once. */
  endings: readonly Ending[];
  clock?: Clock;
}

/** Time without tokens after which the row is read again. */
const recheckMs = 2000;
/** Time after which the row is read again even while tokens arrive: how long a revoked token may continue. */
const visibilityMs = 60_000;

const liveChunkBytes = 16 * 1024;
/** Smaller than live chunks, so that a replay still looks like a stream. */
const storedChunkBytes = 4 * 1024;

/**
 * The events of a response for one viewer, pulled one by one: nothing is kept for a viewer who does not pull. The first
 * is the status; `error` or `done` is the last. There is no event at all if `after` is the end of this response's outcome
 * (REST: 204), or if the viewer may not see the response.
 */
export function followResponse(options: FollowOptions): AsyncIterableIterator<ResponseEvent, void, void> {
  let follower: Follower | undefined;
  return new CancellableStream({
    next: async () => {
      follower ??= new Follower(options);
      return follower.events.next();
    },
    endings: options.endings,
    release: () => (follower ?? options.first?.reader)?.close(),
  });
}

class Follower {
  readonly events = this.#follow();
  readonly #options: FollowOptions;
  readonly #reader: LogReader;
  /** Schedules the reads of the row: the log invalidates it, and without tokens it is due. */
  readonly #row: Revalidator;
  #first: FirstRead | undefined;
  #position: ReadPosition = { epoch: 0, text: 0, thinking: 0 };
  /** The last status that was sent to the viewer. */
  #status: ResponseSnapshot['status'] | null = null;
  /** The last retry that the viewer needs no word of. */
  #retry: string | null = null;
  /** Stored text of the position's attempt, once it was loaded. */
  #stored: StoredText | null = null;
  /** Whether the position is still the one that the viewer sent. */
  #asPresented = true;

  constructor(options: FollowOptions) {
    this.#options = options;
    const { log, responseId, first, clock = systemClock } = options;
    this.#first = first;
    this.#reader = first?.reader ?? log.attach(responseId);
    const limits = { recheckMs, staleMs: visibilityMs, patienceMs: visibilityMs };
    this.#row = new Revalidator({ ...limits, topic: this.#reader, clock, isStopping: () => log.closed });
  }

  close(): void {
    this.#row.close();
    this.#reader.close();
  }

  async *#follow(): AsyncGenerator<ResponseEvent, void, void> {
    let row = await this.#read({ withText: true });
    if (!row || isEndOf(row, this.#options.after)) return;
    this.#status = row.status;
    yield { type: 'status', cursor: this.#start(row), status: row.status };
    for (;;) {
      if (this.#isDue(row)) row = await this.#read({ withText: false });
      if (!row) return;
      const event = this.#nextEvent(row);
      if (event) yield event;
      else if (!isOver(row.status)) row = await this.#wait(row);
      else if (this.#needsStoredText(row)) row = await this.#read({ withText: true });
      else if (!this.#forgetImpossiblePosition(row)) {
        yield outcomeOf(row);
        return;
      }
    }
  }

  /**
   * Whether to read the row again. An outcome is final, so what invalidates it is old news, mostly that the log has ended
   * too; after a while it is read all the same, because the viewer may have lost access.
   */
  #isDue(row: ResponseSnapshot | null): boolean {
    return row && isOver(row.status) ? this.#row.isOverdue : this.#row.isDue;
  }

  /** A change of the row that the viewer does not know: a new attempt, or that the response now runs. */
  #news(row: ResponseSnapshot): ResponseEvent | null {
    if (row.epoch > this.#position.epoch && this.#restart(row)) {
      return { type: 'restarted', cursor: formatPosition(this.#position) };
    }
    if (row.status === this.#status || isOver(row.status)) return null;
    this.#status = row.status;
    return { type: 'status', cursor: formatPosition(this.#position), status: row.status };
  }

  async #read({ withText }: { withText: boolean }): Promise<ResponseSnapshot | null> {
    const row = await this.#row.read(() => this.#readRow(withText));
    this.#reader.isRunning = row?.status === 'running';
    if (!row || !isOver(row.status)) this.#stored = null;
    else if (withText) this.#stored = new StoredText(row.text, this.#begunOf(row));
    else if (row.epoch > this.#position.epoch) return this.#read({ withText: true });
    return row && { ...row, text: '' };
  }

  #readRow(withText: boolean): Promise<ResponseSnapshot | null> {
    const first = this.#first;
    this.#first = undefined;
    if (first && first.reader.revision === first.revision) return Promise.resolve(first.row);
    if (!withText && this.#reader.hasSucceeded(this.#position)) return Promise.resolve(this.#success);
    return this.#options.read({ withText });
  }

  /** As the row has it. Whoever lost access meanwhile is told so by one of the `endings`. */
  get #success(): ResponseSnapshot {
    return { status: 'succeeded', epoch: this.#position.epoch, text: '', error: null, retry: null };
  }

  /** Waits for changes of a running response. Null if the process stops, because there is nothing to wait for then. */
  async #wait(row: ResponseSnapshot): Promise<ResponseSnapshot | null> {
    if (this.#row.isOver) return null;
    await this.#row.wait();
    return row;
  }

  /** How much of the row's attempt the viewer has. */
  #begunOf({ epoch }: ResponseSnapshot): number {
    return epoch > this.#position.epoch ? 0 : this.#position.text;
  }

  /**
   * Sets the first position and returns its cursor. A viewer of an older attempt keeps its own cursor until it gets the
   * restart: with a newer one it could leave in between and never learn that its text is void.
   */
  #start({ epoch }: ResponseSnapshot): string {
    const { after, thinking } = this.#options;
    const usable = after && (after.epoch < epoch || (after.epoch === epoch && after.text !== 'end'));
    const start = usable ? { ...after, thinking: thinking ? after.thinking : 0 } : { epoch, text: 0, thinking: 0 };
    this.#position = { ...start, text: start.text === 'end' ? Number.POSITIVE_INFINITY : start.text };
    return formatPosition(start);
  }

  /** Moves to the row's attempt. True if the viewer has text of another one, which different text will replace. */
  #restart({ epoch, status }: ResponseSnapshot): boolean {
    const hadSome = this.#position.text > 0 || this.#position.thinking > 0;
    this.#position = { epoch, text: 0, thinking: 0 };
    return hadSome && (status === 'succeeded' || this.#stored?.length !== 0);
  }

  #nextEvent(row: ResponseSnapshot): ResponseEvent | null {
    const news = this.#news(row);
    if (news) return news;
    const chunk = this.#nextChunk(row);
    return chunk ? this.#take(chunk) : this.#newRetry(row);
  }

  /** The next text, from the log if it has more; of a failed or stopped response only the stored text counts. */
  #nextChunk({ status }: ResponseSnapshot): TokenChunk | undefined {
    const { text: from, thinking } = this.#position;
    if (!isOver(status) || status === 'succeeded') {
      const options = { thinking: this.#options.thinking, maxBytes: liveChunkBytes };
      const chunk = this.#reader.next(this.#position, options);
      if (chunk) return chunk;
    }
    const piece = this.#stored?.next(from, storedChunkBytes);
    return piece && { kind: 'text', text: piece.text, upTo: { text: piece.upTo, thinking } };
  }

  /**
   * That the model is called once more, if the viewer does not know it. The row keeps the note while the attempt lasts: it
   * is out of date as soon as the call that it announces says something.
   */
  #newRetry({ retry, status, epoch }: ResponseSnapshot): ResponseEvent | null {
    const known = retry && `${epoch}:${retry.call}`;
    if (!retry || known === this.#retry || isOver(status) || epoch !== this.#position.epoch) return null;
    this.#retry = known;
    const { wasSeen, call, maxCalls, code, message } = retry;
    if (!wasSeen && this.#hasOutput()) return null;
    return { type: 'retrying', cursor: formatPosition(this.#position), call, maxCalls, code, message };
  }

  #hasOutput(): boolean {
    const { epoch, text, thinking } = this.#position;
    const first = { epoch, text: 0, thinking: 0 };
    return text > 0 || thinking > 0 || this.#reader.next(first, { thinking: true, maxBytes: 4 }) !== undefined;
  }

  /** Postpones the next read of the row: while tokens arrive, it does not change. */
  #take({ kind, text, upTo }: TokenChunk): ResponseEvent {
    this.#row.postpone();
    this.#position = { epoch: this.#position.epoch, ...upTo };
    // Thinking does not show how much text there is.
    if (kind === 'text') this.#asPresented = false;
    return { type: kind === 'text' ? 'token' : 'thinking', cursor: formatPosition(this.#position), text };
  }

  #needsStoredText({ status }: ResponseSnapshot): boolean {
    if (this.#stored !== null) return this.#stored.lacks(this.#position.text);
    return !(status === 'succeeded' && this.#reader.hasWholeText(this.#position));
  }

  /** Restarts from the beginning, and returns true, if the viewer's position is beyond a succeeded response. */
  #forgetImpossiblePosition({ status }: ResponseSnapshot): boolean {
    const isBeyondText = status === 'succeeded' && this.#stored !== null && this.#position.text > this.#stored.length;
    if (!this.#asPresented || !isBeyondText) return false;
    this.#position.text = 0;
    this.#asPresented = false;
    return true;
  }
}
