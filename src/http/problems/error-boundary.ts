/**
 * Wraps all routes: gives each request its id, renders errors as problems, and logs, counts and traces it when it has
 * ended. It reports neither headers nor bodies, and no token in a path, so neither a token nor a message can reach the log or a
 * trace.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { LoggedError } from '../../errors.js';
import type { ServiceMetrics } from '../../platform/metrics/service-metrics.js';
import { sourceOf } from '../../platform/rates/request-source.js';
import type { Span, Tracing } from '../../platform/tracing/span.js';
import { internalProblem, methodNotAllowed, type Problem, ProblemError, problemBody, toProblem } from './problems.js';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/** Headers for every response. Pages set a policy of their own; other content loads nothing and is never framed. */
const safeDefaults = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

export interface ErrorBoundaryOptions {
  logger: Logger;
  metrics: ServiceMetrics;
  tracing: Tracing | null;
}

export function errorBoundary({ logger: unnamed, metrics, tracing }: ErrorBoundaryOptions): Middleware {
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx);
    const path = pathOf(ctx);
    const startedMs = performance.now();
    sourceOf(ctx.req).id = requestId;
    const span = startSpan(tracing, ctx, { path, requestId });
    const logger = span ? unnamed.child({ traceId: span.traceId }) : unnamed;
    ctx.set('X-Request-Id', requestId);
    ctx.set(safeDefaults);
    ctx.res.once('close', () => {
      const ended = { status: ctx.res.headersSent ? ctx.status : null, durationMs: performance.now() - startedMs };
      countRequest(metrics, ctx, ended);
      endSpan(span, ctx, ended);
      logRequest(logger, ctx, { requestId, path, ...ended });
    });
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
      metrics.limitsHit.see(error);
      const problem = toProblem(error) ?? problemOf(error);
      if (isUnsaid(error, problem)) logger.error({ err: error, requestId }, 'a request failed');
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

const tokens = /skn_[a-z]+_\w+/g;

/** Without tokens that stand there by mistake. Null if the request target is a malformed absolute URL, for which Koa's `path` throws. */
function pathOf(ctx: Context): string | null {
  try {
    return ctx.path.replace(tokens, 'skn_…');
  } catch {
    return null;
  }
}

/** The problem for any other error: 400 if Koa blames the request, otherwise 500. */
function problemOf(error: unknown): Problem {
  return (error as { status?: unknown }).status === 400 ? unreadable : internalProblem;
}

/** Whether the log lacks an error that is ours, which 501 is not: it answers a request that nobody should send. */
function isUnsaid(error: unknown, { status }: Problem): boolean {
  return status >= 500 && status !== 501 && !(error instanceof LoggedError);
}

function render(ctx: Context, problem: Problem, requestId: string): void {
  ctx.status = problem.status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set(problem.headers ?? {});
  ctx.body = JSON.stringify(problemBody(problem, requestId));
  ctx.set('Content-Type', 'application/problem+json');
}

interface RequestEnd {
  /** Null if the caller disconnected before the response began. */
  status: number | null;
  durationMs: number;
}

/** Null for a probe: they are many, and none has a reason. */
function startSpan(
  tracing: Tracing | null,
  ctx: Context,
  { path, requestId }: { path: string | null; requestId: string },
): Span | null {
  if (tracing === null || probes.includes(path)) return null;
  const attributes = { 'skein.request_id': requestId };
  const span = tracing.start('request', { kind: 'server', traceparent: ctx.get('traceparent'), attributes });
  sourceOf(ctx.req).span = span;
  return span;
}

/** Names the pattern of the route and no path: a path may hold a secret, as that of a sign-in link does. */
function endSpan(span: Span | null, { method, req }: Context, { status }: RequestEnd): void {
  if (span === null) return;
  const known = methodOf(method);
  const { route } = sourceOf(req);
  span.end({
    name: route === null ? known : `${known} ${route}`,
    attributes: { 'http.request.method': known, 'http.route': route, 'http.response.status_code': status },
    error: status !== null && status >= 500 ? String(status) : null,
  });
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Another method counts as one, because a caller may invent any. */
function methodOf(method: string): string {
  return methods.has(method) ? method : 'other';
}

function countRequest(
  { requests }: ServiceMetrics,
  { method, req }: Context,
  { status, durationMs }: RequestEnd,
): void {
  const route = sourceOf(req).route ?? 'none';
  requests.observe({ method: methodOf(method), route, status: String(status ?? 'none') }, durationMs / 1000);
}

const probes: readonly (string | null)[] = ['/healthz', '/readyz', '/metrics'];

function logRequest(
  logger: Logger,
  ctx: Context,
  { requestId, path, status, durationMs }: RequestEnd & { requestId: string; path: string | null },
): void {
  const { route, viewer, operation } = sourceOf(ctx.req);
  // Load balancers and Prometheus ask every few seconds.
  const level = probes.includes(route) ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const finished = ctx.res.writableFinished;
  const whose = viewer && { user: viewer.userId, organization: viewer.organizationId };
  const line = { requestId, method: ctx.method, path, route, status, durationMs: Math.round(durationMs), finished };
  logger[level]({ ...line, ...whose, ...(operation === null ? {} : { operation }) }, 'request');
}
