/**
 * Who reads and writes in threads now. An open subscription is what counts as reading, and writing is announced; nothing
 * is stored. Nodes tell each other what changes, at most ten times a second, repeat what still holds every few seconds,
 * and forget what is not repeated. Whoever leaves counts for a moment longer, so that a page that is loaded again or a
 * stream that moves to another node makes nobody flicker.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../platform/async/clock.js';
import { ChangeSignals } from '../feeds/change-signals.js';
import { Outbox } from './outbox.js';
import { decodeReports, type Report } from './report.js';
import { type Place, type PresentUser, Roster, type Sign } from './roster.js';
import { WritingQuota } from './writing-quota.js';

export interface PresenceTimes {
  /** The interval at which nodes repeat what they know. */
  repeatMs: number;
  /** How long the report of a node holds: three times are missed before it is forgotten. */
  forgetMs: number;
  /** How long somebody whose last stream has ended still counts as reading. */
  lingerMs: number;
  /** How long an announcement of writing holds. */
  writingMs: number;
}

export const defaultPresenceTimes: PresenceTimes = {
  repeatMs: 5_000,
  forgetMs: 16_000,
  lingerMs: 3_000,
  writingMs: 6_000,
};

export interface PresenceOptions {
  /** Tells all other nodes. */
  tell: (text: string) => void;
  times?: PresenceTimes;
  clock?: Clock;
}

/** The interval at which what has expired is removed. */
const tickMs = 500;
/** Presence matters less than the threads themselves, so it reads less often than their feeds. */
const readsPerSecond = 100;

export class Presence {
  /** Signals the followers of a thread, by its id. */
  readonly signals: ChangeSignals;
  readonly times: PresenceTimes;
  readonly #node = randomUUID();
  readonly #clock: Clock;
  readonly #roster = new Roster((threadId) => this.signals.receive(threadId));
  readonly #quota = new WritingQuota();
  /** Those who have streams on this node, with their number. */
  readonly #streams = new Map<string, Place & { count: number }>();
  readonly #outbox: Outbox;
  #repeatAt = 0;
  #isTicking = false;
  #isClosed = false;

  constructor({ tell, times = defaultPresenceTimes, clock = systemClock }: PresenceOptions) {
    this.times = times;
    this.#clock = clock;
    this.signals = new ChangeSignals(clock, readsPerSecond);
    this.#outbox = new Outbox({ node: this.#node, clock, tell, report: (place) => this.#reportOf(place) });
  }

  /** The person reads the thread, until the returned function is called. */
  enter(place: Place): () => void {
    const key = keyOf(place);
    const held = this.#streams.get(key) ?? { ...place, count: 0 };
    this.#streams.set(key, { ...held, count: held.count + 1 });
    if (held.count === 0) this.#put(place, { readingUntil: Number.POSITIVE_INFINITY });
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#leave(place);
    };
  }

  /** The person writes in the thread, for a few seconds. */
  announceWriting(place: Place): void {
    const now = this.#clock.now();
    const until = now + this.times.writingMs;
    if (this.#quota.take(place, { now, until })) this.#put(place, { writingUntil: until });
  }

  /** The person has sent their message, whichever node they announced it to. */
  endWriting(place: Place): void {
    // Where nobody is, nobody is told.
    if (!this.#roster.has(place.threadId)) return;
    this.#quota.release(place);
    this.#roster.endWriting(place, this.#clock.now());
    this.#outbox.add(place, true);
  }

  /** Everybody in the thread. */
  peopleIn(threadId: string): PresentUser[] {
    return this.#roster.peopleIn(threadId, this.#clock.now());
  }

  /** Handles what a node told. */
  receive(text: string): void {
    const { node, reports } = decodeReports(text);
    if (node === this.#node || this.#isClosed) return;
    for (const report of reports) this.#take(node, report);
    this.#startTicking();
  }

  /** Tells other nodes everything, because one of them has begun to listen or notifications may have been lost. */
  repeat(): void {
    this.#repeatAt = this.#clock.now() + this.times.repeatMs;
    for (const place of this.#streams.values()) this.#put(place, { readingUntil: Number.POSITIVE_INFINITY });
  }

  stats(): { signs: number; streams: number; writers: number } {
    return { signs: this.#roster.size, streams: this.#streams.size, writers: this.#quota.size };
  }

  /** Ends all subscriptions. Other nodes are told at once that their readers leave, who may come back to them. */
  close(): void {
    for (const place of [...this.#streams.values()]) this.#depart(place);
    this.#outbox.flush();
    this.#isClosed = true;
    this.signals.close();
  }

  #take(node: string, { readingMs, writingMs, hasSent, threadId, userId }: Report): void {
    const now = this.#clock.now();
    const place = { threadId, userId };
    if (hasSent) {
      this.#quota.release(place);
      // This node may have told others of it already.
      if (this.#roster.endWriting(place, now) && this.#roster.get(place, this.#node)) this.#outbox.add(place);
    }
    const readingUntil = now + Math.min(readingMs, this.times.forgetMs);
    const writingUntil = now + Math.min(writingMs, this.times.writingMs);
    this.#roster.put(place, node, { sign: { readingUntil, writingUntil }, now });
  }

  #leave(place: Place): void {
    const key = keyOf(place);
    const held = this.#streams.get(key);
    if (!held) return;
    if (held.count > 1) this.#streams.set(key, { ...held, count: held.count - 1 });
    else this.#depart(place);
  }

  #depart(place: Place): void {
    this.#streams.delete(keyOf(place));
    this.#put(place, { readingUntil: this.#clock.now() + this.times.lingerMs });
  }

  /** Changes what this node knows of a person. */
  #put(place: Place, change: Partial<Sign>): void {
    if (this.#isClosed) return;
    const sign = { readingUntil: 0, writingUntil: 0, ...this.#roster.get(place, this.#node), ...change };
    if (!this.#roster.put(place, this.#node, { sign, now: this.#clock.now() })) return;
    this.#outbox.add(place);
    this.#startTicking();
  }

  #reportOf(place: Place): Pick<Report, 'readingMs' | 'writingMs'> {
    const now = this.#clock.now();
    const { readingUntil = 0, writingUntil = 0 } = this.#roster.get(place, this.#node) ?? {};
    const left = (until: number, most: number) => Math.max(0, Math.min(until - now, most));
    return {
      readingMs: left(readingUntil, this.times.forgetMs),
      writingMs: left(writingUntil, this.times.writingMs),
    };
  }

  #startTicking(): void {
    if (this.#isTicking || this.#isClosed || this.#roster.size === 0) return;
    this.#isTicking = true;
    this.#clock.after(tickMs, () => {
      this.#isTicking = false;
      this.#tick();
      this.#startTicking();
    });
  }

  #tick(): void {
    const now = this.#clock.now();
    this.#roster.expire(now);
    this.#quota.expire(now);
    if (now >= this.#repeatAt) this.repeat();
  }
}

function keyOf({ threadId, userId }: Place): string {
  return `${threadId} ${userId}`;
}
