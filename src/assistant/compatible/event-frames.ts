/**
 * Cuts what a server of chat completions sends into frames, as tolerantly as its many authors require: server-sent events
 * with any line end, with or without blank lines between them, and lines or a whole body of bare JSON. A frame whose JSON is
 * complete is passed on at once.
 */
import { defaultAnswerLimits, tooLarge } from '../model-fetch.js';

export type Frame =
  /** A value of JSON. `event` is the name of the event, '' if it has none. */
  | { type: 'value'; value: unknown; event: string }
  /** The text `[DONE]`. */
  | { type: 'done' }
  /** Something that is neither. */
  | { type: 'unreadable'; text: string }
  /** A comment or an empty frame: the server is alive. */
  | { type: 'alive' };

const otherFields = /^(event|id|retry)(:|$)/;

export class EventFrames {
  readonly #decoder = new TextDecoder();
  /** A line that is not complete yet. */
  #rest = '';
  /** Lines of data that are no JSON by themselves, until a blank line. */
  #data: string[] = [];
  #event = '';
  /** Lines of a body that is no stream of events. */
  readonly #bare: string[] = [];
  #bareLength = 0;

  /** The frames that the bytes complete. */
  push(bytes: Uint8Array): Frame[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The frames that only the end of the body completes. */
  end(): Frame[] {
    const frames = this.#read(`${this.#decoder.decode()}\n\n`);
    return [...frames, ...this.#readBare()];
  }

  #read(text: string): Frame[] {
    const frames: Frame[] = [];
    const all = this.#rest + text;
    let start = 0;
    for (let end = lineEnd(all, start); end >= 0; end = lineEnd(all, start)) {
      const frame = this.#take(all.slice(start, end));
      if (frame) frames.push(frame);
      start = all[end] === '\r' && all[end + 1] === '\n' ? end + 2 : end + 1;
    }
    this.#rest = all.slice(start);
    return frames;
  }

  #take(line: string): Frame | null {
    if (line.startsWith('data:')) return this.#takeData(line.slice(5).trim());
    if (line.trim() === '') return this.#dispatch();
    if (line.startsWith(':')) return { type: 'alive' };
    if (line.startsWith('event:')) this.#event = line.slice(6).trim();
    else if (!otherFields.test(line)) return this.#takeBare(line);
    return null;
  }

  #takeData(text: string): Frame | null {
    if (this.#data.length === 0) {
      if (text === '' || text.startsWith(':')) return { type: 'alive' };
      if (isDone(text)) return { type: 'done' };
      const value = jsonOf(text.startsWith('data:') ? text.slice(5) : text);
      if (value !== undefined) return { type: 'value', value, event: this.#event };
    }
    this.#data.push(text);
    return null;
  }

  #dispatch(): Frame | null {
    const [event, data] = [this.#event, this.#data.splice(0)];
    this.#event = '';
    if (data.length === 0) return null;
    const text = data.join('\n');
    const value = jsonOf(text);
    if (value !== undefined) return { type: 'value', value, event };
    return event === 'error' ? { type: 'value', value: { error: text }, event } : { type: 'unreadable', text };
  }

  /** A line that is a whole value is a frame; all others are read together at the end. */
  #takeBare(line: string): Frame | null {
    const value = this.#bare.length === 0 && /^\s*[{[]/.test(line) ? jsonOf(line) : undefined;
    if (value !== undefined) return { type: 'value', value, event: '' };
    this.#bareLength += line.length;
    if (this.#bareLength > defaultAnswerLimits.eventBytes) throw tooLarge('a body', defaultAnswerLimits.eventBytes);
    this.#bare.push(line);
    return null;
  }

  #readBare(): Frame[] {
    const text = this.#bare.splice(0).join('\n');
    if (text.trim() === '') return [];
    const value = jsonOf(text);
    return [value === undefined ? { type: 'unreadable', text } : { type: 'value', value, event: '' }];
  }
}

/** The end of the line from `start` on; -1 if it is not complete. A `\r` at the very end may be half of `\r\n`. */
function lineEnd(text: string, start: number): number {
  const feed = text.indexOf('\n', start);
  const carriage = text.indexOf('\r', start);
  if (carriage < 0 || (feed >= 0 && feed < carriage)) return feed;
  return carriage === text.length - 1 ? -1 : carriage;
}

function isDone(text: string): boolean {
  return text.length < 20 && text.replaceAll(/[\s"']/g, '').toLowerCase() === '[done]';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
