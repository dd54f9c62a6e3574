/** What a load balancer and a monitoring system ask for. None of it needs a token or tells anything of a tenant. */
import type { Middleware } from 'koa';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface OperatorOptions {
  /** True where the process can do its work: the database answers and the worker looks for work. */
  isReady: () => Promise<boolean>;
  gauges: readonly GaugeSource[];
}

/** A value that is read when it is asked for. */
export interface GaugeSource {
  name: string;
  help: string;
  read: () => number | Promise<number>;
}

export function operatorRoutes({ isReady, gauges }: OperatorOptions): Middleware {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  for (const { name, help, read } of gauges) {
    const collect = async function collect(this: Gauge) {
      this.set(await read());
    };
    metrics.registerMetric(new Gauge({ name, help, collect, registers: [] }));
  }
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
