/**
 * Splits JSON into the elements of its outermost array, without parsing it, so that an export of any size takes the memory of one
 * conversation, and one that is broken or too much leaves the others whole. An object is its own only element.
 */
import type { ImportRefusal } from './import-limits.js';

export type JsonElement = { bytes: Uint8Array<ArrayBuffer> } | { refusal: ImportRefusal };

/** Of one element. */
export interface ElementBounds {
  conversationBytes: number;
  values: number;
  depth: number;
}

/** What begins neither as an array nor as an object. */
export class NoJsonError extends Error {}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openingSquare = 0x5b;
const openingCurly = 0x7b;
const closingSquare = 0x5d;
const closingCurly = 0x7d;
const space = 0x20;
const byteOrderMark = [0xef, 0xbb, 0xbf];

export class JsonElements {
  readonly #bounds: ElementBounds;
  /** Whether the elements are those of an array; null before the first bracket. */
  #isList: boolean | null = null;
  #isOver = false;
  #isString = false;
  #isEscaped = false;
  /** Brackets that are open, without that of the list. */
  #depth = 0;
  #parts: Uint8Array[] = [];
  #size = 0;
  #values = 0;
  #isBlank = true;
  #isTooMuch = false;

  constructor(bounds: ElementBounds) {
    this.#bounds = bounds;
  }

  /** Takes the next bytes, and returns the elements that end in them. Throws a `NoJsonError` for what is no JSON. */
  push(chunk: Uint8Array): JsonElement[] {
    const found: JsonElement[] = [];
    let start = this.#isList === null ? this.#begin(chunk) : 0;
    for (let at = start; at < chunk.length && !this.#isOver; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isString) this.#passString(byte);
      else if (this.#endsBefore(byte)) {
        this.#take(chunk.subarray(start, at));
        found.push(...this.#finish());
        this.#isOver = byte === closingSquare;
        start = at + 1;
      } else if (this.#endsWith(byte)) {
        this.#take(chunk.subarray(start, at + 1));
        found.push(...this.#finish());
        this.#isOver = true;
      }
    }
    if (!this.#isOver) this.#take(chunk.subarray(start));
    return found;
  }

  /** What the end of the JSON cuts off. */
  end(): JsonElement[] {
    if (this.#isList === null) throw new NoJsonError();
    return this.#isOver || this.#isBlank ? [] : [{ refusal: 'malformed' }];
  }

  /** Finds the first bracket. Returns where the first element begins. */
  #begin(chunk: Uint8Array): number {
    const at = chunk.findIndex((byte) => byte > space && !byteOrderMark.includes(byte));
    if (at < 0) return chunk.length;
    if (chunk[at] !== openingSquare && chunk[at] !== openingCurly) throw new NoJsonError();
    this.#isList = chunk[at] === openingSquare;
    return this.#isList ? at + 1 : at;
  }

  #passString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isString = false;
  }

  #endsBefore(byte: number): boolean {
    return this.#isList === true && this.#depth === 0 && (byte === comma || byte === closingSquare);
  }

  /** Takes a byte outside of strings into account. Whether the only element ends with it. */
  #endsWith(byte: number): boolean {
    if (byte > space) this.#isBlank = false;
    if (byte === quote) this.#isString = true;
    else if (byte === comma) this.#values += 1;
    else if (byte === openingSquare || byte === openingCurly) {
      this.#values += 1;
      this.#depth += 1;
      if (this.#depth > this.#bounds.depth) this.#isTooMuch = true;
    } else if (byte === closingSquare || byte === closingCurly) {
      // A bracket too many belongs to a broken element, which ends like the others.
      this.#depth = Math.max(0, this.#depth - 1);
      return this.#depth === 0 && this.#isList === false;
    }
    return false;
  }

  #take(bytes: Uint8Array): void {
    this.#size += bytes.length;
    const { conversationBytes, values } = this.#bounds;
    if (this.#size > conversationBytes || this.#values > values) this.#isTooMuch = true;
    if (this.#isTooMuch) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(bytes);
  }

  /** The element that ends here; none where there is nothing, as in an empty list. */
  #finish(): JsonElement[] {
    const [isBlank, isTooMuch] = [this.#isBlank, this.#isTooMuch];
    const bytes = isTooMuch ? new Uint8Array() : joined(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#values = 0;
    this.#isBlank = true;
    this.#isTooMuch = false;
    if (isBlank) return [];
    if (isTooMuch) return [{ refusal: 'too_large' }];
    return [isText(bytes) ? { bytes } : { refusal: 'malformed' }];
  }
}

/** What is no text could not even be uploaded with the others. */
function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
