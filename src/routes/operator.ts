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
  gauges: readonly GaugeSource[];
  counters: readonly CounterSource[];
  /** What the process counts itself; the gauges and counters join it. Default: nothing. */
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

export function operatorRoutes({
  isReady,
  metricsToken,
  servesMetrics = true,
  ...sources
}: OperatorOptions): Middleware {
  const readMetrics = servesMetrics ? createMetrics(sources) : null;
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

type MetricSources = Pick<OperatorOptions, 'gauges' | 'counters' | 'registry' | 'siblings'>;

/** Returns what reads the metrics, as text. */
function createMetrics({ gauges, counters, registry: metrics = new Registry(), siblings }: MetricSources) {
  collectDefaultMetrics({ register: metrics });
  for (const source of gauges) metrics.registerMetric(metricOf(source));
  for (const source of counters) metrics.registerMetric(labelled(source));
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
