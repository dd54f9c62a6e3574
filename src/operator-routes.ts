/** What a load balancer and a monitoring system ask for. None of it needs a token or tells anything of a tenant. */
import type { Middleware } from 'koa';
import { collectDefaultMetrics, Registry } from 'prom-client';

export function operatorRoutes(isReady: () => Promise<boolean>): Middleware {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/healthz') ctx.body = { status: 'alive' };
    else if (ctx.path === '/readyz') {
      const ready = await isReady();
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? 'ready' : 'not ready' };
    } else if (ctx.path === '/metrics') {
      ctx.body = await metrics.metrics();
      ctx.type = metrics.contentType;
    } else await next();
  };
}
