/**
 * A content with the forms in which it is sent: as it is, and compressed. Each form has a strong entity tag of its own,
 * because their bytes differ (RFC 9110, 8.8.3.3); a cache that holds one form is never told that another is unchanged.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { isUnchanged } from './conditional.js';
import { chooseEncoding, type Encoding } from './encodings.js';

export class Representation {
  readonly #tag: string;

  constructor(
    private readonly content: Buffer,
    private readonly compressed: Readonly<Partial<Record<Encoding, Buffer>>> = {},
  ) {
    this.#tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  }

  /** Answers a GET or HEAD with the form that its caller takes, or with 304. The type is for whoever calls this to set. */
  send(ctx: Context): void {
    const available = Object.keys(this.compressed) as Encoding[];
    const encoding = chooseEncoding(ctx.get('accept-encoding'), { available, bytes: this.content.length });
    const tag = encoding ? `"${this.#tag}-${encoding}"` : `"${this.#tag}"`;
    ctx.vary('Accept-Encoding');
    ctx.set('ETag', tag);
    ctx.status = 200;
    if (isUnchanged(ctx.get('if-none-match'), tag)) {
      ctx.status = 304;
      return;
    }
    if (encoding) ctx.set('Content-Encoding', encoding);
    ctx.body = (encoding && this.compressed[encoding]) ?? this.content;
  }
}
