/** Answers for the paths that have a fixed list of methods: OPTIONS with the list, and any other method with 405 and the list. */
import type { Context, Middleware } from 'koa';
import { methodNotAllowed, ProblemError } from './problems/problems.js';

/** The methods of a path, or null where it has none or knows them better itself. */
export type MethodsOf = (path: string) => readonly string[] | null;

/** To be mounted in front of what serves these paths. */
export function allowedMethods(methodsOf: MethodsOf): Middleware {
  return async (ctx, next) => {
    const methods = methodsOf(ctx.path);
    const allowed = methods?.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    if (!allowed || allowed.includes(ctx.method)) return next();
    refuseMethod(ctx, [...allowed, 'OPTIONS'].join(', '));
  };
}

/** Answers OPTIONS with the list; throws a 405 for every other method. */
export function refuseMethod(ctx: Context, allow: string): void {
  if (ctx.method !== 'OPTIONS') throw new ProblemError(methodNotAllowed(allow));
  ctx.set('Allow', allow);
  ctx.status = 204;
}
