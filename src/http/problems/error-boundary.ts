/**
 * Around all routes: gives each request its id, renders whatever is thrown as a problem, and logs one line a request. No
 * header and no body is ever logged, so neither a token nor a message can be.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { internalProblem, methodNotAllowed, type Problem, ProblemError, problemBody, toProblem } from './problems.js';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/** For every answer. Pages bring a policy of their own; what is no page has nothing to load, to show in a frame or to refer from. */
const safeDefaults = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

export function errorBoundary(logger: Logger): Middleware {
  return async (ctx, next) => {
    const inbound = ctx.get('x-request-id');
    const requestId = acceptableId.test(inbound) ? inbound : randomUUID();
    const path = pathOf(ctx);
    const startedMs = performance.now();
    ctx.set('X-Request-Id', requestId);
    ctx.set(safeDefaults);
    ctx.res.once('close', () => logRequest(logger, ctx, { requestId, path, startedMs }));
    try {
      if (path === null) throw new ProblemError(unreadable);
      await next();
      if (ctx.status === 404 && ctx.body == null) render(ctx, notServed, requestId);
      if (ctx.status === 405 && ctx.body == null) {
        render(ctx, methodNotAllowed(String(ctx.response.get('Allow'))), requestId);
      }
    } catch (error) {
      if (error === ctx.req.errored) {
        logger.debug({ requestId }, 'the caller left before its body was complete');
        return;
      }
      const problem = toProblem(error) ?? problemOf(error);
      if (problem.status >= 500) logger.error({ err: error, requestId }, 'a request failed');
      render(ctx, problem, requestId);
    }
  };
}

const notServed: Problem = { status: 404, code: 'not_found', title: 'Not found', detail: 'There is no such path.' };

const unreadable: Problem = {
  status: 400,
  code: 'invalid_request',
  title: 'Invalid request',
  detail: 'The request cannot be read.',
};

/** Null where the target of the request is an absolute URL that is none: then whoever asks Koa for the path gets an error. */
function pathOf(ctx: Context): string | null {
  try {
    return ctx.path;
  } catch {
    return null;
  }
}

/** Errors that were masked before have been logged where they happened. */
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
  // A caller who left before the answer began has got no status.
  const status = ctx.res.headersSent ? ctx.status : null;
  const finished = ctx.res.writableFinished;
  logger.info({ requestId, method: ctx.method, path, status, durationMs, finished }, 'request');
}
