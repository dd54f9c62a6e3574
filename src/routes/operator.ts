/**
 * Endpoints for load balancers and monitoring. They reveal nothing about tenants and need no token, except for
 * `/metrics` if the operator sets one.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface OperatorOptions {
  /** Whether the process is ready: the database responds and the worker is polling. */
  isReady: () => Promise<boolean>;
  gauges: readonly GaugeSource[];
  counters: readonly CounterSource[];
  /** The bearer token for `/metrics`; undefined if none is required. */
  metricsToken: string | undefined;
}

/** A metric that is read at each scrape. */
export interface GaugeSource {
  name: string;
  help: string;
  /** Default: a gauge. */
  kind?: 'gauge' | 'counter';
  read: () => number | Promise<number>;
}

/** The methods of operator paths; null for other paths. */
export function operatorMethodsOf(path: string): string[] | null {
  return ['/healthz', '/readyz', '/metrics'].includes(path) ? ['GET'] : null;
}

/** Totals since the start of the process, by the value of a label. */
export interface CounterSource {
  name: string;
  help: string;
  label: string;
  /** Whether the values are gauges instead of totals. */
  isGauge?: boolean;
  read: () => ReadonlyMap<string, number>;
}

export function operatorRoutes({ isReady, gauges, counters, metricsToken }: OperatorOptions): Middleware {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  for (const source of gauges) metrics.registerMetric(metricOf(source));
  for (const source of counters) metrics.registerMetric(labelled(source));
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/healthz') ctx.body = { status: 'alive' };
    else if (ctx.path === '/readyz') sendReadiness(ctx, await isReady());
    else if (ctx.path !== '/metrics') await next();
    else if (!isAllowed(ctx.get('authorization'), metricsToken)) sendUnauthorized(ctx);
    else {
      ctx.body = await metrics.metrics();
      ctx.type = metrics.contentType;
    }
  };
}

function sendReadiness(ctx: Context, ready: boolean): void {
  ctx.status = ready ? 200 : 503;
  ctx.body = { status: ready ? 'ready' : 'not ready' };
}

function sendUnauthorized(ctx: Context): void {
  ctx.status = 401;
  ctx.set({ 'WWW-Authenticate': 'Bearer realm="metrics"', 'Cache-Control': 'no-store' });
  const detail = 'Send the value of METRICS_TOKEN as "Authorization: Bearer <token>".';
  ctx.body = { type: 'about:blank', title: 'Unauthorized', status: 401, detail };
  ctx.type = 'application/problem+json';
}

function labelled({ name, help, label, isGauge = false, read }: CounterSource): Counter | Gauge {
  if (isGauge) {
    const collect = async function collect(this: Gauge) {
      for (const [value, amount] of read()) this.set({ [label]: value }, amount);
    };
    return new Gauge({ name, help, labelNames: [label], collect, registers: [] });
  }
  const collect = async function collect(this: Counter) {
    this.reset();
    for (const [value, amount] of read()) this.inc({ [label]: value }, amount);
  };
  return new Counter({ name, help, labelNames: [label], collect, registers: [] });
}

/** Compares digests, which have equal length and leak nothing by timing. */
function isAllowed(authorization: string, token: string | undefined): boolean {
  if (token === undefined) return true;
  const sent = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
  const [given, wanted] = [sent, token].map((text) => createHash('sha256').update(text).digest());
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

/** Creates a metric that is read at each scrape. */
function metricOf({ name, help, kind, read }: GaugeSource): Counter | Gauge {
  if (kind === 'counter') {
    const collect = async function collect(this: Counter) {
      const value = await read();
      this.reset();
      this.inc(value);
    };
    return new Counter({ name, help, collect, registers: [] });
  }
  const collect = async function collect(this: Gauge) {
    this.set(await read());
  };
  return new Gauge({ name, help, collect, registers: [] });
}
