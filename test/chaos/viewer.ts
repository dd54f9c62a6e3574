/**
 * A viewer of one response as docs/streaming.md describes it: it resumes on whichever node answers until it has seen `done` or
 * `error`. What it is shown is checked as it comes: an id counts the characters up to it, so a gap or a repeat across any
 * number of drops shows itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReceivedEvent, readEvents } from '../support/clients/sse.js';
import { type Asking, ask, isLost } from './ask.js';
import { isBeginningOfAnswer } from './model.js';

const limitMs = 90_000;

export interface ViewerOptions extends Asking {
  /** The response, below the version prefix. */
  path: string;
  /** Leaves now and then in the middle, and comes back elsewhere. */
  isRestless: boolean;
}

export class Viewer {
  /** What was shown of each attempt, by its epoch. */
  readonly shown = new Map<number, string>();
  readonly complaints: string[] = [];
  /** How the response ended; undefined where that was not learned in time. */
  end: 'done' | 'error' | undefined;
  readonly #options: ViewerOptions;
  #epoch = 0;
  #lastId: string | undefined;

  constructor(options: ViewerOptions) {
    this.#options = options;
  }

  /** The text that the viewer has in the end. */
  get text(): string {
    return this.shown.get(this.#epoch) ?? '';
  }

  /** Watches to the end, or until the limit. */
  async watch(): Promise<void> {
    const { path, random, isRestless } = this.#options;
    const untilMs = performance.now() + limitMs;
    while (this.end === undefined && performance.now() < untilMs) {
      const headers: Record<string, string> = this.#lastId ? { 'last-event-id': this.#lastId } : {};
      const response = await ask(this.#options, `${path}/stream`, { headers });
      if (response?.status === 200 && response.body) {
        await this.#read(response.body, isRestless ? Math.floor(random() * 8) : Number.POSITIVE_INFINITY);
      } else if (response && response.status < 500) {
        this.complaints.push(`stream → ${response.status} ${await response.text()}`);
        return;
      }
      if (this.end === undefined) await sleep(50 + random() * 200);
    }
    if (this.end === undefined)
      this.complaints.push(`the stream ended neither with done nor with error in ${limitMs} ms`);
    for (const [epoch, text] of this.shown) {
      if (!isBeginningOfAnswer(text))
        this.complaints.push(`epoch ${epoch} is not the beginning of one answer: "${text}"`);
    }
  }

  /** Leaves after so many events. */
  async #read(body: ReadableStream<Uint8Array>, leavesAfter: number): Promise<void> {
    let count = 0;
    try {
      for await (const event of readEvents(body)) {
        this.#take(event);
        count += 1;
        if (count >= leavesAfter) return;
      }
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }

  #take({ event, id = '', data }: ReceivedEvent): void {
    this.#lastId = id;
    const [, epoch, place] = /^(\d+)-(\d+|end)/.exec(id) ?? [];
    if (place === 'end') {
      this.end = event === 'done' ? 'done' : 'error';
      if (event === 'done' && Number(epoch) !== this.#epoch)
        this.complaints.push(`done of epoch ${epoch} after ${this.#epoch}`);
    } else if (event === 'token') {
      this.#turnTo(Number(epoch));
      const text = this.text + String(data['token']);
      this.shown.set(this.#epoch, text);
      if (text.length !== Number(place)) this.complaints.push(`${id} after ${text.length} characters: "${text}"`);
    } else if (event === 'error') this.#turnTo(Number(epoch));
  }

  #turnTo(epoch: number): void {
    if (epoch < this.#epoch) this.complaints.push(`epoch ${epoch} after ${this.#epoch}`);
    this.#epoch = epoch;
  }
}

/** Where two viewers were shown different things: of each attempt, one has what the other has, or the beginning of it. */
export function differences(one: Viewer, other: Viewer): string[] {
  const epochs = [...one.shown.keys()].filter((epoch) => other.shown.has(epoch));
  const differing = epochs.filter((epoch) => {
    const [short = '', long = ''] = [one.shown.get(epoch), other.shown.get(epoch)].sort(
      (a = '', b = '') => a.length - b.length,
    );
    return !long.startsWith(short);
  });
  const texts = differing.map(
    (epoch) => `two viewers of epoch ${epoch} saw "${one.shown.get(epoch)}" and "${other.shown.get(epoch)}"`,
  );
  const hasOtherEnd = one.end !== undefined && other.end !== undefined && one.end !== other.end;
  return hasOtherEnd ? [...texts, `two viewers saw ${one.end} and ${other.end}`] : texts;
}
