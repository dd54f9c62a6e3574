/** Handles paths with a fixed list of methods: answers OPTIONS with the list, and any other method with 405. */
import type { Context, Middleware } from 'koa';
import { sourceOf } from '../platform/rates/request-source.js';
import { methodNotAllowed, ProblemError } from './problems/problems.js';

/** The methods of a path, one of few; null if the path does not exist or handles methods itself. */
export type MethodsOf = (path: string) => readonly string[] | null;

/** Mount it before the middleware that serves these paths. */
export function allowedMethods(methodsOf: MethodsOf): Middleware {
  return async (ctx, next) => {
    const methods = methodsOf(ctx.path);
    if (methods) sourceOf(ctx.req).route = ctx.path;
    const allowed = methods?.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    if (!allowed || allowed.includes(ctx.method)) return next();
    answerUnservedMethod(ctx, [...allowed, 'OPTIONS'].join(', '));
  };
}

/** Answers OPTIONS with the list; throws a 405 for every other method. */
export function answerUnservedMethod(ctx: Context, allow: string): void {
  if (ctx.method !== 'OPTIONS') throw new ProblemError(methodNotAllowed(allow));
  ctx.set('Allow', allow);
  ctx.status = 204;
}
