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

const lineEnd = /\r\n|\n|\r/;
const otherFields = /^(event|id|retry)(:|$)/;

export class EventFrames {
  readonly #decoder = new TextDecoder();
  /** A line that is not complete yet. It is not looked at again, because it may be long and come in small pieces. */
  #rest = '';
  /** Whether the last piece ended with `\r`, which may be half of `\r\n`. */
  #isHalfEnd = false;
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
    if (text === '') return [];
    const piece = this.#isHalfEnd ? `\r${text}` : text;
    this.#isHalfEnd = piece.endsWith('\r');
    const [first = '', ...others] = (this.#isHalfEnd ? piece.slice(0, -1) : piece).split(lineEnd);
    const lines = [this.#rest + first, ...others];
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => this.#take(line)).filter((frame) => frame !== null);
  }

  #take(line: string): Frame | null {
    if (line.startsWith('data:')) return this.#takeData(line.slice(5).trim());
    if (line.trim() === '') return this.#dispatch();
    if (line.startsWith(':')) return { type: 'alive' };
    if (line.startsWith('error:')) return errorFrame(line.slice(6).trim());
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
    return event === 'error' ? errorFrame(text) : { type: 'unreadable', text };
  }

  /** A line that is a whole value is a frame; all others are read together at the end. */
  #takeBare(line: string): Frame | null {
    const value = this.#bare.length === 0 ? jsonOf(line) : undefined;
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

/** An error in words, or as the value of a field called `error`, which llama.cpp sent until September 2025. */
function errorFrame(text: string): Frame {
  return { type: 'value', value: { error: jsonOf(text) ?? text }, event: 'error' };
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
