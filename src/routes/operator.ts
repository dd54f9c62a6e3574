/**
 * Endpoints for load balancers and monitoring. They reveal nothing about tenants and need no token, except for
 * `/metrics` if the operator sets one.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

export interface OperatorOptions {
  /** Whether the process is ready: the database responds and the worker is polling. */
  isReady: () => Promise<boolean>;
  sources: readonly MetricSource[];
  /** What the process counts itself; the sources join it. Default: nothing. */
  registry?: Registry;
  /** Whether `/metrics` is served here. Default: it is. */
  servesMetrics?: boolean;
  /** The bearer token for `/metrics`; undefined if none is required. */
  metricsToken: string | undefined;
  /** The other processes behind the same port; undefined if there are none. */
  siblings?: SiblingMetrics | undefined;
}

/** Metrics with their values, as they travel between processes. */
export type MetricSnapshot = MetricObjectWithValues<MetricValue<string>>;

/**
 * Connects the metrics of the processes that share a port: a scrape reaches one of them, and is answered with the
 * metrics of all, each with the number of its process as the label `process`.
 */
export interface SiblingMetrics {
  /** The number of this process. */
  number: number;
  /** Sets what gives the metrics of this process to the others. */
  provide(read: () => Promise<MetricSnapshot[]>): void;
  /** The metrics of all processes, of this one too. */
  gather(): Promise<MetricSnapshot[][]>;
}

/** A metric that is read at each scrape. */
export interface MetricSource {
  name: string;
  help: string;
  /** Default: a gauge. */
  kind?: 'gauge' | 'counter';
  /** What `read` gives the values of, if it gives several. */
  label?: string;
  read: () => number | ReadonlyMap<string, number> | Promise<number>;
}

/** The methods of operator paths; null for other paths. */
export function operatorMethodsOf(path: string): string[] | null {
  return ['/healthz', '/readyz', '/metrics'].includes(path) ? ['GET'] : null;
}

export function operatorRoutes({
  isReady,
  metricsToken,
  servesMetrics = true,
  ...metrics
}: OperatorOptions): Middleware {
  const readMetrics = servesMetrics ? createMetrics(metrics) : null;
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/healthz') ctx.body = { status: 'alive' };
    else if (ctx.path === '/readyz') sendReadiness(ctx, await isReady());
    else if (ctx.path !== '/metrics' || !readMetrics) await next();
    else if (!isAllowed(ctx.get('authorization'), metricsToken)) sendUnauthorized(ctx);
    else {
      ctx.body = await readMetrics();
      ctx.type = Registry.PROMETHEUS_CONTENT_TYPE;
    }
  };
}

type MetricSources = Pick<OperatorOptions, 'sources' | 'registry' | 'siblings'>;

/** Returns what reads the metrics, as text. */
function createMetrics({ sources, registry: metrics = new Registry(), siblings }: MetricSources) {
  collectDefaultMetrics({ register: metrics });
  for (const source of sources) metrics.registerMetric(metricOf(source));
  if (!siblings) return () => metrics.metrics();
  metrics.setDefaultLabels({ process: String(siblings.number) });
  siblings.provide(() => metrics.getMetricsAsJSON());
  return async () => {
    const all = await siblings.gather();
    return AggregatorRegistry.aggregate(all.map((snapshots) => snapshots.map(unaggregated))).metrics();
  };
}

/**
 * Their label keeps the values of processes apart, so there is nothing to add up, and nothing is left out. Between
 * processes, which speak JSON, NaN becomes null.
 */
function unaggregated({ values, ...metric }: MetricSnapshot): MetricSnapshot {
  const restored = values.map(({ value, ...rest }) => ({ ...rest, value: value ?? Number.NaN }));
  return { ...metric, values: restored, aggregator: 'first' };
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

/** Compares digests, which have equal length and leak nothing by timing. */
function isAllowed(authorization: string, token: string | undefined): boolean {
  if (token === undefined) return true;
  const sent = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
  const [given, wanted] = [sent, token].map((text) => createHash('sha256').update(text).digest());
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

function metricOf({ name, help, kind = 'gauge', label, read }: MetricSource): Counter | Gauge {
  const collect = async function collect(this: Counter | Gauge) {
    const value = await read();
    this.reset();
    if (typeof value === 'number') this.inc(value);
    else for (const [key, amount] of value) this.inc({ [String(label)]: key }, amount);
  };
  const Metric = kind === 'counter' ? Counter : Gauge;
  return new Metric({ name, help, labelNames: label === undefined ? [] : [label], collect, registers: [] });
}
