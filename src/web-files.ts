/**
 * The web application: the files of its build, held in memory, and its page for every address that people open. Nothing that is
 * not of this origin may be loaded, run or framed (Content-Security-Policy), whatever a model or a colleague writes.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';

export interface WebFilesOptions {
  /** Where the build is. Without one, nothing is served. */
  folder: string;
}

const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const securityHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** What belongs to programs: an address there that is unknown is no page. */
const notForPeople = /^\/(api|graphql|auth|attachments|assets|healthz|readyz|metrics)(\/|$)/;

/** To be mounted behind everything else. */
export function webFiles({ folder }: WebFilesOptions): Middleware {
  const build = new Build(folder);
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const isPage = !notForPeople.test(ctx.path) && ctx.get('accept').includes('text/html');
    const file = (await build.find(ctx.path)) ?? (isPage ? await build.find('/index.html') : undefined);
    if (!file) return next();
    await send(ctx, file);
  };
}

interface WebFile {
  path: string;
  content: Buffer;
  etag: string;
  /** Made when it is first asked for. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

/** The files by their paths, read again when a build says that it is complete: what it is still writing is not for anybody. */
class Build {
  #files = new Map<string, WebFile>();
  #madeMs = 0;
  #reading: Promise<void> | null = null;

  constructor(private readonly folder: string) {}

  async find(path: string): Promise<WebFile | undefined> {
    if (path === '/index.html' || !this.#files.has(path)) await this.#refresh();
    return this.#files.get(path);
  }

  async #refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    // Without a build there is nothing to serve, and a build that is just being made will be there the next time.
    const made = await stat(join(this.folder, '.made')).catch(() => null);
    if (!made || made.mtimeMs === this.#madeMs) return;
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined);
    const files = await Promise.all(names.map((entry) => this.#load(join(entry.parentPath, entry.name))));
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#madeMs = made.mtimeMs;
  }

  async #load(name: string): Promise<WebFile> {
    const content = await readFile(name);
    const path = `/${relative(this.folder, name).split(sep).join('/')}`;
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    return { path, content, etag, compressed: new Map() };
  }
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type Encoding = keyof typeof compressors;

async function send(ctx: Context, file: WebFile): Promise<void> {
  const isHashed = file.path.startsWith('/assets/');
  ctx.status = 200;
  ctx.set({
    ...securityHeaders,
    'Content-Type': types[extname(file.path)] ?? 'application/octet-stream',
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: file.etag,
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const encoding = encodingFor(ctx, file);
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.body = encoding ? await compress(file, encoding) : file.content;
}

/** Null where the caller takes none, and for what is small or compressed already. */
function encodingFor(ctx: Context, { path, content }: WebFile): Encoding | null {
  if (content.length < 1024 || /\.(png|woff2|ico)$/.test(path)) return null;
  const encodings: Encoding[] = ['br', 'gzip'];
  return encodings.find((encoding) => ctx.acceptsEncodings(encoding) === encoding) ?? null;
}

function compress({ content, compressed }: WebFile, encoding: Encoding): Promise<Buffer> {
  const made = compressed.get(encoding) ?? compressors[encoding](content);
  compressed.set(encoding, made);
  return made;
}
