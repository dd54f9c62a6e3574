/**
 * Transfers attachments over HTTP: one PUT by the user who announced them, GET for users who see the thread. Browsers
 * never execute them: they are served with exactly the announced type, and executable types cannot be announced.
 */
import type { IncomingMessage } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '../builder.js';
import { MissingScopeError, NotFoundError } from '../errors.js';
import { credentialsOf } from '../graphql/authenticate-request.js';
import { createContext } from '../graphql/context.js';
import type { MaskError } from '../graphql/errors/mask-error.js';
import { answerUnservedMethod } from '../http/allowed-methods.js';
import { isUnchanged } from '../http/answers/conditional.js';
import { pieceBytes, sendContent } from '../http/answers/send-content.js';
import { closedSignal } from '../http/closed-signal.js';
import { invalidRequest, type Problem, ProblemError } from '../http/problems/problems.js';
import {
  encodedBody,
  payloadTooLarge,
  possibleForgery,
  unsupportedMediaType,
} from '../http/problems/request-errors.js';
import { readBody } from '../http/read-body.js';
import { isSameOrigin } from '../http/same-origin.js';
import { findAnnounced, findAttachment, readContent, storeContent } from '../modules/attachments/content.js';
import { fitsType } from '../modules/attachments/media-types.js';
import { runInTurn } from '../platform/fairness/run-in-turn.js';
import { sourceOf } from '../platform/rates/request-source.js';
import type { Services } from '../services.js';
import { takeRoom } from './attachment-transfer.js';

export interface AttachmentRoutesOptions {
  services: Services;
  /** Masks errors, as for GraphQL. */
  maskError: MaskError;
}

export function attachmentRoutes({ services, maskError }: AttachmentRoutesOptions): Middleware {
  return async (ctx, next) => {
    const id = /^\/attachments\/([^/]+)$/.exec(ctx.path)?.[1];
    if (id === undefined) return next();
    sourceOf(ctx.req).route = '/attachments/{id}';
    const transfer = handlers[ctx.method];
    if (!transfer) return answerUnservedMethod(ctx, 'GET, HEAD, PUT, OPTIONS');
    try {
      const context = await openContext(services, ctx);
      await transfer(ctx, context, id);
    } catch (error) {
      throw error instanceof ProblemError || error === ctx.req.errored ? error : maskError(error, sourceOf(ctx.req));
    }
  };
}

type Handler = (ctx: KoaContext, context: Context, id: string) => Promise<void>;
const handlers: Readonly<Record<string, Handler | undefined>> = { GET: download, HEAD: download, PUT: upload };

/** Authenticates the caller. A session cookie is as good as a token if the request is of the same origin. */
function openContext(services: Services, ctx: KoaContext): Promise<Context> {
  const credentials = credentialsOf(ctx);
  const { authorization, cookie } = credentials;
  const isSession = !authorization && services.readSession(cookie) !== null;
  if (isSession && !isSameOrigin(ctx, services.publicUrl)) throw new ProblemError(otherSite);
  return createContext(services, { ...credentials, signal: closedSignal(ctx.res), source: sourceOf(ctx.req) });
}

async function upload(ctx: KoaContext, context: Context, id: string): Promise<void> {
  const { database, viewer, openAccess } = context;
  if (!viewer.scopes.has('threads:write')) throw new MissingScopeError('threads:write');
  const announced = await findAnnounced(database, viewer, id);
  if (!announced) throw new NotFoundError('attachment');
  const { mediaType, size } = announced;
  if (ctx.get('content-type').split(';')[0]?.trim().toLowerCase() !== mediaType)
    throw new ProblemError(otherType(mediaType));
  await takeRoom(ctx, context, size);
  const content = await openAccess.during(viewer, readExactly(ctx.req, size));
  if (!fitsType(mediaType, content)) throw unusable(`is not valid ${mediaType}`);
  const store = () => storeContent(database, viewer, { id, content });
  if (!(await context.attachmentWrites.run(viewer, store, context.signal))) throw new ProblemError(alreadyUploaded);
  ctx.status = 204;
}

/** Reads the body, which must have exactly `size` bytes. */
async function readExactly(request: IncomingMessage, size: number): Promise<Buffer> {
  const content = await readBody(request, {
    maxBytes: size,
    isAllocated: true,
    tooLarge: () => new ProblemError(tooLarge(size)),
    encoded: () => new ProblemError(encodedBody),
  });
  if (content.length < size) throw unusable(`has ${content.length} bytes instead of the announced ${size}`);
  return content;
}

/** They can make `.exe` read as `.txt` where a system lists the saved file. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

async function download(ctx: KoaContext, context: Context, id: string): Promise<void> {
  const { database, viewer, openAccess } = context;
  if (!viewer.scopes.has('threads:read')) throw new MissingScopeError('threads:read');
  const found = await findAttachment(database, viewer, id);
  if (!found) throw new NotFoundError('attachment');
  const { threadId, name, mediaType, size, digest } = found;
  const type = mediaType.startsWith('image/') ? 'inline' : 'attachment';
  const fileName = name.replace(directionMarks, '');
  // Not in ISO 8859-1, which many clients take for UTF-8.
  const fallback = fileName.replace(/[^\x20-\x7e]/g, '?');
  // Koa also sets a type by the file extension, which is not trustworthy; it is overwritten below.
  ctx.attachment(fileName, { type, fallback });
  ctx.set({
    'Content-Type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'none',
  });
  ctx.etag = Buffer.from(digest).toString('base64url');
  ctx.status = 200;
  if (isUnchanged(ctx.get('if-none-match'), ctx.response.get('ETag'))) {
    ctx.status = 304;
    return;
  }
  if (ctx.method === 'HEAD') {
    ctx.length = size;
    return;
  }
  await takeRoom(ctx, context, Math.min(size, pieceBytes));
  const read = (start: number) =>
    runInTurn(context, () => readContent(database, viewer, { id, start, length: pieceBytes }));
  const first = await read(0);
  if (!first) throw new NotFoundError('attachment');
  const leave = openAccess.enter({ viewer, threadId }, () => ctx.res.destroy());
  ctx.res.once('close', leave);
  const readNext = async (start: number) => (start === 0 ? first : ((await read(start)) ?? disconnect(ctx)));
  ctx.body = sendContent(ctx, readNext, context.bodyRate);
  ctx.length = size;
}

/** For a client that has the status and the length already. */
function disconnect(ctx: KoaContext): Uint8Array {
  ctx.res.destroy();
  return new Uint8Array();
}

function unusable(message: string): ProblemError {
  return new ProblemError(invalidRequest([{ pointer: '', message }]));
}

function otherType(mediaType: string): Problem {
  return unsupportedMediaType(`The attachment was announced as ${mediaType}. Send it with this "Content-Type".`);
}

function tooLarge(size: number): Problem {
  return payloadTooLarge(`The body is larger than the announced ${size} bytes.`);
}

const otherSite: Problem = possibleForgery('Open the attachment from a page of this service, or use a token.');

const alreadyUploaded: Problem = {
  status: 409,
  code: 'already_uploaded',
  title: 'Conflict',
  detail: 'The attachment already has other content. Announce a new attachment.',
};
