/**
 * Serves the web application: the files of its build, held in memory, and its page for all other paths that users open.
 * The Content-Security-Policy forbids loading, running or framing anything of another origin, whatever a model or user
 * writes.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Context, Middleware } from 'koa';
import type { Encoding } from '../http/answers/encodings.js';
import { Representation } from '../http/answers/representation.js';
import { sourceOf } from '../platform/rates/request-source.js';

export interface WebFilesOptions {
  /** The folder of the build. Without a build, nothing is served. */
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

/** Browser features that are disabled; the application uses only the clipboard. */
const permissions = [
  ...['accelerometer', 'autoplay', 'camera', 'display-capture', 'encrypted-media', 'fullscreen', 'geolocation'],
  ...['gyroscope', 'hid', 'idle-detection', 'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const securityHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** Paths for programs: unknown ones below these are no pages. */
const nonPagePaths = /^\/(api|graphql|auth|attachments|assets|healthz|readyz|metrics)(\/|$)/;

/** Paths of the web application that links lead to. Programs that check or preview these links accept any type. */
const linkedPaths = /^\/(threads\/.+)?$/;

/** Mount it last. */
export function webFiles({ folder }: WebFilesOptions): Middleware {
  const build = new Build(folder);
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return (await refuseMethod(ctx, build)) ? undefined : next();
    const isPage = ctx.get('accept').includes('text/html')
      ? !nonPagePaths.test(ctx.path)
      : linkedPaths.test(ctx.path) && ctx.accepts('html');
    const file = (await build.find(ctx.path)) ?? (isPage ? await build.find('/index.html') : undefined);
    if (!file) return next();
    send(ctx, file);
  };
}

/** Rejects other methods for files and pages, which are read-only. Returns whether it did. */
async function refuseMethod(ctx: Context, build: Build): Promise<boolean> {
  if (!(await build.find(ctx.path === '/' ? '/index.html' : ctx.path))) return false;
  ctx.set('Allow', 'GET, HEAD, OPTIONS');
  // The error boundary renders the 405.
  ctx.status = ctx.method === 'OPTIONS' ? 204 : 405;
  return true;
}

interface WebFile {
  path: string;
  representation: Representation;
}

/** The files of the build by path. They are read again only when a new build is complete. */
class Build {
  readonly #folder: string;
  #files = new Map<string, WebFile>();
  #madeMs = 0;
  #reading: Promise<void> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

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
    // Without a build nothing is served; a build in progress is served once it is complete.
    const made = await stat(join(this.#folder, '.made')).catch(() => null);
    if (!made || made.mtimeMs === this.#madeMs) return;
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const names = new Set(
      entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
    );
    const served = [...names].filter((name) => types[extname(name)] !== undefined);
    const files = await Promise.all(served.map((name) => this.#load(name, names)));
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#madeMs = made.mtimeMs;
  }

  async #load(name: string, names: ReadonlySet<string>): Promise<WebFile> {
    const path = `/${relative(this.#folder, name).split(sep).join('/')}`;
    const compressed: Partial<Record<Encoding, Buffer>> = {};
    for (const [encoding, ending] of endings) {
      if (names.has(`${name}${ending}`)) compressed[encoding] = await readFile(`${name}${ending}`);
    }
    return { path, representation: new Representation(await readFile(name), compressed) };
  }
}

/** The compressed forms that the build writes beside files (`scripts/build.mjs`). */
const endings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

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

function send(ctx: Context, { path, representation }: WebFile): void {
  const isHashed = path.startsWith('/assets/');
  sourceOf(ctx.req).route = isHashed ? '/assets/*' : '/*';
  ctx.set({
    ...securityHeaders,
    ...(path === '/index.html' ? { 'Permissions-Policy': permissions } : {}),
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  representation.send(ctx);
}
