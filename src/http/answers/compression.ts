/**
 * Compresses JSON on zlib's threads, outside of the event loop. Streams are never compressed, because compressors delay
 * data. Bodies with an entity tag or their own encoding (`representation.ts`) are left alone. A compressed response
 * that contains a secret beside text of another user can reveal the secret by its length (BREACH): `/auth/*` therefore
 * opts out, and all other responses need a token or a page of the same origin, which other sites cannot use.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { chooseEncoding, type Encoding } from './encodings.js';

/** For responses that are compressed once and sent once: higher qualities cost more than they save. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, quality),
  gzip: (content) => promisify(gzip)(content, { level: 5 }),
};

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/;

/** Mount it around all middleware that sends responses. */
export function compression(): Middleware {
  return async (ctx, next) => {
    await next();
    if (!isCompressible(ctx)) return;
    const content = contentOf(ctx.body);
    if (content === null) return;
    ctx.vary('Accept-Encoding');
    const available: Encoding[] = ['br', 'gzip'];
    const bytes = Buffer.byteLength(content);
    const encoding = chooseEncoding(ctx.get('accept-encoding'), { available, bytes });
    const { status } = ctx;
    ctx.body = encoding === null ? content : await compressors[encoding](Buffer.from(content));
    ctx.status = status;
    if (encoding !== null) ctx.set('Content-Encoding', encoding);
  };
}

/** Disables compression of this response. */
export function withoutCompression(ctx: Context): void {
  ctx.state['isIncompressible'] = true;
}

function isCompressible(ctx: Context): boolean {
  const { response } = ctx;
  if (ctx.state['isIncompressible'] === true || response.get('Content-Encoding') || response.get('ETag')) return false;
  return jsonType.test(response.get('Content-Type'));
}

/** What Koa would send; null for a stream or no body. */
function contentOf(body: unknown): string | Buffer | null {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  const isPlain = typeof body === 'object' && body !== null && !('pipe' in body) && !(body instanceof ReadableStream);
  return isPlain ? JSON.stringify(body) : null;
}
