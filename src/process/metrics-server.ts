/** The port of its own that `/metrics` may have. */
import type { Logger } from 'pino';
import { createOperatorApp } from '../app.js';
import type { Config } from '../config.js';
import type { ServiceMetrics } from '../platform/metrics/service-metrics.js';
import { startHttpServer } from '../platform/server/http-server.js';
import type { OperatorOptions } from '../routes/operator.js';
import type { ShutdownStack } from './shutdown-stack.js';

export interface MetricsServerParts {
  config: Pick<Config, 'host' | 'port' | 'metricsPort'>;
  logger: Logger;
  metrics: ServiceMetrics;
  shutdown: ShutdownStack;
}

/** Whoever scrapes needs few connections. */
const maxConnections = 100;

/** Returns the address; null if it is the port of the service. */
export async function startMetricsServer(
  { config, logger, metrics, shutdown }: MetricsServerParts,
  operator: OperatorOptions,
): Promise<string | null> {
  const { host, metricsPort: port } = config;
  if (port === config.port) return null;
  const handler = createOperatorApp({ logger, metrics, operator }).callback();
  const server = await startHttpServer(handler, { host, port, maxConnections });
  shutdown.add('the server for metrics', () => {
    server.cutSoon();
    return server.close();
  });
  return server.url;
}
