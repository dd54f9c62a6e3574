/**
 * Compresses JSON for callers that take it, on the threads of zlib, so that the event loop goes on. Streams are never
 * compressed: what a compressor holds back is late. What chooses its own form (`representation.ts`) or has an entity tag is
 * left alone. An answer that repeats a secret beside a text of somebody else could give the secret away by its length
 * (BREACH); so `/auth/*` opts out, and everything else is answered only to a token or to a page of this service, which no
 * other site can make ask.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { chooseEncoding, type Encoding } from './encodings.js';

/** For what is compressed once and sent once: higher qualities cost more than they save. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, quality),
  gzip: (content) => promisify(gzip)(content, { level: 5 }),
};

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/;

/** To be mounted around everything that answers. */
export function compression(): Middleware {
  return async (ctx, next) => {
    await next();
    if (!isCompressible(ctx)) return;
    const content = bytesOf(ctx.body);
    if (content === null) return;
    ctx.vary('Accept-Encoding');
    const available: Encoding[] = ['br', 'gzip'];
    const encoding = chooseEncoding(ctx.get('accept-encoding'), { available, bytes: content.length });
    const { status } = ctx;
    ctx.body = encoding === null ? content : await compressors[encoding](content);
    ctx.status = status;
    if (encoding !== null) ctx.set('Content-Encoding', encoding);
  };
}

/** Keeps the answer as it is. */
export function withoutCompression(ctx: Context): void {
  ctx.state['isIncompressible'] = true;
}

function isCompressible(ctx: Context): boolean {
  const { response } = ctx;
  if (ctx.state['isIncompressible'] === true || response.get('Content-Encoding') || response.get('ETag')) return false;
  return jsonType.test(response.get('Content-Type'));
}

/** What Koa would send; null for a stream and for no body. */
function bytesOf(body: unknown): Buffer | null {
  if (typeof body === 'string') return Buffer.from(body);
  if (Buffer.isBuffer(body)) return body;
  const isPlain = typeof body === 'object' && body !== null && !('pipe' in body) && !(body instanceof ReadableStream);
  return isPlain ? Buffer.from(JSON.stringify(body)) : null;
}
