/**
 * A body in its encodings. Each has a strong entity tag of its own, because their bytes differ (RFC 9110, 8.8.3.3), so
 * a cache never mixes them up.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { isUnchanged } from './conditional.js';
import { chooseEncoding, type Encoding } from './encodings.js';

export class Representation {
  readonly #content: Buffer;
  readonly #compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
  readonly #tag: string;

  constructor(content: Buffer, compressed: Readonly<Partial<Record<Encoding, Buffer>>> = {}) {
    this.#content = content;
    this.#compressed = compressed;
    this.#tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  }

  /**
   * Answers GET or HEAD with the encoding that the caller accepts, or with 304. The caller of this method sets the
   * type.
   */
  send(ctx: Context): void {
    const available = Object.keys(this.#compressed) as Encoding[];
    const encoding = chooseEncoding(ctx.get('accept-encoding'), { available, bytes: this.#content.length });
    const tag = encoding ? `"${this.#tag}-${encoding}"` : `"${this.#tag}"`;
    ctx.vary('Accept-Encoding');
    ctx.set('ETag', tag);
    ctx.status = 200;
    if (isUnchanged(ctx.get('if-none-match'), tag)) {
      ctx.status = 304;
      return;
    }
    if (encoding) ctx.set('Content-Encoding', encoding);
    ctx.body = (encoding && this.#compressed[encoding]) ?? this.#content;
  }
}
