/**
 * Reads the body of a request within a limit, which is counted while reading whatever the sender announced, and at a
 * minimum rate, so that memory is free again after a known time. All bodies are read here.
 */
import type { IncomingMessage } from 'node:http';
import { SlowBodyError } from '../platform/fairness/overload-errors.js';
import { isEncoded } from './json-type.js';
import { MinimumRate, type RateLimits } from './minimum-rate.js';

export interface ReadLimit {
  maxBytes: number;
  /** Whether to allocate `maxBytes` at once. Pieces that are joined at the end take twice the memory. */
  isAllocated?: boolean;
  /** Creates the error for a body that is larger, or announced as larger. The rest of it is not read. */
  tooLarge: () => Error;
  /** Creates the error for a body with a content coding. */
  encoded: () => Error;
}

/** At this rate a megabyte takes about a minute. */
export const defaultBodyRate: RateLimits = { bytesPerSecond: 16_384, graceMs: 10_000 };

const demanded = Symbol('minimum rate');

type Demanding = IncomingMessage & { [demanded]?: RateLimits };

/** Sets the minimum rate for the body of this request. */
export function demandRate(request: Demanding, rate: RateLimits): void {
  request[demanded] = rate;
}

/** Reads the whole body. Throws `tooLarge()`, `encoded()`, a `SlowBodyError`, or the error of a broken connection. */
export async function readBody(request: Demanding, limit: ReadLimit): Promise<Buffer> {
  const { maxBytes, tooLarge, encoded } = limit;
  if (isEncoded(request.headers['content-encoding'])) throw encoded();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let rate: MinimumRate | undefined;
  const slow = new Promise<never>((_, reject) => {
    rate = new MinimumRate(request[demanded] ?? defaultBodyRate, () => reject(new SlowBodyError()));
  });
  try {
    return await Promise.race([collect(request, limit, (bytes) => rate?.count(bytes)), slow]);
  } finally {
    rate?.end();
  }
}

async function collect(
  request: IncomingMessage,
  { maxBytes, isAllocated = false, tooLarge }: ReadLimit,
  onBytes: (count: number) => void,
): Promise<Buffer> {
  const whole = isAllocated ? Buffer.allocUnsafeSlow(maxBytes) : null;
  const chunks: Buffer[] = [];
  let size = 0;
  // Destroying the request would close the connection before the error is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    if (whole) chunk.copy(whole, size - chunk.length);
    else chunks.push(chunk);
  }
  return whole?.subarray(0, size) ?? Buffer.concat(chunks);
}
