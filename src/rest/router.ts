/**
 * Routes of the endpoints under a version prefix. Paths match exactly: case matters, and a trailing slash makes another
 * path. Other methods of a known path get 405 with `Allow`. OPTIONS needs no token.
 */
import Router from '@koa/router';
import type { Middleware, Next } from 'koa';
import { answerUnservedMethod } from '../http/allowed-methods.js';
import { notFound, ProblemError } from '../http/problems/problems.js';
import { sourceOf } from '../platform/rates/request-source.js';
import type { Endpoint } from './endpoint.js';
import { endpoints } from './endpoints.js';
import { openApiDocument } from './openapi.js';
import { createPipeline, type PipelineOptions } from './pipeline.js';
import { serveDocument } from './serve-document.js';

/** Handles all paths below the prefix; others pass through. */
export function createRestRouter(options: PipelineOptions & { publicUrl: string }): Middleware {
  const { prefix, publicUrl } = options;
  const router = new Router({ prefix, sensitive: true, strict: true });
  const methods = new Map<string, Set<string>>();
  for (const endpoint of endpoints) {
    const route = named(`${prefix}${endpoint.path}`);
    router.register(koaPath(endpoint), [endpoint.method], [route, createPipeline(endpoint, options)]);
    methods.set(koaPath(endpoint), new Set([...(methods.get(koaPath(endpoint)) ?? []), endpoint.method]));
  }
  router.get(
    '/openapi.json',
    named(`${prefix}/openapi.json`),
    serveDocument(() => openApiDocument({ prefix, publicUrl })),
  );
  methods.set('/openapi.json', new Set(['GET']));
  for (const [path, allowed] of methods) router.all(path, named(`${prefix}${templateOf(path)}`), refuseOthers(allowed));
  const routes = router.routes();
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${prefix}/`) && ctx.path !== prefix) return next();
    if (!isReadable(ctx.path)) throw unknownPath();
    await routes(
      ctx as never,
      (async () => {
        throw unknownPath();
      }) as Next,
    );
  };
}

/** Gives a request its route in logs and metrics. */
function named(route: string): Middleware {
  return (ctx, next) => {
    sourceOf(ctx.req).route = route;
    return next();
  };
}

function koaPath(endpoint: Endpoint): string {
  return endpoint.path.replace(/\{([a-z]+)-id\}/g, ':$1Id');
}

/** The path as in the specification, of a path of Koa. */
function templateOf(path: string): string {
  return path.replace(/:([a-z]+)Id/g, '{$1-id}');
}

function refuseOthers(allowed: ReadonlySet<string>): Middleware {
  const names = [...allowed].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return (ctx) => answerUnservedMethod(ctx, [...names, 'OPTIONS'].join(', '));
}

/** Whether the path is valid UTF-8 without U+0000, which PostgreSQL rejects even in comparisons. */
function isReadable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\u0000');
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function unknownPath(): ProblemError {
  return new ProblemError(
    notFound('not_found', 'This path does not exist. The interface is described at openapi.json.'),
  );
}
