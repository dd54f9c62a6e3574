/**
 * The one way to take the body of a request: within a bound that is counted while it is read, whatever its sender announced, and
 * not slower than a minimum rate, so that what a body holds while it is read is free again after a known time.
 */
import type { IncomingMessage } from 'node:http';
import { SlowBodyError } from '../fairness/overload-errors.js';
import { isEncoded } from './json-type.js';
import { MinimumRate, type RateLimits } from './minimum-rate.js';

export interface ReadLimit {
  maxBytes: number;
  /** Made where the body is larger, or says so before it comes. What the client still sends is not read then. */
  tooLarge: () => Error;
  /** Made where the body comes in a content coding. */
  encoded: () => Error;
}

/** A megabyte takes a bit more than a minute at most. */
export const defaultBodyRate: RateLimits = { bytesPerSecond: 16_384, graceMs: 10_000 };

const rates = new WeakMap<IncomingMessage, RateLimits>();

/** Sets the rate at which the body of this request must come. */
export function demandRate(request: IncomingMessage, rate: RateLimits): void {
  rates.set(request, rate);
}

/** The whole body. Throws `tooLarge()`, `encoded()`, a `SlowBodyError`, or the error of a connection that breaks. */
export async function readBody(request: IncomingMessage, limit: ReadLimit): Promise<Buffer> {
  const { maxBytes, tooLarge, encoded } = limit;
  if (isEncoded(request.headers['content-encoding'])) throw encoded();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let rate: MinimumRate | undefined;
  const slow = new Promise<never>((_, reject) => {
    rate = new MinimumRate(rates.get(request) ?? defaultBodyRate, () => reject(new SlowBodyError()));
  });
  try {
    return await Promise.race([collect(request, limit, (bytes) => rate?.count(bytes)), slow]);
  } finally {
    rate?.end();
  }
}

async function collect(
  request: IncomingMessage,
  { maxBytes, tooLarge }: ReadLimit,
  onBytes: (count: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A request that is destroyed takes its connection with it, and the refusal too.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
