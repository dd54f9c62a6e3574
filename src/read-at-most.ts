/** The one way to take the body of a request: within a bound that is counted while it is read, whatever its sender announced. */
import type { IncomingMessage } from 'node:http';

export interface ReadLimit {
  maxBytes: number;
  /** Made where the body is larger, or says so before it comes. What the client still sends is not read then. */
  tooLarge: () => Error;
}

/** The whole body. Throws `tooLarge()`, or the error of a connection that breaks. */
export async function readAtMost(request: IncomingMessage, { maxBytes, tooLarge }: ReadLimit): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
