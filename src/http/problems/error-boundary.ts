/**
 * Wraps all routes: gives each request its id, renders errors as problems, and logs one line per request. It never logs
 * headers or bodies, so neither a token nor a message can reach the log.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { internalProblem, methodNotAllowed, type Problem, ProblemError, problemBody, toProblem } from './problems.js';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/** Headers for every response. Pages set a policy of their own; other content loads nothing and is never framed. */
const safeDefaults = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

export function errorBoundary(logger: Logger): Middleware {
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx);
    const path = pathOf(ctx);
    const startedMs = performance.now();
    ctx.set('X-Request-Id', requestId);
    ctx.set(safeDefaults);
    ctx.res.once('close', () => logRequest(logger, ctx, { requestId, path, startedMs }));
    try {
      if (path === null) throw new ProblemError(unreadable);
      await next();
      const unserved = problemOfUnserved(ctx);
      if (unserved) render(ctx, unserved, requestId);
    } catch (error) {
      if (error === ctx.req.errored) {
        logger.debug({ requestId }, 'the caller disconnected before its body was complete');
        return;
      }
      const problem = toProblem(error) ?? problemOf(error);
      if (problem.status >= 500) logger.error({ err: error, requestId }, 'a request failed');
      render(ctx, problem, requestId);
    }
  };
}

const notServed: Problem = { status: 404, code: 'not_found', title: 'Not found', detail: 'This path does not exist.' };

const unreadable: Problem = {
  status: 400,
  code: 'invalid_request',
  title: 'Invalid request',
  detail: 'The request is malformed.',
};

/** The caller's id for the request, or a new one. */
function requestIdOf(ctx: Context): string {
  const inbound = ctx.get('x-request-id');
  return acceptableId.test(inbound) ? inbound : randomUUID();
}

/** The problem if no route served the request. */
function problemOfUnserved(ctx: Context): Problem | null {
  if (ctx.body != null) return null;
  if (ctx.status === 405) return methodNotAllowed(String(ctx.response.get('Allow')));
  return ctx.status === 404 ? notServed : null;
}

/** Null if the request target is a malformed absolute URL, for which Koa's `path` throws. */
function pathOf(ctx: Context): string | null {
  try {
    return ctx.path;
  } catch {
    return null;
  }
}

/** The problem for any other error: 400 if Koa blames the request, otherwise 500. */
function problemOf(error: unknown): Problem {
  return (error as { status?: unknown }).status === 400 ? unreadable : internalProblem;
}

function render(ctx: Context, problem: Problem, requestId: string): void {
  ctx.status = problem.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set(problem.headers ?? {});
  ctx.body = JSON.stringify(problemBody(problem, requestId));
  ctx.set('Content-Type', 'application/problem+json');
}

function logRequest(
  logger: Logger,
  ctx: Context,
  { requestId, path, startedMs }: { requestId: string; path: string | null; startedMs: number },
): void {
  const durationMs = Math.round(performance.now() - startedMs);
  // No status was sent if the caller disconnected before the response began.
  const status = ctx.res.headersSent ? ctx.status : null;
  const finished = ctx.res.writableFinished;
  logger.info({ requestId, method: ctx.method, path, status, durationMs, finished }, 'request');
}
