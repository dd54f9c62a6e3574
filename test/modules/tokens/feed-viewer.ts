/** What somebody on a node can read of one response in the token log, and a response under a new name for each test. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import type { LogReader } from '../../../src/modules/tokens/log/log-reader.js';
import type { TokenFeed } from '../../../src/process/token-feed.js';
import { type Reading, readAll } from './log/token-log-reading.js';
import { textIn } from './token-entries.js';

/** Feeds take some milliseconds; where one is repairing itself, up to a few seconds. */
export const patience = { timeout: 10_000, interval: 5 };

export class FeedViewer {
  readonly reader: LogReader;

  constructor(feed: TokenFeed, responseId: string) {
    this.reader = feed.log.attach(responseId);
  }

  read(reading: Reading = {}): TokenEntry[] {
    return readAll(this.reader, reading);
  }

  text(epoch = 1): string {
    return textIn(this.read({ epoch }));
  }

  /** Waits until the text of an attempt is exactly this. */
  async sees(text: string, epoch = 1): Promise<void> {
    await vi.waitFor(() => expect(this.text(epoch)).toBe(text), patience);
  }

  /** Waits until this was all, as far as the log says. */
  async seesTheEnd(text: string, epoch = 1): Promise<void> {
    const end = { epoch, text: text.length, thinking: 0 };
    await vi.waitFor(() => expect(this.reader.hasWholeText(end) && this.text(epoch)).toBe(text), patience);
  }
}

interface SpeakerOptions {
  feed: TokenFeed;
  responseId?: string;
  epoch?: number;
}

/** One attempt, as the worker of a node makes it. */
export class Speaker {
  readonly responseId: string;
  readonly epoch: number;
  readonly #feed: TokenFeed;

  constructor({ feed, responseId = `msg_${randomUUID()}`, epoch = 1 }: SpeakerOptions) {
    this.#feed = feed;
    this.responseId = responseId;
    this.epoch = epoch;
    feed.writer.open(responseId, epoch);
  }

  say(...texts: string[]): this {
    for (const text of texts) this.tell({ kind: 'text', text });
    return this;
  }

  tell(entry: TokenEntry): void {
    this.#feed.writer.append(this.responseId, this.epoch, entry);
  }

  end(): void {
    this.#feed.writer.end(this.responseId, this.epoch);
  }

  /** The next attempt, on another node. */
  replacedBy(feed: TokenFeed): Speaker {
    return new Speaker({ feed, responseId: this.responseId, epoch: this.epoch + 1 });
  }

  seenOn(feed: TokenFeed): FeedViewer {
    return new FeedViewer(feed, this.responseId);
  }
}

/** Who says something on one node, and who has seen it on another. */
export async function heard(
  from: TokenFeed,
  to: TokenFeed,
  text: string,
): Promise<{ speaker: Speaker; viewer: FeedViewer }> {
  const speaker = new Speaker({ feed: from }).say(text);
  const viewer = speaker.seenOn(to);
  await viewer.sees(text);
  return { speaker, viewer };
}
