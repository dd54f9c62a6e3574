import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { Representation } from '../http/answers/representation.js';

/** Serves an immutable document in the encoding that the caller accepts. It is created and compressed on first use. */
export function serveDocument(createDocument: () => unknown): Middleware {
  let made: Promise<Representation> | undefined;
  return async (ctx) => {
    made ??= represent(createDocument());
    const representation = await made;
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = 'application/json';
    representation.send(ctx);
  };
}

async function represent(document: unknown): Promise<Representation> {
  const content = Buffer.from(JSON.stringify(document));
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(content), promisify(gzip)(content)]);
  return new Representation(content, { br, gzip: zipped });
}
